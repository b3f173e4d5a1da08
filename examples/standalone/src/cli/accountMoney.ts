/**
 * The commands on the money of accounts.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import { type Adjusted, Ledger } from "@watchword/ledger/Ledger"
import type { AccountId } from "@watchword/schemas/Ids"
import { toEuros } from "@watchword/schemas/Money"
import type { Entry } from "@watchword/store/Account"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Database from "../Database.ts"
import { accountArgument, amountOf, explained, inEuros, print } from "./root.ts"

const amountArgument = Argument.String("amount").pipe(Argument.withDescription("EUR, for example 25 or 0.50"))

const entryFlag = Flag.String("id").pipe(
  Flag.withDescription(
    "A text of your own, such as the number of an invoice: repeated with the same id nothing changes"
  ),
  Flag.optional
)

const reasonFlag = Flag.String("reason").pipe(Flag.withDescription("Why, for the ledger"))

export const credit = Command.make(
  "credit",
  { account: accountArgument, amount: amountArgument, id: entryFlag, reason: Flag.optional(reasonFlag) },
  ({ account, amount, id, reason }) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const note = { id: Option.getOrUndefined(id), reason: Option.getOrUndefined(reason) }
      yield* tell(account, yield* ledger.credit(account, yield* amountOf("amount", amount), note))
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Add money to an account's balance"))

export const debit = Command.make(
  "debit",
  { account: accountArgument, amount: amountArgument, reason: reasonFlag, id: entryFlag },
  ({ account, amount, id, reason }) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const note = { id: Option.getOrUndefined(id), reason }
      yield* tell(account, yield* ledger.debit(account, yield* amountOf("amount", amount), note))
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Take money that is available from an account's balance"))

export const entries = Command.make("entries", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const ledger = yield* Ledger
    yield* accounts.get(id)
    const all = (yield* Stream.runCollect(ledger.entries(id))).map(toWire)
    yield* print(
      { entries: all },
      all.map(({ at, kind, amount, delivery, from, id, reason, to }) =>
        [at, kind.padEnd(7), String(amount).padStart(12), `EUR  ${from} → ${to}`, delivery ?? id, reason ?? ""]
          .join("  ")
          .trimEnd()
      )
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Show an account's ledger, oldest entry first"))

const tell = (account: AccountId, { balance, repeated }: Adjusted) =>
  print({ account_id: account, ...inEuros(balance), repeated }, [
    ...(repeated ? ["This was done before, and nothing changed."] : []),
    `Account ${account} has ${toEuros(balance.available)} EUR available.`
  ])

const toWire = (entry: Entry) => ({
  id: entry.id,
  at: new Date(entry.at).toISOString(),
  kind: entry.kind,
  amount: toEuros(entry.amount),
  from: entry.from,
  to: entry.to,
  delivery: entry.delivery,
  reason: entry.reason
})
