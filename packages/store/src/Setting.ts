/**
 * Definitions of settings: the name under which the store keeps a setting, and the schema of its value.
 *
 * A setting is a row of its own, so that two operators who change different ones never overwrite each other. Settings
 * of a kind, such as templates with a name and a language, are a family: their names begin alike.
 */
import { type BadRequest, badRequest } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { memoized } from "./internal/settings/memoized.ts"
import type { Service as Store } from "./Store.ts"
import type { StoreError } from "./StoreError.ts"

/** One setting, whose value is an `A`. */
export interface Setting<A> {
  readonly name: string
  /** The family that the setting is of. */
  readonly family: Family<A> | null
  /** Checks a value from outside. The error lists every invalid or unknown field. */
  readonly check: (value: unknown) => Effect.Effect<A, BadRequest>
  /** The text of a checked value, as the store keeps it. */
  readonly write: (value: A) => string
  /** The value of a text. */
  readonly read: (text: string) => Result.Result<A, Schema.SchemaError>
}

/** Settings of a kind, distinguished by a key. */
export interface Family<A> {
  readonly prefix: string
  /** How an error calls one of them, such as `workflow`. */
  readonly title: string
  /** The most of them that an account may have, and the installation. */
  readonly most: number
  /** The setting of a key, which is a text without U+0000. */
  readonly of: (key: string) => Setting<A>
  /**
   * The members among values by name, by their keys; or the name of an unreadable member. The same values are read
   * once.
   */
  readonly members: (values: ReadonlyMap<string, string>) => Result.Result<ReadonlyMap<string, A>, string>
}

/** How many decoded values a definition keeps. */
const DECODED = 10_000

/**
 * @param title how an error calls it, such as `pool of callers`
 *
 * @example
 * ```ts
 * import * as Setting from "@watchword/store/Setting"
 * import * as Schema from "effect/Schema"
 *
 * const Quiet = Schema.Struct({ from: Schema.Int, to: Schema.Int })
 * export const quietHours = Setting.make({ name: "quiet-hours", title: "time of silence", schema: Quiet })
 * ```
 */
export const make = <A, I>({ name, ...kind }: Kind<A, I> & { readonly name: string }): Setting<A> => ({
  name,
  family: null,
  ...codec(kind)
})

/**
 * @example
 * ```ts
 * import * as Setting from "@watchword/store/Setting"
 * import * as Schema from "effect/Schema"
 *
 * const nicknames = Setting.family({ prefix: "nickname:", title: "nickname", most: 10, schema: Schema.String })
 * nicknames.of("+4915123456789").name // "nickname:+4915123456789"
 * ```
 */
export const family = <A, I>({
  most,
  prefix,
  ...kind
}: Kind<A, I> & { readonly prefix: string; readonly most: number }): Family<A> => {
  const parts = codec(kind)

  const read = (values: ReadonlyMap<string, string>): Result.Result<ReadonlyMap<string, A>, string> => {
    const found = new Map<string, A>()
    for (const [name, text] of values) {
      if (!name.startsWith(prefix)) continue
      const value = parts.read(text)
      if (Result.isFailure(value)) return Result.fail(name)
      found.set(name.slice(prefix.length), value.success)
    }
    return Result.succeed(found)
  }

  const known = new WeakMap<ReadonlyMap<string, string>, ReturnType<typeof read>>()
  const made: Family<A> = {
    prefix,
    title: kind.title,
    most,
    of: (key) => ({ name: prefix + key, family: made, ...parts }),
    members: (values) => {
      const members = known.get(values) ?? read(values)
      known.set(values, members)
      return members
    }
  }
  return made
}

interface Kind<A, I> {
  readonly title: string
  readonly schema: Schema.Codec<A, I>
}

const codec = <A, I>({ schema, title }: Kind<A, I>): Pick<Setting<A>, "check" | "read" | "write"> => {
  const json = Schema.fromJsonString(schema)
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return {
    check: (value) => Effect.mapError(decode(value), (error) => badRequest(error, `The ${title} is not valid.`)),
    write: Schema.encodeSync(json),
    read: memoized(Schema.decodeUnknownResult(json), DECODED)
  }
}

/**
 * State that a service writes for itself, in the table of settings under names that no operator sets: how far a sweep
 * has come, since when an inbox is empty. It is read from the store each time, because another process may have gone
 * further.
 */
export interface State<A> {
  /** The value; null if no value was written, or an unreadable one. */
  readonly read: (store: Store, owner: AccountId | null) => Effect.Effect<A | null, StoreError>
  readonly write: (store: Store, owner: AccountId | null, value: A) => Effect.Effect<void, StoreError>
}

export const state = <A, I>(name: string, schema: Schema.Codec<A, I>): State<A> => {
  const json = Schema.fromJsonString(schema)
  const decode = Schema.decodeUnknownOption(json)
  const encode = Schema.encodeSync(json)
  return {
    read: (store, owner) =>
      Effect.map(store.settings(owner), (rows) =>
        Option.getOrNull(decode(rows.find((row) => row.name === name)?.value))
      ),
    write: (store, owner, value) => Effect.asVoid(store.changeSetting({ account: owner, name, value: encode(value) }))
  }
}
