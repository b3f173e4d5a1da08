/**
 * Fields of bodies and records. What a field holds, in which unit and within which bounds, is said at the field alone: the
 * OpenAPI document, the types of the client and what an editor shows are made of it.
 *
 * @example
 * ```ts
 * import { optional, personal } from "@watchword/schemas/Field"
 * import * as Schema from "effect/Schema"
 *
 * const Fax = Schema.Struct({ cover: optional(Schema.String, "The words on the cover.", personal({ cover: null })) })
 * ```
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** A field that is always there. */
export const field = <S extends Schema.Top>(
  schema: S,
  description: string,
  more: Schema.Annotations.Key<S["Type"]> = {}
): S["Rebuild"] => schema.annotateKey({ description, ...more })

/** A field that may be left out. */
export const optional = <S extends Schema.Top>(
  schema: S,
  description: string,
  more: Schema.Annotations.Key<S["Type"]> = {}
) => Schema.optionalKey(schema).annotateKey({ description, ...more })

/** A field of a request that stands for a value when it is left out. */
export const withDefault = <S extends Schema.Top & { readonly Rebuild: S }>(
  schema: S,
  value: S["Encoded"],
  description: string
) => field(schema, description).pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

/** The annotation of a schema that has a name of its own in the types of the client. */
export const TYPE_NAME = "@watchword/schemas/typeName"

/** Gives a schema its name in the types of the client, where it is not the identifier. */
export const named = (name: string) => ({ [TYPE_NAME]: name })

const PERSONAL = "@watchword/schemas/personal"

/** Details of a record, each with the value that stands in for it once its person is erased. */
export type Erased = Readonly<Record<string, string | number | boolean | null>>

/**
 * The annotation of a field with a fact of a person, and the details of a record that keep it: none where no record does, or
 * where every send has it, as it has the number and the text.
 */
export const personal = (details: Erased = {}) => ({ [PERSONAL]: details })

/** Whether a field has a fact of a person. */
export const isPersonal = (field: Schema.Constraint): boolean => detailsOf(field) !== undefined

/** The details that keep what the personal fields of a body or a record have. */
export const personalDetails = ({ fields }: { readonly fields: Schema.Struct.Fields }): Erased =>
  Object.assign({}, ...Object.values(fields).map(detailsOf))

const detailsOf = (field: Schema.Constraint): object | undefined => {
  const details = Schema.resolveAnnotationsKey(field)?.[PERSONAL]
  return Predicate.isObject(details) ? details : undefined
}

/** A time as bodies have it. */
export const Time = Schema.String.annotate({ format: "date-time" })

/** A field with a time. */
export const time = (description: string) => field(Time, `${description} ISO 8601 in UTC.`)

/** A field with a time, or null. */
export const timeOrNull = (description: string) => field(Schema.NullOr(Time), `${description} ISO 8601 in UTC.`)
