/**
 * The commands that erase a number, and set the periods after which records and texts go.
 */
import { type Erased, erase as eraseNumber } from "watchword/internal/Erasure"
import * as Periods from "watchword/internal/Periods"
import { parse } from "@watchword/schemas/PhoneNumber"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { counted, explained, mistake, print } from "./root.ts"

export const erase = Command.make(
  "erase",
  {
    number: Argument.String("number").pipe(Argument.withDescription("A phone number in E.164 form, +49…")),
    rewrite: Flag.Boolean("rewrite").pipe(
      Flag.withDescription("Write the tables anew, so that no unused byte has the number; sends wait meanwhile"),
      Flag.withDefault(false)
    )
  },
  ({ number, rewrite }) =>
    Effect.gen(function* () {
      const to = parse(number)
      if (to === null) return yield* Effect.fail(mistake("number must be a phone number in E.164 form, +49…"))
      const erased = yield* eraseNumber(to, { rewrite })
      yield* print(erased, linesOf(erased))
      const isDone = erased.under_way === 0 && erased.reclaimed
      if (!isDone) yield* Effect.sync(() => void (process.exitCode = 1))
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Take the person of a number out of all records; amounts stay"))

/** The number is in none of them: a terminal keeps what it has shown. */
const linesOf = (erased: Erased): ReadonlyArray<string> => [
  `Erased: ${counted(erased.records, "record")}, ${counted(erased.claims, "claim")}, ` +
    `${counted(erased.reports, "receipt")}, ${counted(erased.settings, "setting")}.`,
  ...(erased.blocks_kept === 0
    ? []
    : [`Kept: ${counted(erased.blocks_kept, "block")} of this number, so that nothing is sent to it.`]),
  ...(erased.under_way === 0
    ? []
    : [`Left: ${counted(erased.under_way, "record")} under way. Run the command again in some minutes.`]),
  ...(erased.reclaimed
    ? []
    : ["Another program reads the database, whose log may have old values: run the command again."])
]

const show = Command.make("show", {}, () =>
  Effect.gen(function* () {
    yield* printPeriods(yield* Periods.get)
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Show how long records and texts are kept"))

const period = (name: string, what: string) =>
  Flag.String(name).pipe(Flag.withDescription(`After how many days ${what}, such as 90d, or forever`), Flag.optional)

const set = Command.make(
  "set",
  {
    records: period("records", "records are deleted"),
    texts: period("texts", "texts and codes go from records")
  },
  ({ records, texts }) =>
    Effect.gen(function* () {
      if (Option.isNone(records) && Option.isNone(texts)) {
        return yield* Effect.fail(mistake("Give --records, --texts or both, such as --records 90d."))
      }
      const change = {
        ...(Option.isSome(records) ? { records: Periods.parse(records.value) } : {}),
        ...(Option.isSome(texts) ? { texts: Periods.parse(texts.value) } : {})
      }
      yield* printPeriods(yield* Periods.set(change))
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Set how long records and texts are kept; running servers go by it within minutes"))

const printPeriods = ({ records, texts }: Periods.Periods) =>
  print({ records: Periods.written(records), texts: Periods.written(texts) }, [
    `Records: ${kept(records, "deleted")}`,
    `Texts and codes: ${kept(texts, "taken out of records")}`
  ])

const kept = (days: number | null, fate: string): string =>
  days === null ? "kept for ever." : `${fate} after ${days} days.`

export const retention = Command.make("retention").pipe(
  Command.withDescription("How long records and texts are kept"),
  Command.withSubcommands([show, set])
)
