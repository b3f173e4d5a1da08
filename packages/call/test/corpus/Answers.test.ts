/**
 * Each row of {@link rows} over UDP: a trunk that answers so, and the call channel with its records, prices and
 * callers.
 */
import * as Call from "@watchword/call/Call"
import { CallGateway } from "@watchword/call/CallGateway"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import { ListBody } from "@watchword/pagination/Page"
import * as Records from "@watchword/records/Records"
import { FlashCall } from "@watchword/schemas/Call"
import { MicroEuros } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Account"
import { CallerRests, Rests, heartbeatLayer } from "@watchword/send/pipeline"
import { noKeys } from "@watchword/send/Claims"
import * as Send from "@watchword/send/Send"
import { makeMemory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { eventually, test } from "../../../../test/live.ts"
import { whatIsSet } from "../../../../test/whatIsSet.ts"
import { doubt } from "../../src/internal/CallArrival.ts"
import { order, startGateway, startTrunk, until } from "../sip/fixture.ts"
import type { TrunkCall, Trunk } from "@watchword/sandbox/trunk"
import { header } from "@watchword/sandbox/trunk"
import { type Answer, type Row, rows } from "./Answers.ts"

const caller = "+4930901820123"
const callee = "+4915123456789"
const others = ["+4915123456701", "+4915123456702"]

const answerOf = (said: number | Answer): Answer => (typeof said === "number" ? { status: said } : said)

/** Answers one INVITE after another, the next one after a challenge. */
const script = ({ before = [], says }: Row) => {
  const left = before.map(answerOf)
  const last = says.map(answerOf)
  return (call: TrunkCall): void => {
    if (left.length === 0) left.push(...last.splice(0))
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { status, ...options } = next
      call.respond(status, options)
      if (status === 401 || status === 407) return
    }
  }
}

/** Whether nothing is said that ends the setting-up. */
const isSilent = ({ answer, says }: Row): boolean => {
  const last = says.at(-1)
  return answer !== "rings" && last !== undefined && answerOf(last).status < 200
}

/** Times that a slow machine does not reach, but where the row waits for them. */
const patience = (row: Row) => ({ setupTimeout: isSilent(row) ? "1 second" : "1 minute", silence: "1 minute" }) as const

const urlOf = (trunk: Trunk, { options }: Row): string =>
  trunk.url(options === undefined ? "keepalive=0" : `keepalive=0;${options}`)

const base = () =>
  Layer.mergeAll(Send.layer, Records.layer, Ledger.layer, Accounts.layer, Settings.layer).pipe(
    Layer.provide(Layer.succeed(PriceTable.Prices, Result.getOrThrow(PriceTable.parse({ call: { "*": "0.02" } })))),
    Layer.provideMerge(whatIsSet),
    Layer.provideMerge(heartbeatLayer),
    Layer.provideMerge(Layer.succeed(Store, makeMemory()))
  )

const CREDIT = MicroEuros.make(1_000_000)
const PRICE = 20_000

const page = Schema.decodeUnknownSync(ListBody)
const body = Schema.decodeUnknownSync(FlashCall)

/** Plays a row against the call channel. */
const play = Effect.fnUntraced(function* (row: Row, trunk: Trunk) {
  const rests = new Rests()
  for (const other of others) rests.blocked(caller, other, Date.now())
  const gateway = yield* startGateway(urlOf(trunk, row), patience(row))
  if (row.before !== undefined) {
    const first = order()
    yield* gateway.dial(first, () => Effect.void)
    yield* gateway.hangup(first.delivery, "NO_ANSWER")
  }
  const layer = Layer.provideMerge(Call.layer, Layer.mergeAll(base(), Layer.succeed(CallGateway, gateway))).pipe(
    Layer.provide(Layer.succeed(CallerRests, rests))
  )
  return yield* Effect.gen(function* () {
    const call = yield* Call.Call
    const accounts = yield* Accounts.Accounts
    const ledger = yield* Ledger.Ledger
    const store = yield* Store
    const account = yield* accounts.create({ caller })
    const who: Principal = { account, mode: "live", key: null, scopes: null }
    yield* ledger.credit(account.id, CREDIT)
    const answer = yield* Effect.result(call.flash(who, body({ callee, max_ring_time: 30 }), noKeys))
    const {
      list: [record]
    } = yield* call.list(who, page({}))
    if (record === undefined) return yield* Effect.die("no record")
    if (Result.isSuccess(answer)) {
      const isOver = Effect.map(Effect.orDie(call.get(who, record.uuid)), ({ hangup_cause }) => hangup_cause !== null)
      // A call that keeps ringing is hung up.
      if (row.cause === "NO_ANSWER") yield* gateway.hangup(record.uuid, "NO_ANSWER")
      yield* eventually(isOver)
    }
    const { hangup_cause, q850 } = yield* call.get(who, record.uuid)
    const found = yield* store.find({ account: account.id, mode: "live", channel: "call", id: record.uuid })
    const { available } = yield* ledger.balance(account.id)
    return {
      answer: Result.isSuccess(answer) ? "rings" : answer.failure._tag,
      reason: Result.isFailure(answer) && "reason" in answer.failure ? answer.failure.reason : undefined,
      cause: hangup_cause,
      q850,
      charged: CREDIT - available,
      counts: Option.isSome(found) && doubt(found.value) !== null,
      rests: rests.resting(Date.now() + 59 * 60_000).includes(caller),
      restsLonger: rests.resting(Date.now() + 61 * 60_000).includes(caller),
      noted: ((yield* gateway.health)[0]?.unrecognized ?? []).map(({ kind, word }) => `${kind} ${word}`)
    }
  }).pipe(Effect.provide(layer))
})

/** Whether another trunk is asked after this one. */
const asksAnother = Effect.fnUntraced(function* (row: Row) {
  const first = yield* startTrunk({ invite: script(row) })
  const second = yield* startTrunk({ invite: (call) => call.respond(486) })
  const gateway = yield* startGateway(`${urlOf(first, row)},${second.url()}`, patience(row))
  yield* gateway.dial(order(), () => Effect.void)
  return second.calls.length > 0
})

describe("a trunk's answers", () => {
  for (const row of rows) {
    const { answer, blocks = false, cause, counts = false, credentials, next = false, noted = [], q850, reason } = row
    test(
      `${row.from} (${row.source}): ${row.says.map((said) => answerOf(said).status).join(", ")}`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk({ invite: script(row) })
        expect(yield* play(row, trunk)).toEqual({
          answer,
          reason,
          cause,
          q850: q850 ?? null,
          charged: answer === "rings" ? PRICE : 0,
          counts,
          rests: blocks,
          restsLonger: false,
          noted
        })
        const answered = row.says.some((said) => answerOf(said).status === 200)
        if (answered) yield* until(trunk, () => trunk.requests("BYE").length > 0)
        if (credentials !== undefined) {
          expect(header(trunk.calls.at(-1)?.invite ?? fail(), "authorization")).toMatch(credentials)
        }
        if (answer !== "rings") expect(yield* asksAnother(row)).toBe(next)
      })
    )
  }

  it("are those of a trunk, a version or a report each, or of a section that no other row has", () => {
    const names = rows.map(({ from, source, says }) => JSON.stringify([from, source, says]))
    expect(new Set(names).size).toBe(rows.length)
    expect(rows.length).toBeGreaterThanOrEqual(80)
  })
})

const fail = (): never => {
  throw new Error("no call")
}
