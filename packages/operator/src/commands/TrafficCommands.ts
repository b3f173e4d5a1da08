/**
 * The operator's commands on traffic: figures, their rebuild from the records, and the expected charges of a carrier.
 */
import { field, optional, toDuration } from "@watchword/schemas/Field"
import { AccountId } from "@watchword/schemas/Ids"
import { amounts } from "../command/Amounts.ts"
import * as Command from "../command/Command.ts"
import * as Csv from "@watchword/schemas/Csv"
import { table } from "../command/Table.ts"
import { Time, as, counted, wire } from "../command/Wire.ts"
import * as Schema from "effect/Schema"
import * as Invoice from "../insight/traffic/Invoice.ts"
import * as Rebuild from "../insight/traffic/Rebuild.ts"
import * as Traffic from "../insight/traffic/Traffic.ts"

/** A time, for which people may write how long ago it was. */
const ago = {
  example: "24h",
  read: (text: string): string => {
    const duration = toDuration(text)
    return Number.isNaN(duration) ? text : new Date(Date.now() - duration).toISOString()
  }
}

const count = Schema.Int
const euros = Schema.Finite
const seconds = Schema.NullOr(Schema.Finite)

const Line = wire({
  hour: optional(Time, "When the hour began."),
  day: optional(Time, "When the day began, in UTC."),
  account: as({ json: "account_id" }, optional(AccountId, "The account.")),
  channel: optional(Schema.String, "The channel, or the product sold on it."),
  carrier: optional(Schema.String, "The carrier; empty if no carrier was asked."),
  country: optional(Schema.String, "ISO 3166-1 alpha-2; empty if the number belongs to no country."),
  sent: count,
  delivered: count,
  failed: count,
  approved: count,
  expired: count,
  blocked: count,
  price: field(euros, "EUR that accounts paid."),
  cost: field(euros, "EUR that carriers ask, where records say so."),
  margin: field(euros, "The price less the cost, in EUR."),
  delay: field(
    Schema.Struct({ p50: seconds, p95: seconds }),
    "Seconds until the receipt: the median and the 95th percentile."
  )
})

export const traffic = Command.make({
  name: ["traffic"],
  description: "Show sends, their outcomes, costs and prices, by hour, day, account, channel, carrier or country",
  role: "support",
  input: wire({
    since: as(ago, optional(Time, "The start: a duration such as 24h or 30d, or a time in ISO 8601; 24h by default")),
    until: as(ago, optional(Time, "The end, in the same form; now by default")),
    account: as({ json: "account_id", example: "ACCOUNT" }, optional(AccountId, "Only this account's figures")),
    channel: as({ example: "CHANNEL" }, optional(Schema.String, "Only this channel's figures")),
    carrier: optional(Schema.String, "Only the figures of the carrier with this name"),
    country: as({ example: "DE" }, optional(Schema.String, "Only the figures of this country")),
    by: as(
      { example: "country,carrier" },
      optional(
        Schema.Array(Schema.Literals(Traffic.BY)),
        `How to group: any of ${Traffic.BY.join(", ")}; channel,carrier,country by default`
      )
    ),
    sandbox: optional(Schema.Boolean, "Show sandbox sends instead of live sends")
  }),
  output: wire({
    since: Time,
    until: Time,
    rows: Schema.Array(Line),
    total: field(Line, "Of all rows together.")
  }),
  run: Traffic.traffic,
  lines: ({ rows, since, total, until }) => [
    `From ${since.toISOString()} to ${until.toISOString()}:`,
    ...(rows.length === 0
      ? ["nothing was sent. Sends of the last ten seconds are not counted yet."]
      : table(cellsOf(rows, total)))
  ]
})

/** The cells of rows, and of their total where there are several. */
const cellsOf = (rows: ReadonlyArray<Traffic.TrafficLine>, total: Traffic.TrafficLine) => {
  const all = rows.length === 1 ? rows : [...rows, total]
  const columns = MONEY.map((name) => [name, amounts.inColumn(all.map((line) => line[name]))] as const)
  const moneyOf = (place: number) => Object.fromEntries(columns.map(([name, column]) => [name, column[place] ?? ""]))
  const first = rows[0] === undefined ? undefined : Object.keys(countsOf(rows[0]))[0]
  return all.map((line, place) => ({
    ...(line === total && first !== undefined ? { [first]: "total" } : {}),
    ...countsOf(line),
    ...moneyOf(place),
    "p50/p95 s": `${line.delay.p50 ?? "-"}/${line.delay.p95 ?? "-"}`
  }))
}

const MONEY = ["price", "cost", "margin"] as const

