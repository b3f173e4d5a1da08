/**
 * The operator's commands on the money of accounts. They do not leave the machine.
 */
import { field, optional } from "@watchword/schemas/Field"
import type { AccountId } from "@watchword/schemas/Ids"
import { type MicroEuros, fromEuros, toEuros } from "@watchword/schemas/Money"
import type { Balance } from "@watchword/store/Account"
import * as Command from "@watchword/store/internal/Command"
import { Euros, Moment, account, accountOf, called, wire } from "@watchword/store/internal/Wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Accounts } from "../Accounts.ts"
import { type Adjusted, Ledger } from "../Ledger.ts"

/** The money of an account, in EUR. */
export const inEuros = (balance: Balance) => ({
  balance: toEuros(balance.posted),
  held: toEuros(balance.held),
  available: toEuros(balance.available)
})

/** The fields of an answer that has money of an account. */
export const balanceFields = {
  balance: field(Schema.Number, "EUR: what was credited, less what was spent."),
  held: field(Schema.Number, "EUR that sends under way hold of it."),
  available: field(Schema.Number, "EUR that are left for sends.")
}

/** An amount that the schema of euros has let through. */
export const amountOf = (euros: string | number): Effect.Effect<MicroEuros> =>
  Effect.orDie(Effect.fromOption(fromEuros(euros)))

const euros = called("amount", field(Euros, "EUR, for example 25 or 0.50"))

const id = optional(
  Schema.String,
  "A text of your own, such as the number of an invoice: repeated with the same id nothing changes"
)

const money = {
  role: "admin",
  changes: true,
  isRemote: false,
  subject: ["account", "euros"],
  output: wire({
    account: accountOf,
    ...balanceFields,
    repeated: field(Schema.Boolean, "Whether it was made before, so that nothing changed.")
  })
} as const

const adjusted = (account: AccountId, { balance, repeated }: Adjusted) => ({ account, ...inEuros(balance), repeated })

const linesOf = ({ account, available, repeated }: ReturnType<typeof adjusted>): ReadonlyArray<string> => [
  ...(repeated ? ["This was done before, and nothing changed."] : []),
  `Account ${account} has ${available} EUR available.`
]

export const credit = Command.make({
  ...money,
  name: ["account", "credit"],
  description: "Add money to an account's balance",
  input: wire({ account, euros, id, reason: optional(Schema.String, "Why, for the ledger") }),
  run: ({ account, euros, ...note }) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      return adjusted(account, yield* ledger.credit(account, yield* amountOf(euros), note))
    }),
  lines: linesOf
})

export const debit = Command.make({
  ...money,
  name: ["account", "debit"],
  description: "Take money that is available from an account's balance",
  input: wire({ account, euros, id, reason: field(Schema.String, "Why, for the ledger") }),
  run: ({ account, euros, ...note }) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      return adjusted(account, yield* ledger.debit(account, yield* amountOf(euros), note))
    }),
  lines: linesOf
})

const Place = Schema.Literals(["funding", "available", "held", "revenue"])

export const entries = Command.make({
  name: ["account", "entries"],
  description: "Show an account's ledger, oldest entry first",
  role: "support",
  input: wire({ account }),
  subject: ["account"],
  output: wire({
    entries: Schema.Array(
      wire({
        id: Schema.String,
        at: Moment,
        kind: Schema.Literals(["credit", "hold", "settle", "release", "refund", "debit"]),
        euros: called("amount", field(Schema.Number, "EUR, which went from one place to the other.")),
        from: Place,
        to: Place,
        delivery: field(Schema.NullOr(Schema.String), "The send that it is of; null for credits and debits."),
        reason: field(Schema.NullOr(Schema.String), "The reason of a credit or a debit, where one was given.")
      })
    )
  }),
  run: ({ account }) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      yield* Accounts.use((accounts) => accounts.get(account))
      const all = yield* Stream.runCollect(ledger.entries(account))
      return { entries: all.map(({ account: _, amount, ...entry }) => ({ ...entry, euros: toEuros(amount) })) }
    }),
  lines: ({ entries }) =>
    entries.map(({ at, delivery, euros, from, id, kind, reason, to }) =>
      [
        new Date(at).toISOString(),
        kind.padEnd(7),
        String(euros).padStart(12),
        `EUR  ${from} → ${to}`,
        delivery ?? id,
        reason ?? ""
      ]
        .join("  ")
        .trimEnd()
    )
})
