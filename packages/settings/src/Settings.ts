/**
 * Settings of accounts and of the installation, for those that go by them and for operators.
 *
 * A process reads all settings of an account at once and uses them for at most a second, so a change is effective in every
 * process within that time. Nothing is read before something asks.
 */
import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { RequestsMayWait } from "@watchword/store/RequestsMayWait"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Family, Setting } from "./Setting.ts"

/** An account, or null for the installation. */
export type Owner = AccountId | null

export interface Service {
  /** A setting as it was within the last second; none where it is not set. */
  readonly get: <A>(owner: Owner, setting: Setting<A>) => Effect.Effect<Option.Option<A>, StoreError>

  /** The settings of a family by their keys, in the order of the keys' code points. */
  readonly all: <A>(owner: Owner, family: Family<A>) => Effect.Effect<ReadonlyMap<string, A>, StoreError>

  /**
   * Sets a value that came from outside, and answers it as its schema decodes it. Fails with `BadRequest` where it is not
   * valid, naming each field, or where it would be one too many of its family.
   */
  readonly set: <A>(
    owner: Owner,
    setting: Setting<A>,
    value: unknown
  ) => Effect.Effect<A, BadRequest | NotFound | StoreError>

  /** Takes a setting away, and answers whether it was set. */
  readonly remove: (
    owner: Owner,
    setting: Pick<Setting<never>, "name">
  ) => Effect.Effect<boolean, NotFound | StoreError>
}

/**
 * @example
 * ```ts
 * import * as Setting from "@watchword/settings/Setting"
 * import * as Settings from "@watchword/settings/Settings"
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import * as Duration from "effect/Duration"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Schema from "effect/Schema"
 *
 * const greeting = Setting.make({ name: "greeting", title: "greeting", schema: Schema.String })
 *
 * const program = Effect.gen(function* () {
 *   const settings = yield* Settings.Settings
 *   yield* settings.set(null, greeting, "Hello")
 *   return yield* settings.get(null, greeting) // Option.some("Hello")
 * })
 * program.pipe(Effect.provide(Settings.layer.pipe(Layer.provide(MemoryStore.layer))))
 * ```
 */
export class Settings extends Context.Service<Settings, Service>()("@watchword/settings/Settings") {}

/** For how many owners settings are kept in memory; those that were used last stay. */
const CAPACITY = 10_000

/** In milliseconds: how long they are used. */
const KEPT_FOR = 1_000

/** Values by name, with the time at which they were read. */
interface Snapshot {
  readonly values: ReadonlyMap<string, string>
  readonly readAt: number
}

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const mayWait = yield* RequestsMayWait

  const read = (owner: Owner): Effect.Effect<Snapshot, StoreError> =>
    Effect.zipWith(store.settings(owner), Clock.currentTimeMillis, (rows, readAt) => ({
      values: new Map(rows.map(({ name, value }) => [name, value])),
      readAt
    }))

  const cache = yield* Cache.makeWith(read, {
    capacity: CAPACITY,
    // Failures are not kept. The time of a success is looked at with the snapshot, because a clock may be set back.
    timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
  })

  const kept = (owner: Owner): Effect.Effect<Snapshot, StoreError> =>
    mayWait
      ? Cache.get(cache, owner)
      : Effect.flatMap(
          Cache.getSuccess(cache, owner),
          Option.match({
            onNone: () => Effect.tap(read(owner), (snapshot) => Cache.set(cache, owner, snapshot)),
            onSome: Effect.succeed
          })
        )

  const valuesOf = Effect.fnUntraced(function* (owner: Owner) {
    const snapshot = yield* kept(owner)
    const age = (yield* Clock.currentTimeMillis) - snapshot.readAt
    if (age >= 0 && age < KEPT_FOR) return snapshot.values
    yield* Cache.invalidateWhen(cache, owner, ({ readAt }) => readAt === snapshot.readAt)
    return (yield* kept(owner)).values
  })

  /** What an operator goes by who changes settings: another one may have changed them a moment ago. */
  const freshValuesOf = (owner: Owner) => Effect.andThen(Cache.invalidate(cache, owner), valuesOf(owner))

  const change = Effect.fnUntraced(function* (account: Owner, name: string, value: string | null) {
    // Also when the answer was lost: then the setting may be changed.
    const changed = Effect.ensuring(store.changeSetting({ account, name, value }), Cache.invalidate(cache, account))
    if (!(yield* changed)) return yield* new NotFound({ message: "There is no such account." })
  })

  const get = <A>(owner: Owner, setting: Setting<A>): Effect.Effect<Option.Option<A>, StoreError> =>
    Effect.flatMap(valuesOf(owner), (values) => {
      const text = values.get(setting.name)
      return text === undefined
        ? Effect.succeedNone
        : Effect.asSome(
            Result.match(setting.read(text), {
              onFailure: () => unreadable(setting.name),
              onSuccess: Effect.succeed
            })
          )
    })

  const all = <A>(owner: Owner, family: Family<A>): Effect.Effect<ReadonlyMap<string, A>, StoreError> =>
    Effect.flatMap(valuesOf(owner), (values) =>
      Result.match(family.members(values), { onFailure: unreadable, onSuccess: Effect.succeed })
    )

  const set = Effect.fnUntraced(function* <A>(owner: Owner, setting: Setting<A>, value: unknown) {
    const checked = yield* setting.check(value)
    if (setting.family !== null) {
      const { most, prefix, title } = setting.family
      const values = yield* freshValuesOf(owner)
      const others = [...values.keys()].filter((name) => name.startsWith(prefix) && name !== setting.name)
      if (others.length >= most)
        return yield* new BadRequest({ message: `There may be at most ${most} of a ${title}.` })
    }
    yield* change(owner, setting.name, setting.write(checked))
    return checked
  })

  const remove = Effect.fnUntraced(function* (owner: Owner, { name }: Pick<Setting<never>, "name">) {
    // No such name is ever set, and not every database can be asked for it.
    if (UNKEEPABLE.test(name)) return false
    const isSet = (yield* freshValuesOf(owner)).has(name)
    yield* change(owner, name, null)
    return isSet
  })

  return Settings.of({ get, all, set, remove })
})

const UNKEEPABLE = /\0|\p{Surrogate}/u

export const layer: Layer.Layer<Settings, never, Store> = Layer.effect(Settings, make)

/**
 * A value that is stored and cannot be read was written by another version: its owner must not go without it. The error
 * names it without the key, which may be a phone number.
 */
const unreadable = (name: string): Effect.Effect<never, StoreError> =>
  Effect.fail(
    new StoreError({ reason: "Unavailable", message: `The setting ${name.replace(/:.*$/s, "")} cannot be read.` })
  )
