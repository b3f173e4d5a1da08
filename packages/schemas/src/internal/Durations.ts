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

/** Seconds have another digit: programs give all durations in seconds. */
const DURATION = /^([1-9][0-9]{0,6}(?=[smhd])|[1-9][0-9]{7}(?=s))([smhd])$/

/** Milliseconds of a text; NaN for a text that is not a duration. */
export const toDuration = (text: string): number => {
  const [, count, unit = ""] = DURATION.exec(text) ?? []
  return Number(count) * (units[unit] ?? Number.NaN)
}

/** Whether a text is a duration of at most 30 days. */
export const isDuration = (text: string): boolean => toDuration(text) <= LONGEST

/** What each side has to write. */
export interface Messages {
  /** For a text. */
  readonly text: string
  /** For the seconds of a program. */
  readonly seconds: string
}

/**
 * Durations that programs have as seconds, and JSON as texts. Seconds are valid where their text is.
 *
 * @param parse reads a text, in milliseconds; NaN for a wrong one
 */
export const durations = ({ seconds, text }: Messages, parse = toDuration) =>
  Schema.String.check(Schema.makeFilter((given) => (Number.isNaN(parse(given)) ? text : undefined))).pipe(
    Schema.decodeTo(
      Schema.Number.check(Schema.makeFilter((given) => (Number.isNaN(parse(`${given}s`)) ? seconds : undefined))),
      SchemaTransformation.transform({ decode: (given) => parse(given) / SECOND, encode: (given) => `${given}s` })
    )
  )

/** Durations of at most 30 days. */
export const OfAtMostAMonth = durations(
  {
    text: "must be a time of at most 30 days, such as 12h",
    seconds: `must be whole seconds, 1 to ${LONGEST / SECOND} (30 days)`
  },
  (text) => (isDuration(text) ? toDuration(text) : Number.NaN)
)
