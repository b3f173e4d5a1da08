/**
 * Fields of bodies and records. Only the field itself says its meaning, unit and bounds: the OpenAPI document, the
 * client's types and an editor's hovers are generated from it.
 *
 * @example
 * ```ts
 * import { optional, personal, request } from "@watchword/schemas/Field"
 * import * as Schema from "effect/Schema"
 *
 * const Fax = request({ cover: personal(optional(Schema.String, "The words on the cover."), { cover: null }) })
 * ```
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export { DAY, LONGEST, OfAtMostAMonth, durations, isDuration, toDuration } from "./internal/Durations.ts"

/** A field that is always there. */
export const field = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description })

/** A field that may be left out. */
export const optional = <S extends Schema.Top>(
  schema: S,
  description: string,
  more: Schema.Annotations.Key<S["Type"]> = {}
) => Schema.optionalKey(schema).annotateKey({ description, ...more })

/** A field of a request with a default. */
export const withDefault = <S extends Schema.Top & { readonly Rebuild: S }>(
  schema: S,
  value: S["Encoded"],
  description: string
) => field(schema, description).pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

/** The annotation of a schema that has a name of its own in the types of the client. */
export const TYPE_NAME = "@watchword/schemas/typeName"

/** Gives a schema its name in the types of the client, where it is not the identifier. */
export const named = (name: string) => ({ [TYPE_NAME]: name })

/** The annotation of names to which others may come: the client's type takes any text, and proposes those. */
export const OPEN = "@watchword/schemas/open"

export const open = { [OPEN]: true }

/** Details of a record, each with the value that replaces it once its person is erased. */
export type Erased = Readonly<Record<string, string | number | boolean | null>>

/** A field that says whether it tells of a person, and by which details; null if it does not. */
export interface Decided {
  readonly personal: Erased | null
}

/**
 * A field with a fact of a person, and the details of a record that keep it: none if no record does, or where every
 * send has it, as it has the number and the text.
 */
export const personal = <S extends Schema.Top>(field: S, details: Erased = {}): S & Decided =>
  Object.assign(field, { personal: details })

/** A field with a text that tells of no person: a name of the account's own, or an id. */
export const impersonal = <S extends Schema.Top>(field: S): S & Decided => Object.assign(field, { personal: null })

/** The details that keep the personal fields of a body or a record. */
export const personalDetails = ({ fields }: { readonly fields: Schema.Struct.Fields }): Erased =>
  Object.fromEntries(
    Object.values(fields).flatMap((field) => (isDecided(field) ? Object.entries(field.personal ?? {}) : []))
  )

const isDecided = (field: object): field is Decided => "personal" in field

/** Demands of fields with any texts that each is `personal` or `impersonal`. */
type AllDecided<Fields extends Schema.Struct.Fields> = {
  readonly [Name in keyof Fields]: string extends Fields[Name]["Encoded"]
    ? Decided
    : Readonly<Record<string, string>> extends Fields[Name]["Encoded"]
      ? Decided
      : unknown
}

/**
 * The body of a request. It does not compile until every text is declared as personal or not, because an erasure would
 * miss an undeclared text.
 */
export const request = <const Fields extends Schema.Struct.Fields>(fields: Fields & AllDecided<Fields>) =>
  Schema.Struct<Fields>(fields)

/** A time as bodies have it. */
export const Time = Schema.String.annotate({ format: "date-time" })

/** A field with a time. */
export const time = (description: string) => field(Time, `${description} ISO 8601 in UTC.`)

/** A field with a time, or null. */
export const timeOrNull = (description: string) => field(Schema.NullOr(Time), `${description} ISO 8601 in UTC.`)
