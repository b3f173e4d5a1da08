/**
 * Kinds of fields that a list can be filtered and sorted by: what a client may compare them with, and
 * how that is written in the store.
 */
import * as Money from "@watchword/schemas/Money"
import { otherSpelling } from "@watchword/schemas/PhoneNumber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Scalar } from "./internal/Query.ts"
import { parseTime } from "./internal/Time.ts"

export { parseTime } from "./internal/Time.ts"

/** Reads a value from a request, or says what it must be instead. */
type Read<A> = (value: unknown) => Result.Result<A, string>

export interface Field<Name extends string = string> {
  /** What the store calls it. */
  readonly name: Name
  /** Reads a value to be equal to; none when it is well formed and no record can have it. */
  readonly equal: Read<Option.Option<Scalar>>
  /** Reads a bound, where the field has an order that means something. */
  readonly bound: Read<number> | null
}

const equatable = <const Name extends string>(name: Name, read: Read<Scalar>): Field<Name> => ({
  name,
  equal: (value) => Result.map(read(value), Option.some),
  bound: null
})

const ordered = <const Name extends string>(name: Name, read: Read<number>): Field<Name> => ({
  ...equatable(name, read),
  bound: read
})

const MAX_CHARACTERS = 256

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/

const readText: Read<string> = (value) => {
  if (typeof value !== "string") return Result.fail("must be a string")
  if (value.length > MAX_CHARACTERS) return Result.fail(`must have at most ${MAX_CHARACTERS} characters`)
  return CONTROL.test(value) || !value.isWellFormed()
    ? Result.fail("must not have control characters or unpaired surrogates")
    : Result.succeed(value)
}

/** A text of at most 256 characters, compared as a whole. */
export const string = <const Name extends string>(name: Name): Field<Name> => equatable(name, readText)

/** A phone number, or a sender. A number that no record can have for its spelling is refused instead of found nowhere. */
export const phoneNumber = <const Name extends string>(name: Name): Field<Name> =>
  equatable(name, (value) =>
    Result.flatMap(readText(value), (text) => {
      const wrong = otherSpelling(text)
      return wrong === undefined ? Result.succeed(text) : Result.fail(wrong)
    })
  )

/** A number. */
export const number = <const Name extends string>(name: Name): Field<Name> =>
  ordered(name, (value) => (isFinite(value) ? Result.succeed(value + 0) : Result.fail("must be a number")))

const isFinite = (value: unknown): value is number => Number.isFinite(value)

/** A whole number. */
export const integer = <const Name extends string>(name: Name): Field<Name> =>
  ordered(name, (value) => (isSafeInteger(value) ? Result.succeed(value + 0) : Result.fail("must be a whole number")))

const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value)

/** An amount: euros in requests, micro-euros in the store. */
export const euros = <const Name extends string>(name: Name): Field<Name> =>
  ordered(name, (value) =>
    Result.fromOption(
      isFinite(value) ? Money.fromEuros(value) : Option.none(),
      () => "must be a number of euros with at most six decimals"
    )
  )

/** A time: ISO 8601 in requests, milliseconds since the epoch in the store. */
export const time = <const Name extends string>(name: Name): Field<Name> =>
  ordered(name, (value) =>
    Result.fromOption(
      typeof value === "string" ? parseTime(value) : Option.none(),
      () => "must be a date or a time with its zone in ISO 8601, for example 2026-01-31T12:00:00Z"
    )
  )

/** True or false. */
export const boolean = <const Name extends string>(name: Name): Field<Name> =>
  equatable(name, (value) =>
    typeof value === "boolean" ? Result.succeed(value) : Result.fail("must be true or false")
  )

/**
 * One of a few words, for example a status.
 *
 * @param toStored how the store writes a word, where that is not the same
 */
export const oneOf = <const Name extends string>(
  name: Name,
  words: ReadonlyArray<string>,
  toStored: (word: string) => string = (word) => word
): Field<Name> =>
  equatable(name, (value) =>
    typeof value === "string" && words.includes(value)
      ? Result.succeed(toStored(value))
      : Result.fail(`must be one of ${words.join(", ")}`)
  )

/**
 * A text that the store writes differently, for example an identifier. Where `toStored` gives none, no
 * record has that value. Sorting goes by what is stored.
 */
export const mapped = <const Name extends string>(
  name: Name,
  toStored: (text: string) => Option.Option<Scalar>
): Field<Name> => ({ name, equal: (value) => Result.map(readText(value), toStored), bound: null })

/** The same field, which may also be compared with null. */
export const nullable = <Name extends string>(field: Field<Name>): Field<Name> => ({
  ...field,
  equal: (value) =>
    value === null
      ? Result.succeed(Option.some(null))
      : Result.mapError(field.equal(value), (message) => `${message}, or null`)
})
