import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Store } from "../../Store.ts"
import { check, same } from "./Case.ts"
import {
  AT,
  DAY,
  accountFor,
  atOnce,
  balance,
  balanceOf,
  claim,
  closing,
  live,
  opened,
  opening,
  recordOf,
  tally
} from "./Fixtures.ts"

export const claims = [
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
        "the free one is still free",
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
    "sweep: deletes claims that have expired before a time, and no others",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(5)
      const attempt = (key: string, expiresAt: number) =>
        store.open(opening(account, {}, { claims: [claim(key, { expiresAt })] }))
      yield* attempt("old", AT + 10)
      yield* attempt("kept", AT + 11)
      yield* store.sweep({ at: AT + 11, unmatchedBefore: 0, unmatchedLimit: 1 })
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
      yield* store.sweep({ at: AT + 2, unmatchedBefore: 0, unmatchedLimit: 1 })
      same("all of them again", (yield* attempt())._tag, "Opened")
    })
  )
]
