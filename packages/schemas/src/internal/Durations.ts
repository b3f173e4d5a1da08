/**
 * Durations as rules and operators write them: `30s`, `10m`, `12h`, `1d`.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const SECOND = 1000
export const DAY = 86_400 * SECOND

/** The longest duration of a rule, in milliseconds: 30 days. */
export const LONGEST = 30 * DAY

const units: Readonly<Record<string, number>> = { s: SECOND, m: 60 * SECOND, h: 3600 * SECOND, d: DAY }

const DURATION = /^([1-9][0-9]{0,6})([smhd])$/

/** Milliseconds of a text; NaN for a text that is no duration. */
export const toDuration = (text: string): number => {
  const [, count, unit = ""] = DURATION.exec(text) ?? []
  return Number(count) * (units[unit] ?? Number.NaN)
}

/** Whether a text is a duration of at most 30 days. */
export const isDuration = (text: string): boolean => toDuration(text) <= LONGEST

/**
 * Durations that programs have as seconds, and JSON as texts; `message` says which texts are valid.
 *
 * @param parse reads a text, in milliseconds; NaN for a wrong one
 */
export const durations = (message: string, parse = toDuration) =>
  Schema.String.check(Schema.makeFilter((text) => (Number.isNaN(parse(text)) ? message : undefined))).pipe(
    Schema.decodeTo(
      Schema.Number,
      SchemaTransformation.transform({ decode: (text) => parse(text) / SECOND, encode: (seconds) => `${seconds}s` })
    )
  )

/** Durations of at most 30 days. */
export const OfAtMostAMonth = durations("must be a time of at most 30 days, such as 12h", (text) =>
  isDuration(text) ? toDuration(text) : Number.NaN
)
