/**
 * Durations as rules, settings and operators write them: `30s`, `10m`, `12h`, `1d`, and `0` where one may be nothing.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const SECOND = 1000
export const DAY = 86_400 * SECOND

/** The longest duration of a rule, in milliseconds: 30 days. */
export const LONGEST = 30 * DAY

const units: Readonly<Record<string, number>> = { d: DAY, h: 3600 * SECOND, m: 60 * SECOND, s: SECOND }

const DURATION = /^([1-9][0-9]{0,6})([smhd])$/

/** Milliseconds of a text; NaN for a text that is no duration. */
export const toDuration = (text: string): number => {
  if (text === "0") return 0
  const [, count, unit = ""] = DURATION.exec(text) ?? []
  return Number(count) * (units[unit] ?? Number.NaN)
}

/** Whether a text is a duration of a rule: more than nothing, and at most 30 days. */
export const isDuration = (text: string): boolean => toDuration(text) > 0 && toDuration(text) <= LONGEST

/** The shortest text of a duration in whole seconds. */
export const written = (milliseconds: number): string => {
  const [unit, size] = Object.entries(units).find(([, size]) => milliseconds % size === 0) ?? ["s", SECOND]
  return milliseconds === 0 ? "0" : `${milliseconds / size}${unit}`
}

/** A schema of durations in milliseconds, which are texts on the wire. */
export const Duration = (message: string, isRight: (milliseconds: number) => boolean = () => true) => {
  const checked = (time: number) => (time >= 0 && isRight(time) ? undefined : message)
  return Schema.String.check(Schema.makeFilter((text) => checked(toDuration(text)))).pipe(
    Schema.decodeTo(
      Schema.Number.check(Schema.makeFilter(checked)),
      SchemaTransformation.transform({ decode: toDuration, encode: written })
    )
  )
}
