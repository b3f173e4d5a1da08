import { nextAccountId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Entry } from "../../Account.ts"
import { Store } from "../../Store.ts"
import { check, same } from "./Case.ts"
import { AT, PRICE, accountFor, atOnce, balance, balanceOf, kindsOf, ledgerOf, prices } from "./Fixtures.ts"

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
      yield* store.credit({ id: nextEntryId(AT), account, amount: PRICE, at: AT })
      const again = yield* store.credit({ id, account, amount: prices(9), at: AT + 1 })
      same("answer", again, Option.some(balance(3, 0)))
      same("entries", yield* kindsOf(account), "credit credit credit")
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
  )
]
