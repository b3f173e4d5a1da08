/**
 * The operator's commands on the money of accounts.
 */
import { field, optional } from "@watchword/schemas/Field"
import type { AccountId } from "@watchword/schemas/Ids"
import { type MicroEuros, fromEuros, toEuros } from "@watchword/schemas/Money"
import type { Balance } from "@watchword/store/Account"
import { amounts } from "../command/Amounts.ts"
import * as Command from "../command/Command.ts"
import { Euros, Moment, account, accountOf, as, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { Accounts, mayCredit, notUnderWay } from "@watchword/ledger/Accounts"
import { type Adjusted, Ledger } from "@watchword/ledger/Ledger"

/** The money of an account, in EUR. */
export const inEuros = (balance: Balance) => ({
  balance: toEuros(balance.posted),
  held: toEuros(balance.held),
  available: toEuros(balance.available)
})

/** The fields of an output with the money of an account. */
export const balanceFields = {
  balance: field(Schema.Finite, "EUR: credits minus spending."),
  held: field(Schema.Finite, "EUR of the balance held for sends in progress."),
  available: field(Schema.Finite, "EUR available for sends.")
}

/** An amount that {@link Euros} has let through. */
export const amountOf = (euros: string | number): Effect.Effect<MicroEuros> =>
  Effect.orDie(Effect.fromOption(fromEuros(euros)))

const euros = as({ json: "amount" }, field(Euros, "EUR, for example 25 or 0.50"))

const id = as(
  { example: "ANY" },
  optional(Schema.String, "An id of your own, such as an invoice number: a repeat with the same id changes nothing")
)

/** An operator's token cannot be used to spend money. */
const BESIDE = "money can be moved only on the database's machine"

const REASON = "The reason, for the ledger"

const Output = wire({ account: accountOf, ...balanceFields, repeated: Schema.Boolean })

const adjusted = (account: AccountId, { balance, repeated }: Adjusted) => ({ account, ...inEuros(balance), repeated })

const linesOf = ({ account, available, repeated }: typeof Output.Type): ReadonlyArray<string> => [
  ...(repeated ? ["This was already done; nothing changed."] : []),
  `Account ${account} has ${available} EUR available.`
]

export const credit = Command.make({
  name: ["account", "credit"],
  description: "Add money to an account's balance",
  role: "admin",
  absent: { http: BESIDE },
  input: wire({ account, euros, id, reason: optional(Schema.String, REASON) }),
  positional: ["account", "euros"],
  output: Output,
  run: Effect.fnUntraced(function* ({ account, euros, ...note }) {
    yield* mayCredit(account)
    const ledger = yield* Ledger
    return adjusted(account, yield* ledger.credit(account, yield* amountOf(euros), note))
  }),
  lines: linesOf
})

export const debit = Command.make({
  name: ["account", "debit"],
  description: "Debit available money from an account's balance",
  role: "admin",
  absent: { http: BESIDE },
  input: wire({ account, euros, reason: field(Schema.String, REASON), id }),
  positional: ["account", "euros"],
  output: Output,
  run: Effect.fnUntraced(function* ({ account, euros, ...note }) {
    yield* notUnderWay(account)
    const ledger = yield* Ledger
    return adjusted(account, yield* ledger.debit(account, yield* amountOf(euros), note))
  }),
  lines: linesOf
})

const Place = Schema.Literals(["funding", "available", "held", "revenue"])

const Entry = wire({
  id: Schema.String,
  at: Moment,
  kind: Schema.Literals(["credit", "hold", "settle", "release", "refund", "debit"]),
  euros: as({ json: "amount" }, field(Schema.Finite, "The EUR that the entry moved.")),
  from: Place,
  to: Place,
  delivery: field(Schema.NullOr(Schema.String), "The send that it belongs to; null for credits and debits."),
  reason: Schema.NullOr(Schema.String)
})

/** The most entries that may be asked for by their number. */
const MOST = 1_000

export const entries = Command.make({
  name: ["account", "entries"],
  description: "Show an account's ledger, oldest entry first",
  role: "support",
  input: wire({
    account,
    newest: as(
      { example: "100" },
      optional(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MOST }, { message: `must be from 1 to ${MOST}` })),
        "How many of the newest entries to show"
      )
    )
  }),
  positional: ["account"],
  output: wire({ entries: Schema.Array(Entry) }),
  run: Effect.fnUntraced(function* ({ account, newest }) {
    yield* Accounts.use((accounts) => accounts.get(account))
    const all = yield* Ledger.use((ledger) =>
      newest === undefined
        ? Stream.runCollect(ledger.entries(account))
        : Effect.map(ledger.newestEntries(account, newest), (entries) => entries.toReversed())
    )
    return {
      entries: all.map((entry) => ({ ...Struct.omit(entry, ["account", "amount"]), euros: toEuros(entry.amount) }))
    }
  }),
  lines: ({ entries }) => {
    const moved = amounts.inColumn(entries.map(({ euros }) => euros))
    return entries.map(({ at, delivery, from, id, kind, reason, to }, place) =>
      [
        new Date(at).toISOString(),
        kind.padEnd(7),
        moved[place]?.padStart(12),
        `EUR  ${from} → ${to}`,
        delivery ?? id,
        reason ?? ""
      ]
        .join("  ")
        .trimEnd()
    )
  }
})
