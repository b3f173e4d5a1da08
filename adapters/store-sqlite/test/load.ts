/**
 * A process that works on a store without end and says what was acknowledged, a line each. Run by the
 * tests: `node load.ts FILE ACCOUNT`.
 */
import { AccountId, type DeliveryId, nextDeliveryId, nextEntryId, nextProcessId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { Store } from "@watchword/store/Store"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { writeSync } from "node:fs"

const [, , filename = "", accountText = ""] = process.argv
const account = AccountId.make(accountText)
const CLIENTS = 25
const PRICE = MicroEuros.make(50_000)

// Written at once, so that whatever the parent reads was acknowledged before the process died.
const say = (...words: ReadonlyArray<string>): void => void writeSync(1, `${words.join(" ")}\n`)

const outcomes = ["accepted", "rejected", "unknown"] as const

const client = Effect.fnUntraced(function* (number: number) {
  const store = yield* Store
  for (let turn = number; ; turn++) {
    const at = Date.now()
    const credit = nextEntryId(at)
    yield* store.credit({ id: credit, account, amount: PRICE, at })
    say("credited", credit)
    const id: DeliveryId = nextDeliveryId(at)
    const opened = yield* store.open({
      delivery: {
        id,
        account,
        mode: "live",
        channel: "sms",
        to: "+4915123456789",
        from: null,
        status: { name: "sent", rank: 0 },
        price: PRICE,
        parts: 1,
        reference: null,
        details: { client: number }
      },
      claims: [{ key: id, fingerprint: "", retryAfterRejection: false, expiresAt: at + 1e9 }],
      owner: nextProcessId(0),
      at
    })
    say(opened._tag === "Opened" ? "opened" : "refused", id)
    if (opened._tag !== "Opened") continue
    const outcome = outcomes[turn % 3] ?? "accepted"
    const status = { name: outcome, rank: outcome === "rejected" ? 2 : 1 }
    yield* store.close({ id, outcome, status, refs: [id], details: {}, at })
    say(outcome, id)
    if (turn % 2 === 0) {
      yield* store.report({
        target: { _tag: "Part", channel: "sms", refs: [id], message: { to: null, reference: null } },
        status: { name: "delivered", rank: 2 },
        when: {},
        details: {},
        everyPart: true,
        refund: false,
        at
      })
      say("reported", id)
    }
  }
})

const program = Effect.forEach(
  Array.from({ length: CLIENTS }, (_, index) => index),
  client,
  { concurrency: "unbounded" }
)

const exit = await Effect.runPromiseExit(Effect.provide(program, sqlite(filename)))
say("stopped", Exit.isFailure(exit) ? JSON.stringify(exit.cause) : "")
