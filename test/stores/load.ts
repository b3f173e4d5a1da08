/**
 * A process that works on a store and says what was acknowledged, a line each: `node load.ts ADDRESS ACCOUNT
 * [MILLISECONDS]`. With a time it continues after failures until the time is over, otherwise it ends with the first.
 */
import { AccountId, type DeliveryId, nextDeliveryId, nextEntryId, nextProcessId } from "@watchword/schemas/Ids"
import { PositiveMicroEuros } from "@watchword/schemas/Money"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { layerOf } from "./layerOf.ts"
import { realTime } from "../until.ts"

const [, , address = "", accountText = "", duration] = process.argv
const account = AccountId.make(accountText)
const CLIENTS = 25
const PRICE = PositiveMicroEuros.make(50_000)
const end = performance.now() + Number(duration ?? "Infinity")

// Written at once, so that whatever the parent reads was acknowledged before the process died.
const say = (...words: ReadonlyArray<string>): void => void writeSync(1, `${words.join(" ")}\n`)

const outcomes = ["accepted", "rejected", "unknown"] as const

const turn = Effect.fnUntraced(function* (number: number) {
  const store = yield* Store
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
      details: { turn: number }
    },
    claims: [{ key: id, fingerprint: "", heldUntil: "expiry", expiresAt: at + 1e9 }],
    owner: nextProcessId(0),
    ...(number % 2 === 0 ? { watch: { endpoints: ["one", "two"] } } : {}),
    at
  })
  say(opened._tag === "Opened" ? "opened" : "refused", id)
  if (opened._tag !== "Opened") return
  const outcome = outcomes[number % 3] ?? "accepted"
  const status = { name: outcome, rank: outcome === "rejected" ? 2 : 1 }
  yield* store.close({ id, outcome, status, refs: [id], details: {}, at })
  say(outcome, id)
  if (number % 2 === 1) return
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
})

const client = Effect.fnUntraced(function* (number: number) {
  for (let count = number; performance.now() < end; count++) {
    const failure = yield* Effect.match(turn(count), { onSuccess: () => null, onFailure: (error) => error })
    if (failure === null) continue
    say("failed", failure.reason, failure.message)
    if (duration === undefined) return yield* failure
    yield* Effect.promise(() => realTime(20, "a client waits before it repeats"))
  }
})

const program = Effect.forEach(
  Array.from({ length: CLIENTS }, (_, index) => index),
  client,
  { concurrency: "unbounded", discard: true }
)

await Effect.runPromise(Effect.provide(Effect.ignore(program), layerOf(address)))
