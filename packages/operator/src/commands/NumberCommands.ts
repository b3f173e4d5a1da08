/**
 * The operator's command on numbers as their users write them, and the hint of others.
 */
import { BadRequest, type TooManyRequests } from "@watchword/schemas/Errors"
import { field } from "@watchword/schemas/Field"
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Command from "../command/Command.ts"
import { numberOf, parseInput } from "../command/NumberInput.ts"
import { wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Reading, readingsOf } from "../insight/Readings.ts"

const orNull = Schema.NullOr(Schema.String)

export const read = Command.make({
  name: ["number", "read"],
  description: "Read a number as its user wrote it, in the countries of most sends",
  role: "support",
  input: wire({ number: field(Schema.String, "A phone number as people write it") }),
  positional: ["number"],
  output: wire({
    number: field(Schema.NullOr(E164), "The number; null if it needs a country, or if the text is not a number."),
    problem: field(orNull, "Why it is not exactly one number."),
    readings: field(
      Schema.Array(wire({ number: E164, written: Schema.String, country: orNull, name: orNull })),
      "The numbers that may have been meant, with their countries, the most usual first."
    )
  }),
  run: ({ number }) => {
    const parsed = parseInput(number)
    if (parsed.number !== null) return Effect.succeed({ number: parsed.number, problem: null, readings: [] })
    return Effect.map(readingsOf(number), (readings) => ({ number: null, problem: parsed.message, readings }))
  },
  lines: ({ number, problem, readings }) => [
    ...(number === null ? [] : [number]),
    ...(problem === null ? [] : [`The number ${problem}.`]),
    ...readings.map(({ name, number }) => `${number}  ${name ?? "no country"}`)
  ]
})

/** The number of an input. The error of a number without a country names its readings in the usual countries. */
export const numberOrHint = (
  input: Parameters<typeof numberOf>[0]
): Effect.Effect<E164, BadRequest | StoreError | TooManyRequests, ChannelRegistry | Store> =>
  Effect.catchTag(numberOf(input), "BAD_REQUEST", (error) =>
    input.defaultCountry === undefined
      ? Effect.flatMap(readingsOf(input.number), (readings) => Effect.fail(hinted(error, readings)))
      : Effect.fail(error)
  )

const hinted = (error: BadRequest, readings: ReadonlyArray<Reading>): BadRequest => {
  if (readings.length === 0 || error.issues === undefined) return error
  const hint = readings.map(({ name, number }) => (name === null ? number : `${number} in ${name}`)).join(" or ")
  const issues = error.issues.map(({ message, path }) => ({ path, message: `${message}; it may be ${hint}` }))
  return new BadRequest({ message: error.message, issues })
}
