import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { HeldUntil } from "../../Store.ts"
import { onAccount, same } from "./Case.ts"
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
  reportOn,
  tally
} from "./Fixtures.ts"

const outcomes = ["accepted", "unknown", "rejected", "refunded"] as const

const passesAfter: { readonly [H in HeldUntil]: ReadonlyArray<(typeof outcomes)[number]> } = {
  expiry: [],
  rejection: ["rejected"],
  end: ["rejected", "refunded"]
}

export const claims = [
  onAccount(
    "open: answers Claimed when another delivery holds a claim, and changes nothing",
    { sends: 3 },
    function* ({ account, store }) {
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
    }
  ),

  onAccount("open: a claim is answered with its holder as that is now", { sends: 2 }, function* ({ account, store }) {
    const { id } = yield* opened(account, {}, { claims: [claim("a")] })
    yield* store.close(closing(id, "accepted", { details: { x: "y" } }))
    const answer = yield* store.open(opening(account, {}, { claims: [claim("a")] }))
    same("holder", answer._tag === "Claimed" ? answer.by : null, yield* live(account, id))
  }),

  onAccount("open: looks at claims before money", { sends: 1 }, function* ({ account, store }) {
    yield* opened(account, {}, { claims: [claim("a")] })
    same("answer", (yield* store.open(opening(account, {}, { claims: [claim("a")] })))._tag, "Claimed")
  }),

  onAccount(
    "open: claims are of an account and mode, whatever the channel",
    { sends: 5 },
    function* ({ account, store }) {
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
    }
  ),

  onAccount("open: a claim that has expired counts as free", { sends: 3 }, function* ({ account, store }) {
    const attempt = (at: number, expiresAt: number) =>
      store.open(opening(account, {}, { at, claims: [claim("a", { expiresAt })] }))
    yield* attempt(AT, AT + 10)
    same("just before", (yield* attempt(AT + 9, AT + 100))._tag, "Claimed")
    const next = yield* attempt(AT + 10, AT + 100)
    same("when it expires", next._tag, "Opened")
    const last = yield* attempt(AT + 99, AT + 200)
    same("the next one's then", last._tag === "Claimed" ? last.by : null, recordOf(next))
  }),

  onAccount(
    "open: a claim passes on once its holder was rejected, or has ended, as it says",
    { sends: 20 },
    function* ({ account, store }) {
      for (const heldUntil of ["expiry", "rejection", "end"] as const) {
        for (const outcome of outcomes) {
          const key = `${outcome}, held until ${heldUntil}`
          const attempt = Effect.suspend(() =>
            store.open(opening(account, {}, { claims: [claim(key, { heldUntil })] }))
          )
          const { id } = recordOf(yield* attempt)
          same(`${key}, pending`, (yield* attempt)._tag, "Claimed")
          yield* store.close(closing(id, outcome))
          const passes = passesAfter[heldUntil].includes(outcome)
          same(`${key}, closed`, (yield* attempt)._tag, passes ? "Opened" : "Claimed")
          if (passes) same(`${key}, passed on`, (yield* attempt)._tag, "Claimed")
        }
      }
    }
  ),

  onAccount(
    "open: a claim that is held until the end passes on once its holder was refunded by a report",
    { sends: 9 },
    function* ({ account, store }) {
      for (const heldUntil of ["expiry", "rejection", "end"] as const) {
        const attempt = Effect.suspend(() =>
          store.open(opening(account, {}, { claims: [claim(heldUntil, { heldUntil })] }))
        )
        const { id } = recordOf(yield* attempt)
        yield* store.close(closing(id, "accepted"))
        yield* store.report(reportOn(id))
        same(`${heldUntil}, delivered`, (yield* attempt)._tag, "Claimed")
        yield* store.report(reportOn(id, { refund: true }))
        same(`${heldUntil}, refunded`, (yield* attempt)._tag, heldUntil === "end" ? "Opened" : "Claimed")
      }
    }
  ),

  onAccount(
    "open: the claim that is taken decides how long it is held, not the claim that asks",
    { sends: 9 },
    function* ({ account, store }) {
      const attempt = (heldUntil: HeldUntil) =>
        store.open(opening(account, {}, { claims: [claim("a", { heldUntil })] }))
      const first = recordOf(yield* attempt("rejection"))
      yield* store.close(closing(first.id, "rejected"))
      const second = recordOf(yield* attempt("expiry"))
      yield* store.close(closing(second.id, "rejected"))
      same("answer", (yield* attempt("end"))._tag, "Claimed")
    }
  ),

  onAccount(
    "open: of fifty at once with one claim, one is let through and holds it",
    { sends: 50 },
    function* ({ account, store }) {
      const answers = yield* atOnce(50, () => store.open(opening(account, {}, { claims: [claim("a")] })))
      same("answers", tally(answers), { Opened: 1, Claimed: 49 })
      const winners = new Set(
        answers.flatMap((answer) =>
          answer._tag === "Opened" ? [answer.delivery.id] : answer._tag === "Claimed" ? [answer.by.id] : []
        )
      )
      same("winners", winners.size, 1)
      same("balance", yield* balanceOf(account), balance(49, 1))
    }
  ),

  onAccount(
    "sweep: deletes claims that have expired before a time, and no others",
    { sends: 5 },
    function* ({ account, store }) {
      const attempt = (key: string, expiresAt: number) =>
        store.open(opening(account, {}, { claims: [claim(key, { expiresAt })] }))
      yield* attempt("old", AT + 10)
      yield* attempt("kept", AT + 11)
      yield* store.sweep({ at: AT + 11, unmatchedBefore: 0, unmatchedLimit: 1 })
      same("expired", (yield* attempt("old", AT + DAY))._tag, "Opened")
      same("not expired before", (yield* attempt("kept", AT + DAY))._tag, "Claimed")
    }
  ),

  onAccount("sweep: gets through more than a few thousand claims", { sends: 0 }, function* ({ account, store }) {
    const claims = Array.from({ length: 2_500 }, (_, index) => claim(`old ${index}`, { expiresAt: AT + 1 }))
    const attempt = () => store.open(opening(account, { price: zero }, { claims }))
    yield* attempt()
    yield* store.sweep({ at: AT + 2, unmatchedBefore: 0, unmatchedLimit: 1 })
    same("all of them again", (yield* attempt())._tag, "Opened")
  })
]