const countsOf = ({ approved, delivered, sent, ...more }: Traffic.TrafficLine): Readonly<Record<string, string>> => ({
  ...(more.hour === undefined ? {} : { hour: more.hour.toISOString().slice(0, 13) }),
  ...(more.day === undefined ? {} : { day: more.day.toISOString().slice(0, 10) }),
  ...(more.account === undefined ? {} : { account: more.account }),
  ...(more.channel === undefined ? {} : { channel: more.channel }),
  ...(more.carrier === undefined ? {} : { carrier: more.carrier || "-" }),
  ...(more.country === undefined ? {} : { country: more.country || "-" }),
  sent: String(sent),
  delivered: share(delivered, sent),
  failed: String(more.failed),
  approved: share(approved, sent),
  expired: String(more.expired),
  blocked: String(more.blocked)
})

const share = (part: number, whole: number): string =>
  whole === 0 ? String(part) : `${part} (${Math.round((100 * part) / whole)} %)`

export const rebuild = Command.make({
  name: ["traffic", "rebuild"],
  description: "Recount past hours from the records",
  role: "operator",
  input: wire({ since: as(ago, field(Time, "The start: a duration such as 48h, or a time in ISO 8601")) }),
  output: wire({
    since: Time,
    until: Time,
    records: count,
    corrected: field(count, "Rows that disagreed with the records.")
  }),
  run: Rebuild.rebuild,
  lines: ({ corrected, records, since, until }) => [
    `From ${since.toISOString()} to ${until.toISOString()}: ${counted(records, "record")} read, ` +
      `${counted(corrected, "row")} corrected.`
  ]
})

const InvoiceLine = Schema.Struct({
  day: Schema.String,
  channel: Schema.String,
  prefix: Schema.String,
  messages: count,
  parts: count,
  cost: euros
})

const Difference = Schema.Struct({
  kind: Schema.Literals(Invoice.KINDS),
  message: Schema.NullOr(Schema.String),
  delivery: Schema.NullOr(Schema.String),
  says: Schema.String
})

export const invoice = Command.make({
  name: ["invoice"],
  description:
    "Show the expected charges of a carrier for a month, by day and prefix, or compare them with the carrier's own file",
  role: "support",
  input: wire({
    carrier: field(Schema.String, "The carrier's name; the channel's name for an unnamed carrier"),
    month: as({ example: "2027-01" }, field(Schema.String, "The month, in UTC")),
    csv: optional(Schema.Boolean, "Print CSV"),
    against: as(
      { example: "FILE", isFile: true },
      optional(Schema.String, "The carrier's CSV file with a column message_id; lists the messages that differ")
    )
  }),
  positional: ["carrier"],
  output: wire({
    carrier: Schema.String,
    month: Schema.String,
    lines: Schema.Array(InvoiceLine),
    messages: count,
    parts: count,
    cost: euros,
    unknown: field(count, "Messages whose outcome is unknown."),
    differences: field(Schema.NullOr(Schema.Array(Difference)), "At most 1,000; null without a file."),
    found: field(count, "How many differences there are.")
  }),
  run: Invoice.invoice,
  lines: (invoice, { csv = false }) => {
    const { carrier, cost, differences, found, messages, month, parts, unknown } = invoice
    if (csv) return differences === null ? Csv.linesOf(LINE, invoice.lines) : Csv.linesOf(DIFFERENCE, differences)
    return [
      ...(invoice.lines.length === 0 ? [] : table(chargesOf(invoice.lines))),
      `${carrier}, ${month}: ${counted(messages, "message")}, ${counted(parts, "part")}, ${amounts.inWords(cost)}.`,
      ...(unknown === 0 ? [] : [`The outcome of ${counted(unknown, "message")} is unknown.`]),
      ...(differences ?? []).map(({ delivery, kind, message, says }) =>
        [kind, message ?? "-", delivery ?? "-", says].join("  ")
      ),
      ...(differences === null ? [] : [found === 0 ? "The file agrees." : `${counted(found, "difference")}.`])
    ]
  },
  isDone: ({ found }) => found === 0
})

const LINE = ["day", "channel", "prefix", "messages", "parts", "cost"] as const
const DIFFERENCE = ["kind", "message", "delivery", "says"] as const

const chargesOf = (lines: Invoice.Invoice["lines"]) => {
  const costs = amounts.inColumn(lines.map(({ cost }) => cost))
  return lines.map((line, place) => ({ ...stringsOf(LINE, line), cost: costs[place] ?? "" }))
}

const stringsOf = <K extends string>(
  names: ReadonlyArray<K>,
  row: { readonly [N in K]: string | number | null }
): Readonly<Record<string, string>> => Object.fromEntries(names.map((name) => [name, String(row[name] ?? "")]))
