/**
 * Fields that a list can be filtered and sorted by: the values that a client may compare each kind with, how the store
 * writes them, and the translation of a list body into a query.
 */
import type { Issue } from "@watchword/schemas/Errors"
import * as Money from "@watchword/schemas/Money"
import { otherSpelling } from "@watchword/schemas/PhoneNumber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Condition, Query, Scalar } from "./internal/Query.ts"
import { parseTime } from "./internal/Time.ts"
import type { ListBody } from "./Page.ts"

export type { Condition, Query, Scalar } from "./internal/Query.ts"
export { parseTime } from "./internal/Time.ts"

/** Reads a value from a request, or says what it must be instead. */
type Read<A> = (value: unknown) => Result.Result<A, string>

export interface Field<Name extends string = string> {
  /** The field's name in the store. */
  readonly name: Name
  /** Reads a value to be equal to; none if it is well formed but no record can have it. */
  readonly equal: Read<Option.Option<Scalar>>
  /** Reads a bound; null if the field has no meaningful order. */
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

/**
 * A phone number, or a sender. A number is refused if no record can have its spelling, instead of matching no record.
 */
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
 * @param toStored how the store writes a word, if that is different
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
 * A text that the store writes differently, for example an identifier. If `toStored` returns none, no record has that
 * value. Sorting uses the stored value.
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

export interface ListFields<Name extends string = string> {
  /** By the name that records have on the wire. */
  readonly fields: ReadonlyMap<string, Field<Name>>
  /** The field that lists are sorted by unless a request names one. */
  readonly sort: Field<Name>
}

/**
 * The fields of a kind of record by their names on the wire, where `Item` is its type: each field that has one value,
 * and no other. `satisfies FieldsOf<Sdr>` has the compiler find the field that a list does not know.
 */
export type FieldsOf<Item> = Readonly<
  Record<
    { [Name in keyof Item]-?: Exclude<Item[Name], undefined> extends Scalar ? Name : never }[keyof Item] & string,
    Field
  >
>

/**
 * Declares the fields of a kind of record by their names on the wire.
 *
 * @param sort the field that lists are sorted by unless a request names one
 *
 * @example
 * ```ts
 * import * as Fields from "@watchword/pagination/Fields"
 *
 * const fields = Fields.listFields(
 *   { uuid: Fields.string("id"), to: Fields.phoneNumber("to"), created_at: Fields.time("createdAt") },
 *   "created_at"
 * )
 * ```
 */
export const listFields = <const Wire extends string, const Name extends string>(
  fields: Readonly<Record<Wire, Field<Name>>>,
  sort: NoInfer<Wire>
): ListFields<Name> => ({ fields: new Map(Object.entries(fields)), sort: fields[sort] })

const MAX_VALUES = 100
const MAX_ISSUES = 20

/**
 * Turns a list body into a query, or says what is wrong with it: unknown fields and values of the wrong kind. The path
 * of an issue is `sort_by` or `filter.<field>`, followed by `[index]` for a value in an array or by `.gte` and the like
 * for a bound. It reports at most twenty issues.
 *
 * @example
 * ```ts
 * import * as Fields from "@watchword/pagination/Fields"
 * import { ListBody } from "@watchword/pagination/Page"
 * import * as Schema from "effect/Schema"
 *
 * const fields = Fields.listFields({ to: Fields.phoneNumber("to"), timestamp: Fields.time("statusAt") }, "timestamp")
 * const body = Schema.decodeUnknownSync(ListBody)({ filter: { timestamp: { gte: "2026-01-01" } } })
 * Fields.toQuery(fields, body)
 * ```
 */
export const toQuery = <Name extends string>(
  list: ListFields<Name>,
  body: ListBody
): Result.Result<Query<Name>, ReadonlyArray<Issue>> => {
  const sort = body.sort_by === undefined ? list.sort : list.fields.get(body.sort_by)
  const where: Array<Condition<Name>> = []
  const issues: Array<Issue> = []
  if (sort === undefined) issues.push({ path: "sort_by", message: oneOfTheFields(list) })
  for (const [wireName, value] of Object.entries(body.filter)) {
    if (issues.length === MAX_ISSUES) break
    const path = `filter.${abridged(wireName)}`
    const field = list.fields.get(wireName)
    if (field === undefined) {
      issues.push({ path, message: `is not a field of these records; ${oneOfTheFields(list)}` })
      continue
    }
    const condition = conditionOf(field, value, path)
    if (Result.isSuccess(condition)) where.push(condition.success)
    else issues.push(condition.failure)
  }
  return sort === undefined || issues.length > 0
    ? Result.fail(issues)
    : Result.succeed({
        where,
        sort: { field: sort.name, direction: body.sort_direction },
        offset: (body.page - 1) * body.rows_per_page,
        limit: body.rows_per_page
      })
}

const oneOfTheFields = (list: ListFields): string => `must be one of ${[...list.fields.keys()].join(", ")}`

// An answer repeats a name from the request, but not one of any length.
const abridged = (name: string): string => (name.length > 64 ? `${name.slice(0, 64)}…` : name)

const conditionOf = <Name extends string>(
  field: Field<Name>,
  value: unknown,
  path: string
): Result.Result<Condition<Name>, Issue> => {
  if (Array.isArray(value)) return anyOf(field, value, path)
  return Predicate.isObject(value) ? within(field, value, path) : equalTo(field, value, path)
}

const equalTo = <Name extends string>(
  field: Field<Name>,
  value: unknown,
  path: string
): Result.Result<Condition<Name>, Issue> =>
  Result.mapBoth(field.equal(value), {
    onFailure: (message) => ({ path, message }),
    onSuccess: (stored) => ({ _tag: "In", field: field.name, values: Option.toArray(stored) })
  })

const anyOf = <Name extends string>(
  field: Field<Name>,
  candidates: ReadonlyArray<unknown>,
  path: string
): Result.Result<Condition<Name>, Issue> => {
  if (candidates.length === 0 || candidates.length > MAX_VALUES) {
    return Result.fail({ path, message: `must have 1 to ${MAX_VALUES} values` })
  }
  const values = new Set<Scalar>()
  for (const [index, candidate] of candidates.entries()) {
    const read = field.equal(candidate)
    if (Result.isFailure(read)) return Result.fail({ path: `${path}[${index}]`, message: read.failure })
    if (Option.isSome(read.success)) values.add(read.success.value)
  }
  return Result.succeed({ _tag: "In", field: field.name, values: [...values] })
}

const BOUNDS = ["gte", "gt", "lte", "lt"] as const
const isBound = (key: string): key is (typeof BOUNDS)[number] => BOUNDS.some((bound) => bound === key)

const within = <Name extends string>(
  field: Field<Name>,
  bounds: object,
  path: string
): Result.Result<Condition<Name>, Issue> => {
  if (field.bound === null) return Result.fail({ path, message: "must be a value or an array of values" })
  const entries = Object.entries(bounds)
  if (entries.length === 0) return Result.fail({ path, message: `must have one of ${BOUNDS.join(", ")}` })
  const range: { [bound in (typeof BOUNDS)[number]]?: number } = {}
  for (const [key, value] of entries) {
    if (!isBound(key)) {
      return Result.fail({ path: `${path}.${abridged(key)}`, message: `must be one of ${BOUNDS.join(", ")}` })
    }
    const read = field.bound(value)
    if (Result.isFailure(read)) return Result.fail({ path: `${path}.${key}`, message: read.failure })
    range[key] = read.success
  }
  return Result.succeed({ _tag: "Range", field: field.name, ...range })
}
