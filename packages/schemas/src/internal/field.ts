/**
 * Fields of bodies and records. What a field holds, in which unit and within which bounds, is said at the field alone: the
 * OpenAPI document, the types of the client and what an editor shows are made of it.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A field that is always there. */
export const field = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description })

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

/** A time as bodies have it. */
export const Time = Schema.String.annotate({ format: "date-time" })

/** A field with a time. */
export const time = (description: string) => field(Time, `${description} ISO 8601 in UTC.`)

/** A field with a time, or null. */
export const timeOrNull = (description: string) => field(Schema.NullOr(Time), `${description} ISO 8601 in UTC.`)
