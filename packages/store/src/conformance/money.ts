import { EntryId, nextAccountId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Entry } from "../Account.ts"
import { Store } from "../Store.ts"
import { check, same } from "./Case.ts"
import {
  AT,
  PRICE,
  accountFor,
  atOnce,
  balance,
  balanceOf,
  closing,
  kindsOf,
  ledgerOf,
  opened,
  prices
} from "./Fixtures.ts"

export const money = [
  check(
    "credit: adds to the balance as one entry with the id that was given",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(0)
      const id = nextEntryId(AT)
      const after = yield* store.credit({ id, account, amount: PRICE, at: AT + 7 })
      same("answer", after, Option.some(balance(1, 0)))
      same("balance", yield* balanceOf(account), balance(1, 0))
      const entry: Entry = {
        id,
        account,
        delivery: null,
        kind: "credit",
        from: "funding",
        to: "available",
        amount: PRICE,
        at: AT + 7
      }
      same("entries", yield* ledgerOf(account), [entry])
    })
  ),

  check(
    "credit: keeps large amounts to the micro-euro",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(0)
      const large = MicroEuros.make(4_503_599_627_370_497)
      yield* store.credit({ id: nextEntryId(AT), account, amount: large, at: AT })
      const after = yield* store.credit({ id: nextEntryId(AT), account, amount: MicroEuros.make(2), at: AT })
      const posted = MicroEuros.make(4_503_599_627_370_499)
      same("balance", after, Option.some({ posted, held: MicroEuros.make(0), available: posted }))
    })
  ),

  check(
    "credit: repeating it with the same id changes nothing and answers the balance",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const id = nextEntryId(AT)
      yield* store.credit({ id, account, amount: PRICE, at: AT })
      yield* opened(account)
      const again = yield* store.credit({ id, account, amount: prices(9), at: AT + 1 })
      same("answer", again, Option.some(balance(1, 1)))
      same("entries", yield* kindsOf(account), "credit credit hold")
    })
  ),

  check(
    "credit: is none when the account does not exist",
    Effect.gen(function* () {
      const store = yield* Store
      const account = nextAccountId(AT)
      same("answer", yield* store.credit({ id: nextEntryId(AT), account, amount: PRICE, at: AT }), Option.none())
      same("entries", yield* ledgerOf(account), [])
    })
  ),

  check(
    "credit: of many at once each counts, and of one many times only one",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(0)
      const id = nextEntryId(AT)
      yield* atOnce(50, () => store.credit({ id: nextEntryId(AT), account, amount: PRICE, at: AT }))
      yield* atOnce(50, () => store.credit({ id, account, amount: PRICE, at: AT }))
      same("balance", yield* balanceOf(account), balance(51, 0))
      same("entries", (yield* ledgerOf(account)).length, 51)
    })
  ),

  check(
    "entries: names both sides of each movement",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const kept = yield* opened(account, {}, { at: AT + 1 })
      const lost = yield* opened(account, {}, { at: AT + 2 })
      yield* store.close(closing(kept.id, "accepted", { at: AT + 3 }))
      yield* store.close(closing(lost.id, "rejected", { at: AT + 4 }))
      const sides = (yield* ledgerOf(account)).map(
        ({ amount, at, delivery, from, kind, to }) => `${kind} ${from} ${to} ${amount / PRICE} ${delivery} ${at - AT}`
      )
      same("entries", sides, [
        "credit funding available 2 null 0",
        `hold available held 1 ${kept.id} 1`,
        `hold available held 1 ${lost.id} 2`,
        `settle held revenue 1 ${kept.id} 3`,
        `release held available 1 ${lost.id} 4`
      ])
    })
  ),

  check(
    "entries: come oldest first, page by page, and each has an id of its own",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(20)
      const other = yield* accountFor(1)
      yield* opened(other)
      yield* Effect.forEach(Array.from({ length: 12 }), (_, index) =>
        Effect.flatMap(opened(account, {}, { at: AT - index }), ({ id }) => store.close(closing(id, "accepted")))
      )
      const all = yield* ledgerOf(account)
      same("how many", all.length, 25)
      same("how many ids", new Set(all.map(({ id }) => id)).size, 25)
      same(
        "ids",
        all.every(({ id }) => Schema.is(EntryId)(id)),
        true
      )
      same(
        "owner",
        all.every((entry) => entry.account === account),
        true
      )
      for (const limit of [1, 7, 25]) {
        const paged: Array<Entry> = []
        for (;;) {
          const page = yield* store.entries({ account, after: paged.at(-1)?.id ?? null, limit })
          if (page.length === 0) break
          paged.push(...page)
        }
        same(`pages of ${limit}`, paged, [...all])
      }
      same("none of an unknown account", yield* ledgerOf(nextAccountId(AT)), [])
    })
  )
]
