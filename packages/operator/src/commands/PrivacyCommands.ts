/**
 * The operator's commands on persons: what happened for a number, its erasure, and how long records are kept.
 */
import { field, optional } from "@watchword/schemas/Field"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Command from "../command/Command.ts"
import { numberInput, numberOf } from "../command/NumberInput.ts"
import { numberOrHint } from "./NumberCommands.ts"
import { Texts, Time, as, counted, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { moneyFields } from "../insight/Amounts.ts"
import * as Why from "../insight/Why.ts"
import * as Erasure from "../privacy/Erasure.ts"
import * as Periods from "../privacy/Periods.ts"

const Item = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  name: field(Schema.String, "The account's name."),
  mode: Schema.Literals(["live", "sandbox"]),
  channel: Schema.String,
  at: field(Schema.String, "When it was requested, ISO 8601."),
  status: Schema.String,
  took: field(Schema.Finite, "Seconds from the request to the last status change."),
  verification: field(Schema.NullOr(Schema.String), "The verification whose code it sends."),
  ...moneyFields,
  lines: field(Texts, "What happened, in order.")
})

export const why = Command.make({
  name: ["why"],
  description: "Say what happened for a number, and why its user got no code",
  role: "support",
  input: wire({
    ...numberInput,
    since: as({ example: "ISO" }, optional(Time, "A time in ISO 8601, at most a year ago; a week ago by default"))
  }),
  positional: ["number"],
  output: Schema.Struct({
    number: E164,
    since: Schema.String,
    items: field(Schema.Array(Item), "Oldest first."),
    truncated: field(Schema.Boolean, "Whether older records were left out."),
    reason: field(Schema.String, "The likely reason why the last code did not arrive."),
    remedy: Schema.String,
    console: field(
      Schema.Struct({ reason: Schema.String, remedy: Schema.String }),
      "The same for the console: `[label](#/page)` is a link, `[label](guard pass)` a button for the command."
    )
  }),
  run: ({ since, ...given }) => Effect.flatMap(numberOrHint(given), (to) => Why.why(to, { since: since?.getTime() })),
  lines: ({ items, number, reason, remedy, since, truncated }) => [
    `${number} since ${since}${truncated ? ", older items left out" : ""}`,
    ...items.flatMap(({ account, at, channel, id, lines, mode, name }) => [
      `${at}  ${channel}  ${id}  ${name} (${account}), ${mode}`,
      ...lines.map((line) => `  ${line}`)
    ]),
    `Likely reason: ${reason}.`,
    `What to do: ${remedy}.`
  ]
})

const count = Schema.Finite

export const erase = Command.make({
  name: ["erase"],
  description: "Erase a number's owner from all records; amounts stay",
  role: "admin",
  hidden: ["number"],
  input: wire({
    ...numberInput,
    rewrite: optional(
      Schema.Boolean,
      "Rewrite the tables, so that no unused byte contains the number; sends wait while this runs"
    )
  }),
  positional: ["number"],
  output: Schema.Struct({
    records: count,
    claims: count,
    reports: count,
    settings: count,
    blocks_kept: count,
    under_way: count,
    reclaimed: Schema.Boolean
  }),
  run: ({ rewrite, ...given }) =>
    Effect.flatMap(numberOf(given), (to) => Erasure.erase(to, rewrite === undefined ? {} : { rewrite })),
  // The number is in no line, because a terminal keeps its output.
  lines: (erased) => [
    `Erased: ${counted(erased.records, "record")}, ${counted(erased.claims, "claim")}, ` +
      `${counted(erased.reports, "receipt")}, ${counted(erased.settings, "setting")}.`,
    ...(erased.blocks_kept === 0
      ? []
      : [`Kept: ${counted(erased.blocks_kept, "block")} of this number, so that it gets no messages.`]),
    ...(erased.under_way === 0
      ? []
      : [`Left: ${counted(erased.under_way, "record")} under way. Run the command again in a few minutes.`]),
    ...(erased.reclaimed
      ? []
      : ["Another program is reading the database, so its log may still contain old values: run the command again."])
  ],
  isDone: ({ reclaimed, under_way }) => under_way === 0 && reclaimed
})

/** A period; NaN for a text that is not one, which the domain names. */
const Days = Schema.NullOr(Schema.String).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.Number),
    SchemaTransformation.transform({
      decode: (text) => (text === null ? null : Periods.parse(text)),
      encode: Periods.written
    })
  )
)

const days = field(Schema.NullOr(Schema.Number), "Days; null for permanently.")

const Kept = wire({ records: days, texts: days })

const linesOf = ({ records, texts }: Periods.Periods): ReadonlyArray<string> => [
  `Records: ${kept(records, "deleted")}`,
  `Texts and codes: ${kept(texts, "removed from records")}`
]

const kept = (days: number | null, fate: string): string =>
  days === null ? "kept permanently." : `${fate} after ${days} days.`

export const show = Command.make({
  name: ["retention", "show"],
  description: "Show how long records and texts are kept",
  role: "support",
  input: wire({}),
  output: Kept,
  run: () => Periods.get,
  lines: linesOf
})

const period = (example: string, what: string) =>
  as({ example }, optional(Days, `The number of days after which ${what}, such as 90d, or forever`))

export const set = Command.make({
  name: ["retention", "set"],
  description: "Set how long records and texts are kept; running servers apply it within minutes",
  role: "admin",
  input: wire({
    records: period("90d", "records are deleted"),
    texts: period("30d", "texts and codes are removed from records")
  }),
  needs: "Give --records, --texts or both, such as --records 90d.",
  output: Kept,
  before: () =>
    Effect.map(Periods.get, ({ records, texts }) => ({
      records: Periods.written(records),
      texts: Periods.written(texts)
    })),
  run: Periods.set,
  lines: linesOf
})
