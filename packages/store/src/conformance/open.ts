import { nextAccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Delivery } from "../Delivery.ts"
import { type Claim, Store } from "../Store.ts"
import { check, same } from "./Case.ts"
import {
  AT,
  accountFor,
  atOnce,
  balance,
  balanceOf,
  closing,
  kindsOf,
  ledgerOf,
  live,
  now,
  opened,
  opening,
  prices,
  recordOf,
  reportOn,
  status,
  tally
} from "./Fixtures.ts"

const DAY = 24 * 60 * 60 * 1000

const claim = (key: string, fields: Partial<Claim> = {}): Claim => ({
  key,
  fingerprint: "body",
  retryAfterRejection: false,
  expiresAt: AT + DAY,
  ...fields
})

export const open = [
  check(
    "open: writes the pending record and takes the hold",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(3)
      const request = opening(account, { details: { text: "Codé 🔑", tries: 1.5, urgent: true, note: null } })
      const record: Delivery = { ...request.delivery, phase: "pending", createdAt: AT, statusAt: AT }
      const answer = yield* store.open(request)
      same("answer", answer, { _tag: "Opened", delivery: record, available: prices(2) })
      same("record", yield* now(record), record)
      same("balance", yield* balanceOf(account), balance(2, 1))
      const [, hold] = yield* ledgerOf(account)
      same("entry", [hold?.kind, hold?.delivery, hold?.amount], ["hold", record.id, prices(1)])
    })
  ),

  check(
    "open: keeps what is null, on every channel and in both modes",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(8)
      for (const channel of ["call", "sms", "chatgw", "bizchat"] as const) {
        for (const mode of ["live", "sandbox"] as const) {
          const request = opening(account, { channel, mode, from: null, reference: null, parts: 3 })
          const record = recordOf(yield* store.open(request))
          same("answer", record, { ...request.delivery, phase: "pending", createdAt: AT, statusAt: AT })
          same("record", yield* now(record), record)
        }
      }
    })
  ),

  check(
    "open: a price of zero leaves no ledger entry and needs no balance",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(0)
      const answer = yield* store.open(opening(account, { price: zero }))
      same("answer", answer._tag, "Opened")
      same("entries", yield* ledgerOf(account), [])
    })
  ),

  check(
    "open: answers NoAccount for an account that does not exist, and changes nothing",
    Effect.gen(function* () {
      const store = yield* Store
      const request = opening(nextAccountId(AT), { price: zero })
      same("answer", yield* store.open(request), { _tag: "NoAccount" })
      same("record", yield* store.find(request.delivery), Option.none())
    })
  ),

  check(
    "open: answers Insufficient when the available balance is smaller than the price, and changes nothing",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(3)
      yield* opened(account, { price: prices(2) })
      const request = opening(account, { price: prices(2) }, { claims: [claim("a")] })
      same("answer", yield* store.open(request), { _tag: "Insufficient", available: prices(1) })
      same("record", yield* store.find(request.delivery), Option.none())
      same("balance", yield* balanceOf(account), balance(1, 2))
      same("entries", yield* kindsOf(account), "credit hold")
      const exact = yield* store.open(opening(account, {}, { claims: [claim("a")] }))
      same("the exact amount, under the same claim", tally([exact]), { Opened: 1 })
      same("balance then", yield* balanceOf(account), balance(0, 3))
    })
  ),

  check(
    "open: repeating it with the id of a delivery answers Opened with the record as it is",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const request = opening(account, {}, { claims: [claim("a")] })
      const first = yield* store.open(request)
      same("at once", yield* store.open(request), first)
      const other = { ...request, claims: [claim("b")], at: AT + 5 }
      same("with other claims, later", yield* store.open(other), first)
      yield* opened(account, { price: zero }, { claims: [claim("c")] })
      same("with a claim of another's", yield* store.open({ ...request, claims: [claim("c")] }), first)
      yield* store.close(closing(request.delivery.id, "accepted", { details: { x: 1 } }))
      const record = yield* live(account, request.delivery.id)
      same("phase", record.phase, "accepted")
      same("when it was closed", yield* store.open(request), { _tag: "Opened", delivery: record, available: zero })
      same("entries", yield* kindsOf(account), "credit hold settle")
      const free = opening(account, { price: zero }, { claims: [claim("b")] })
      same("the other claim", tally([yield* store.open(free)]), { Opened: 1 })
    })
  ),

  check(
    "open: answers Claimed when another delivery holds a claim, and changes nothing",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(3)
      const holder = yield* opened(account, {}, { claims: [claim("a"), claim("b", { fingerprint: "x" })] })
      const repeat = opening(account, {}, { claims: [claim("a")] })
      same("the same fingerprint", yield* store.open(repeat), {
        _tag: "Claimed",
        claim: claim("a"),
        sameFingerprint: true,
        by: holder
      })
      const misuse = opening(account, {}, { claims: [claim("free"), claim("b", { fingerprint: "y" }), claim("a")] })
      same("another fingerprint, and the first that is taken", yield* store.open(misuse), {
        _tag: "Claimed",
        claim: claim("b", { fingerprint: "y" }),
        sameFingerprint: false,
        by: holder
      })
      for (const { delivery } of [repeat, misuse]) same("record", yield* store.find(delivery), Option.none())
      same("balance", yield* balanceOf(account), balance(2, 1))
      same(
        "what was free still is",
        (yield* store.open(opening(account, {}, { claims: [claim("free")] })))._tag,
        "Opened"
      )
    })
  ),

  check(
    "open: a claim is answered with its holder as that is now",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const { id } = yield* opened(account, {}, { claims: [claim("a")] })
      yield* store.close(closing(id, "accepted", { details: { x: "y" } }))
      const answer = yield* store.open(opening(account, {}, { claims: [claim("a")] }))
      same("holder", answer._tag === "Claimed" ? answer.by : null, yield* live(account, id))
    })
  ),

  check(
    "open: looks at claims before money",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      yield* opened(account, {}, { claims: [claim("a")] })
      same("answer", (yield* store.open(opening(account, {}, { claims: [claim("a")] })))._tag, "Claimed")
    })
  ),

  check(
    "open: claims are of an account and mode, whatever the channel",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(5)
      const other = yield* accountFor(1)
      const claims = [claim("a")]
      yield* opened(account, {}, { claims })
      const answers = [
        yield* store.open(opening(other, {}, { claims })),
        yield* store.open(opening(account, { mode: "sandbox" }, { claims })),
        yield* store.open(opening(account, { channel: "call" }, { claims }))
      ]
      same(
        "another account, another mode, another channel",
        answers.map(({ _tag }) => _tag),
        ["Opened", "Opened", "Claimed"]
      )
    })
  ),

  check(
    "open: a claim that has expired counts as free",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(3)
      const attempt = (at: number, expiresAt: number) =>
        store.open(opening(account, {}, { at, claims: [claim("a", { expiresAt })] }))
      yield* attempt(AT, AT + 10)
      same("just before", (yield* attempt(AT + 9, AT + 100))._tag, "Claimed")
      const next = yield* attempt(AT + 10, AT + 100)
      same("when it expires", next._tag, "Opened")
      const last = yield* attempt(AT + 99, AT + 200)
      same("the next one's then", last._tag === "Claimed" ? last.by : null, recordOf(next))
    })
  ),

  check(
    "open: a claim with retryAfterRejection passes on once its holder was rejected, others do not",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(9)
      const attempt = (key: string, retryAfterRejection: boolean) =>
        store.open(opening(account, {}, { claims: [claim(key, { retryAfterRejection })] }))
      for (const outcome of ["accepted", "unknown", "rejected"] as const) {
        for (const retry of [true, false]) {
          const key = `${outcome} ${retry}`
          const { id } = recordOf(yield* attempt(key, retry))
          same(`${key}, pending`, (yield* attempt(key, retry))._tag, "Claimed")
          yield* store.close(closing(id, outcome))
          const passes = retry && outcome === "rejected"
          same(`${key}, closed`, (yield* attempt(key, retry))._tag, passes ? "Opened" : "Claimed")
          if (passes) same(`${key}, passed on`, (yield* attempt(key, retry))._tag, "Claimed")
        }
      }
    })
  ),

  check(
    "open: of a hundred at once on a balance for ten, ten are let through",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10)
      const answers = yield* atOnce(100, () => store.open(opening(account)))
      same("answers", tally(answers), { Opened: 10, Insufficient: 90 })
      same("balance", yield* balanceOf(account), balance(0, 10))
      same("entries", (yield* ledgerOf(account)).length, 11)
    })
  ),

  check(
    "open: of fifty at once with one claim, one is let through and holds it",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(50)
      const answers = yield* atOnce(50, () => store.open(opening(account, {}, { claims: [claim("a")] })))
      same("answers", tally(answers), { Opened: 1, Claimed: 49 })
      const winners = new Set(
        answers.flatMap((answer) =>
          answer._tag === "Opened" ? [answer.delivery.id] : answer._tag === "Claimed" ? [answer.by.id] : []
        )
      )
      same("winners", winners.size, 1)
      same("balance", yield* balanceOf(account), balance(49, 1))
    })
  ),

  check(
    "open: of twenty at once with one id, all are answered and one hold is taken",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(20)
      const request = opening(account, { id: nextDeliveryId(AT) }, { claims: [claim("a")] })
      same("answers", tally(yield* atOnce(20, () => store.open(request))), { Opened: 20 })
      same("balance", yield* balanceOf(account), balance(19, 1))
    })
  ),

  check(
    "find: sees nothing of another account, mode or channel",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const other = yield* accountFor(0)
      const record = yield* opened(account)
      const { channel, id, mode } = record
      same("its own", yield* store.find({ account, mode, channel, id }), Option.some(record))
      const strangers = [
        { account: other, mode, channel, id },
        { account: nextAccountId(AT), mode, channel, id },
        { account, mode: "sandbox" as const, channel, id },
        { account, mode, channel: "call" as const, id },
        { account, mode, channel, id: nextDeliveryId(AT) }
      ]
      for (const key of strangers) same("a stranger's", yield* store.find(key), Option.none())
    })
  ),

  check(
    "unresolved: finds deliveries in a phase created before a time, oldest first, everywhere",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(9)
      const other = yield* accountFor(9)
      const later = yield* opened(account, {}, { at: AT + 3 })
      const first = yield* opened(other, { mode: "sandbox", channel: "call" }, { at: AT + 1 })
      const middle = yield* opened(account, {}, { at: AT + 2 })
      const doubted = yield* opened(account, {}, { at: AT })
      const taken = yield* opened(account, {}, { at: AT })
      const refused = yield* opened(account, {}, { at: AT })
      yield* store.close(closing(doubted.id, "unknown"))
      yield* store.close(closing(taken.id, "accepted"))
      yield* store.close(closing(refused.id, "rejected"))
      const ids = (phase: "pending" | "unknown", createdBefore: number, limit = 10) =>
        Effect.map(store.unresolved({ phase, createdBefore, limit }), (rows) => rows.map(({ id }) => id))
      same("pending", yield* ids("pending", AT + 10), [first.id, middle.id, later.id])
      same("the oldest two", yield* ids("pending", AT + 10, 2), [first.id, middle.id])
      same("created before", yield* ids("pending", AT + 3), [first.id, middle.id])
      same("unknown", yield* ids("unknown", AT + 10), [doubted.id])
      same("none before the first", yield* ids("pending", AT + 1), [])
      yield* store.report(reportOn(middle.id, { status: status.delivered }))
      const [, row] = yield* store.unresolved({ phase: "pending", createdBefore: AT + 10, limit: 10 })
      same("the record", row, yield* live(account, middle.id))
    })
  ),

  check(
    "sweep: forgets claims that have expired before a time, and no others",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(5)
      const attempt = (key: string, expiresAt: number) =>
        store.open(opening(account, {}, { claims: [claim(key, { expiresAt })] }))
      yield* attempt("old", AT + 10)
      yield* attempt("kept", AT + 11)
      yield* store.sweep({ at: AT + 11, parkedBefore: 0 })
      same("expired", (yield* attempt("old", AT + DAY))._tag, "Opened")
      same("not expired before", (yield* attempt("kept", AT + DAY))._tag, "Claimed")
    })
  ),

  check(
    "sweep: gets through more than a few thousand claims",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(0)
      const claims = Array.from({ length: 2_500 }, (_, index) => claim(`old ${index}`, { expiresAt: AT + 1 }))
      const attempt = () => store.open(opening(account, { price: zero }, { claims }))
      yield* attempt()
      yield* store.sweep({ at: AT + 2, parkedBefore: 0 })
      same("all of them again", (yield* attempt())._tag, "Opened")
    })
  )
]
