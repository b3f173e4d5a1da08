/**
 * Objects with two sides: programs have camelCase and `Date`, the wire has snake_case and ISO 8601. Fields that many commands
 * have are here.
 */
import { parseTime } from "@watchword/pagination/internal/Time"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { fromEuros } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { Owner } from "../Settings.ts"

type Fields = Schema.Struct.Fields

/** An object whose names on the wire are in snake_case, or are those that its fields have by `called`. */
export const wire = <const F extends Fields>(fields: F) =>
  Schema.Struct(fields).pipe(Schema.encodeKeys<Schema.Struct<F>, Names<F>>(namesOf(fields)))

type Names<F> = { readonly [K in keyof F]?: string }

const CALLED = "@watchword/store/Wire/called"
const TEXT = "@watchword/store/Wire/text"

/** Gives a field another name on the wire. */
export const called = <S extends Schema.Top>(name: string, schema: S): S["Rebuild"] => schema.annotateKey({ [CALLED]: name })

/** The name of a field on the wire. */
export const wireName = (name: string, schema: Schema.Constraint): string => {
  const given = schema.ast.context?.annotations?.[CALLED]
  return typeof given === "string" ? given : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const namesOf = <F extends Fields>(fields: F): Names<F> => {
  const names: { [K in keyof F]?: string } = {}
  for (const name in fields) {
    const schema = fields[name]
    if (schema !== undefined) names[name] = wireName(name, schema)
  }
  return names
}

/** How people write the value of a field, where that is another text than on the wire. */
export interface Text {
  /** The value on the wire; throws for a text that is none. */
  readonly read: (text: string) => unknown
  /** What was expected, for the sentence of an error. */
  readonly expected: string
}

/** Has a field be read from the text that people write. */
export const written = <S extends Schema.Top>(text: Text, schema: S): S["Rebuild"] => schema.annotateKey({ [TEXT]: text })

/** How people write the value of a field; null where it is as on the wire. */
export const textOf = (schema: Schema.Constraint): Text | null => {
  const text = schema.ast.context?.annotations?.[TEXT]
  return isText(text) ? text : null
}

const isText = (value: unknown): value is Text => typeof value === "object" && value !== null && "read" in value

/** A time, which is ISO 8601 on the wire. */
export const Time = Schema.String.annotate({ format: "date-time" })
  .check(
    Schema.makeFilter((text) =>
      Option.isSome(parseTime(text)) ? undefined : "must be a time in ISO 8601, for example 2027-01-31T12:00:00Z"
    )
  )
  .pipe(
    Schema.decodeTo(
      Schema.Date,
      SchemaTransformation.transform({
        decode: (text) => new Date(Option.getOrElse(parseTime(text), () => Number.NaN)),
        encode: (date) => date.toISOString()
      })
    )
  )

/** A time that programs have in milliseconds since the epoch. */
export const Moment = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({
      decode: (text) => Date.parse(text),
      encode: (at) => new Date(at).toISOString()
    })
  )
)

/** An amount of money, in EUR, as a person or a program gives it. */
export const Euros = Schema.Union([Schema.String, Schema.Number]).check(
  Schema.makeFilter((euros) =>
    Option.exists(fromEuros(euros), (micro) => micro > 0)
      ? undefined
      : "must be in EUR, more than 0, with at most six decimals, such as 12.50"
  )
)

const ACCOUNT = "the id of an account, acc_… and 26 letters and digits"

const accountIdOf = Schema.decodeUnknownSync(AccountId)

/** An account's id. */
export const account = called(
  "account_id",
  written({ read: accountIdOf, expected: ACCOUNT }, AccountId.annotateKey({ description: "The account's id, acc_…" }))
)

/** An account's id, or null for the installation, which people write as `all`. */
export const owner = called(
  "account_id",
  written(
    { read: (text) => (text === "all" ? null : accountIdOf(text)), expected: `${ACCOUNT}, or all` },
    Schema.NullOr(AccountId).annotateKey({
      description: "The account's id, acc_…, or all for what holds for all accounts"
    })
  )
)

/** The same where it may be left out. @param description ends with what that means */
export const maybeOwner = (description: string) =>
  called(
    "account_id",
    written(
      { read: accountIdOf, expected: ACCOUNT },
      Schema.optionalKey(Schema.NullOr(AccountId)).annotateKey({ description })
    )
  )

/** The account of an answer, and its owner, which is null for the installation. */
export const accountOf = called("account_id", AccountId)
export const ownerOf = called("account_id", Schema.NullOr(AccountId))

/** The id of a key. */
export const keyId = written(
  { read: Schema.decodeUnknownSync(KeyId), expected: "the id of a key, key_… and 26 letters and digits" },
  KeyId.annotateKey({ description: "The key's id, key_…" })
)

/** How sentences call an owner. */
export const ofOwner = (owner: Owner | string): string => (owner === null ? "of all accounts" : `of account ${owner}`)

/** A count with its noun, such as "1 entry". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
