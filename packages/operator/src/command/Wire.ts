/**
 * Objects with two sides: commands have camelCase and `Date`, JSON and programs have snake_case and ISO 8601; and the
 * fields that inputs of several commands have.
 */
import { parseTime } from "@watchword/pagination/Fields"
import { field, optional } from "@watchword/schemas/Field"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { fromEuros } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

export type Fields = Schema.Struct.Fields

/** A name in snake_case. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ""

/** A field whose name in JSON is given. */
export interface Named<Json extends string> {
  readonly "~json"?: Json
}

type Names<F> = { readonly [K in keyof F]: NameOf<K, F[K]> }

type NameOf<K, S> = S extends { readonly "~json"?: infer Json } ? GivenOr<Exclude<Json, undefined>, K> : SnakeOf<K>

type GivenOr<Json, K> = [Json] extends [never] ? SnakeOf<K> : Json extends string ? Json : never

type SnakeOf<K> = K extends string ? Snake<K> : never

/** An object whose JSON names are in snake_case, or given by {@link as}. */
export const wire = <const F extends Fields>(fields: F) =>
  Schema.Struct(fields).pipe(Schema.encodeKeys<Schema.Struct<F>, Names<F>>(namesOf(fields)))

const namesOf = <const F extends Fields>(fields: F): Names<F> => {
  const names: Record<string, string> = {}
  for (const [name, schema] of Object.entries(fields)) names[name] = jsonName(name, schema)
  if (!isComplete(names, fields)) throw new Error("a field has no name")
  return names
}

const isComplete = <const F extends Fields>(names: object, fields: F): names is Names<F> =>
  Object.keys(fields).every((name) => name in names)

/** How faces show a field. */
interface Shown<Json extends string = string> {
  /** Its name in JSON, where that is not its name in snake_case. */
  readonly json?: Json
  /** An example of its value in a line of help, such as `12h`. */
  readonly example?: string
  /** Reads the text that people write, where that is not the text of JSON; throws for a wrong one. */
  readonly read?: (text: string) => unknown
  /** What `read` expects. */
  readonly expected?: string
  /** Has people name a file with the JSON of the field, or write one of these words. */
  readonly words?: ReadonlyArray<string>
  /** All values of a list's entries, for a form of check boxes. */
  readonly choices?: ReadonlyArray<string>
  /** Whether people name a file whose text is the field. */
  readonly isFile?: boolean
}

/** A field of an input as faces show it. */
export interface Face extends Shown {
  readonly name: string
  readonly json: string
  readonly description: string
  readonly isPositional: boolean
  readonly isOptional: boolean
  readonly isNullable: boolean
  readonly kind: "flag" | "integer" | "list" | "text"
}

const SHOWN = "@watchword/store/Wire/shown"

/** Says how faces show a field. */
export const as = <S extends Schema.Top, const Json extends string = never>(
  shown: Shown<Json>,
  schema: S
): S["Rebuild"] & Named<Json> => schema.annotateKey({ [SHOWN]: shown })

const shownOf = (schema: Schema.Constraint): Shown => {
  const shown = Schema.resolveAnnotationsKey(schema)?.[SHOWN]
  return isShown(shown) ? shown : {}
}

const isShown = (value: unknown): value is Shown => typeof value === "object" && value !== null

const jsonName = (name: string, schema: Schema.Constraint): string =>
  shownOf(schema).json ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const faceOf = (name: string, schema: Schema.Constraint, isPositional: boolean): Face => {
  const { ast } = Schema.toEncoded(schema)
  const types = ast._tag === "Union" ? ast.types.map(({ _tag }) => _tag) : [ast._tag]
  return {
    ...shownOf(schema),
    name,
    json: jsonName(name, schema),
    description: String(Schema.resolveAnnotationsKey(schema)?.["description"] ?? ""),
    isPositional,
    isOptional: schema.ast.context?.isOptional ?? false,
    isNullable: types.includes("Null"),
    kind: KINDS[types.find((type) => type !== "Null") ?? ""] ?? "text"
  }
}

const KINDS: Readonly<Record<string, Face["kind"]>> = { Boolean: "flag", Number: "integer", Arrays: "list" }

/** A time, which is ISO 8601 in JSON. */
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

/** The same where it may be left out. */
export const maybeTime = (description: string) => as({ example: "ISO" }, optional(Time, `${description}, ISO 8601`))

/** A time of an output that programs have in milliseconds since the epoch. */
export const Moment = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({ decode: (text) => Date.parse(text), encode: (at) => new Date(at).toISOString() })
  )
)

/** An amount of money in EUR. */
export const Euros = Schema.Union([Schema.String, Schema.Finite]).check(
  Schema.makeFilter((euros) =>
    Option.exists(fromEuros(euros), (micro) => micro > 0)
      ? undefined
      : "must be in EUR, more than 0, with at most six decimals, such as 12.50"
  )
)

/** Texts that people separate by commas. */
export const Texts = Schema.Array(Schema.String)

const expected = "the id of an account, acc_… and 26 letters and digits"

const accountIdOf = Schema.decodeUnknownSync(AccountId)

const byId = { json: "account_id", example: "ACCOUNT", read: accountIdOf, expected }

/** The account of an input. */
export const account = as(byId, field(AccountId, "The account's id, acc_…"))

/** An account, or null for the installation, for which people write `all`. */
export const owner = as(
  {
    ...byId,
    example: "ACCOUNT|all",
    read: (text) => (text === "all" ? null : accountIdOf(text)),
    expected: `${expected}, or all`
  },
  field(Schema.NullOr(AccountId), "The account's id, acc_…, or all for the installation's own")
)

/** The same where it may be left out; `description` says what that means. */
export const maybeOwner = (description: string) => as(byId, optional(Schema.NullOr(AccountId), description))

/** The account of an output; null for the installation. */
export const accountOf = as({ json: "account_id" }, AccountId)
export const ownerOf = as({ json: "account_id" }, Schema.NullOr(AccountId))

/** The key of an input. */
export const keyId = as(
  {
    example: "KEY",
    read: Schema.decodeUnknownSync(KeyId),
    expected: "the id of a key, key_… and 26 letters and digits"
  },
  field(KeyId, "The key's id, key_…")
)

/** An owner in a sentence. */
export const ofOwner = (owner: string | null): string => (owner === null ? "of all accounts" : `of account ${owner}`)

/** A count with its noun, such as "1 entry". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
