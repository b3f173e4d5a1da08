/**
 * The operator's command on an account's statement of a month.
 */
import * as Csv from "@watchword/schemas/Csv"
import { field, optional } from "@watchword/schemas/Field"
import { amounts } from "../command/Amounts.ts"
import * as Command from "../command/Command.ts"
import { table } from "../command/Table.ts"
import { account, accountOf, as, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Statement from "../insight/statement/Statement.ts"
import { rowsOf } from "../insight/statement/Rows.ts"

const euros = Schema.Finite

const Row = Schema.Struct({
  date: field(Schema.String, "The day in UTC; empty for a sum of the month."),
  item: Schema.Literals(["credit", "debit", "further credits", "further debits", "sends", "refunds"]),
  channel: field(Schema.String, "The channel, or the product sold on it; empty if the record was deleted."),
  country: field(Schema.String, "ISO 3166-1 alpha-2; empty if the number belongs to no country."),
  count: Schema.Int,
  amount: field(euros, "EUR that the balance changed by."),
  note: field(Schema.String, "The reason of a credit or a debit, or else its id.")
})

const Output = wire({
  account: accountOf,
  name: field(Schema.String, "The account's name."),
  month: field(Schema.String, "The month, in UTC."),
  isOver: field(Schema.Boolean, "Whether the month is over, so that nothing more is added."),
  opening: field(euros, "EUR: the balance before the month."),
  rows: field(
    Schema.Array(Row),
    `What changed the balance: at most ${Statement.LISTED} credits and debits, then sends and refunds by channel and country.`
  ),
  closing: field(euros, "EUR: the balance after the month, which is the opening balance of the next one.")
})

export const statement = Command.make({
  name: ["statement"],
  description: "Show an account's statement of a month: balances, credits, sends by channel and country, refunds",
  role: "support",
  input: wire({
    account,
    month: as({ example: "2027-01" }, field(Schema.String, "The month, in UTC")),
    csv: optional(Schema.Boolean, "Print CSV")
  }),
  positional: ["account"],
  output: Output,
  run: (input) =>
    Effect.map(Statement.statement(input), ({ account, closing, isOver, month, name, opening, ...sums }) => ({
      account,
      name,
      month,
      isOver,
      opening: opening / 1_000_000,
      rows: rowsOf(sums),
      closing: closing / 1_000_000
    })),
  lines: (statement, { csv = false }) => {
    const rows = [
      balance("opening balance", statement.opening),
      ...statement.rows,
      balance("closing balance", statement.closing)
    ]
    if (csv) return Csv.linesOf(COLUMNS, rows)
    const column = amounts.inColumn(rows.map(({ amount }) => amount))
    return [
      `${statement.name} (${statement.account}), ${statement.month} in UTC${statement.isOver ? "" : " so far"}, EUR:`,
      ...table(
        rows.map(({ channel, count, country, date, item, note }, place) => ({
          item: `${item} ${date}`.trim(),
          channel,
          country,
          count: count === 0 ? "" : String(count),
          amount: column[place] ?? "",
          note
        }))
      )
    ]
  }
})

const COLUMNS = ["date", "item", "channel", "country", "count", "amount", "note"] as const

const balance = (item: string, amount: number) => ({
  date: "",
  item,
  channel: "",
  country: "",
  count: 0,
  amount,
  note: ""
})
