import { EntryId, nextAccountId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import type { Entry } from "../../Account.ts"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import { AT, PRICE, accountFor, atOnce, balance, balanceOf, kindsOf, ledgerOf, somePrices, tally } from "./Fixtures.ts"

export const money = [
  onAccount(
    "credit: adds to the balance as one entry with the id that was given",
    { sends: 0 },
    function* ({ account, store }) {
      const id = nextEntryId(AT)
      const after = yield* store.credit({ id, account, amount: PRICE, at: AT + 7 })
      same("answer", after, { _tag: "Adjusted", balance: balance(1, 0) })
      same("balance", yield* balanceOf(account), balance(1, 0))
      const entry: Entry = {
        id,
        account,
        delivery: null,
        kind: "credit",
        from: "funding",
        to: "available",
        amount: PRICE,
        reason: null,
        at: AT + 7
      }
      same("entries", yield* ledgerOf(account), [entry])
    }
  ),

  onAccount("credit: keeps large amounts to the micro-euro", { sends: 0 }, function* ({ account, store }) {
    const large = PositiveMicroEuros.make(4_503_599_627_370_497)
    yield* store.credit({ id: nextEntryId(AT), account, amount: large, at: AT })
    const after = yield* store.credit({ id: nextEntryId(AT), account, amount: PositiveMicroEuros.make(2), at: AT })
    const posted = MicroEuros.make(4_503_599_627_370_499)
    const balance = { posted, held: MicroEuros.make(0), available: posted }
    same("balance", after, { _tag: "Adjusted", balance })
  }),

  onAccount(
    "credit: takes any text for an id, and repeating it changes nothing",
    { sends: 1 },
    function* ({ account, store }) {
      const id = EntryId.make("Rechnung №7 – it's paid 💶")
      const credit = { id, account, amount: PRICE, reason: "Überweisung", at: AT }
      yield* store.credit(credit)
      yield* store.credit({ id: nextEntryId(AT), account, amount: PRICE, at: AT })
      const again = yield* store.credit({ ...credit, reason: "another", at: AT + 1 })
      same("answer", again, { _tag: "Repeated", balance: balance(3, 0) })
      same("entries", yield* kindsOf(account), "credit credit credit")
      const entry = (yield* ledgerOf(account)).find((each) => each.id === id)
      same("reason", entry?.reason, "Überweisung")
      const behind = yield* store.entries({ account, after: id, limit: 10 })
      same("entries behind it", behind.length, 1)
    }
  ),

  onAccount(
    "credit and debit: refuse an id that was given to another account, kind or amount",
    { sends: 2 },
    function* ({ account, store }) {
      const other = yield* accountFor(2)
      const id = EntryId.make("INV-1")
      const credit = { id, account, amount: PRICE, at: AT }
      yield* store.credit(credit)
      const contradicted = { _tag: "Contradicted" as const }
      same("amount", yield* store.credit({ ...credit, amount: somePrices(2) }), contradicted)
      same("account", yield* store.credit({ ...credit, account: other }), contradicted)
      same("kind", yield* store.debit(credit), contradicted)
      same("unknown account", yield* store.credit({ ...credit, account: nextAccountId(AT) }), { _tag: "NoAccount" })
      same("money", [yield* balanceOf(account), yield* balanceOf(other)], [balance(3, 0), balance(2, 0)])
    }
  ),

  onAccount(
    "debit: takes from what is available as one entry, with its reason",
    { sends: 3 },
    function* ({ account, store }) {
      const id = nextEntryId(AT)
      const debit = { id, account, amount: somePrices(2), reason: "credited twice", at: AT + 7 }
      same("answer", yield* store.debit(debit), { _tag: "Adjusted", balance: balance(1, 0) })
      same("again", yield* store.debit(debit), { _tag: "Repeated", balance: balance(1, 0) })
      const entry: Entry = { ...debit, delivery: null, kind: "debit", from: "available", to: "funding" }
      same("entry", (yield* ledgerOf(account)).at(-1), entry)
      same("entries", yield* kindsOf(account), "credit debit")
    }
  ),

  onAccount("debit: never takes more than is available, also at once", { sends: 10 }, function* ({ account, store }) {
    const debit = (amount: PositiveMicroEuros) => store.debit({ id: nextEntryId(AT), account, amount, at: AT })
    same("too much", yield* debit(somePrices(11)), { _tag: "Insufficient", balance: balance(10, 0) })
    const answers = yield* atOnce(30, () => debit(PRICE))
    same("answers", tally(answers), { Adjusted: 10, Insufficient: 20 })
    same("balance", yield* balanceOf(account), balance(0, 0))
  }),

  check(
    "credit and debit: change nothing when the account does not exist",
    Effect.gen(function* () {
      const store = yield* Store
      const account = nextAccountId(AT)
      const credit = { id: nextEntryId(AT), account, amount: PRICE, at: AT }
      same("credit", yield* store.credit(credit), { _tag: "NoAccount" })
      same("debit", yield* store.debit(credit), { _tag: "NoAccount" })
      same("entries", yield* ledgerOf(account), [])
    })
  ),

  onAccount(
    "credit: of many at once each counts, and of one many times only one",
    { sends: 0 },
    function* ({ account, store }) {
      const id = nextEntryId(AT)
      yield* atOnce(50, () => store.credit({ id: nextEntryId(AT), account, amount: PRICE, at: AT }))
      yield* atOnce(50, () => store.credit({ id, account, amount: PRICE, at: AT }))
      same("balance", yield* balanceOf(account), balance(51, 0))
      same("entries", (yield* ledgerOf(account)).length, 51)
    }
  )
]
