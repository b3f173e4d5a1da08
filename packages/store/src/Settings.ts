/**
 * Settings of accounts and of the installation, for the code that reads them and for operators.
 *
 * A process reads all settings of an account at once and uses them for at most a second, so a change is effective in
 * every process within that time. Nothing is read before something asks.
 */
import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { Store } from "./Store.ts"
import type { StoreError } from "./StoreError.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Snapshots from "./internal/settings/Snapshots.ts"
import type { Family, Setting } from "./Setting.ts"
import { type Derive, type Values, values as valuesFrom } from "./internal/settings/Values.ts"

export { RequestsMayWait } from "./internal/RequestsMayWait.ts"
export { type Derive, type Values, values } from "./internal/settings/Values.ts"

/** An account, or null for the installation. */
export type Owner = AccountId | null

/**
 * A value computed from an account's settings and the installation's, once for each read of them. A cached value is an
 * `Exit`, from which `Effect.flatMapEager` continues without a step of the fiber.
 */
export type Profile<A> = (account: AccountId, now: number) => Effect.Effect<A, StoreError>

export interface Service {
  /** Values that requests share. */
  readonly profile: <A extends NonNullable<unknown>>(derive: Derive<A>) => Profile<A>

  /** A setting as it was within the last second; none if it is not set. */
  readonly get: <A>(owner: Owner, setting: Setting<A>) => Effect.Effect<Option.Option<A>, StoreError>

  /** The settings of a family by their keys, in the order of the keys' code points. */
  readonly all: <A>(owner: Owner, family: Family<A>) => Effect.Effect<ReadonlyMap<string, A>, StoreError>

  /**
   * Sets a value that came from outside, and answers it as its schema decodes it. Fails with `BadRequest` where it is
   * not valid, naming each field, or where it would be one too many of its family.
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

  /**
   * Writes a service's own state next to the operators' settings, or removes it if null. It does not come from outside,
   * and is not checked. Returns `false` if the account does not exist.
   */
  readonly note: <A>(owner: Owner, state: Setting<A>, value: A | null) => Effect.Effect<boolean, StoreError>
}

/**
 * @example
 * ```ts
 * import * as Setting from "@watchword/store/Setting"
 * import * as Settings from "@watchword/store/Settings"
 * import { memory } from "@watchword/store/MemoryStore"
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
 * program.pipe(Effect.provide(Settings.layer.pipe(Layer.provide(memory()))))
 * ```
 */
export class Settings extends Context.Service<Settings, Service>()("@watchword/store/Settings") {}

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const snapshots = yield* Snapshots.make((texts) => ({ texts, values: valuesFrom(texts) }))

  const valuesOf = (owner: Owner) => Effect.map(snapshots.of(owner), ({ values }) => values)

  const profile = <A extends NonNullable<unknown>>(derive: Derive<A>): Profile<A> => {
    const made = new WeakMap<Values, { readonly common: Values; readonly value: Effect.Effect<A, StoreError> }>()
    const derived = (own: Values, common: Values, at: number): Effect.Effect<A, StoreError> => {
      const before = made.get(own)
      if (before !== undefined && before.common === common) return before.value
      const value = Effect.fromResult(derive(own, common, at))
      made.set(own, { common, value })
      return value
    }
    return (account, now) => {
      const own = snapshots.known(account, now)
      const common = snapshots.known(null, now)
      if (own === undefined || common === undefined) {
        const read = Effect.zip(valuesOf(account), valuesOf(null))
        return Effect.flatMap(read, ([own, common]) => derived(own, common, now))
      }
      return derived(own.values, common.values, now)
    }
  }

  /** Read before an operator's change, because another operator may have changed them a moment ago. */
  const freshTextsOf = (owner: Owner) =>
    Effect.andThen(
      snapshots.forget(owner),
      Effect.map(snapshots.of(owner), ({ texts }) => texts)
    )

  // The cache is cleared even if the answer was lost, because the setting may have changed.
  const write = (account: Owner, name: string, value: string | null): Effect.Effect<boolean, StoreError> =>
    Effect.ensuring(store.changeSetting({ account, name, value }), snapshots.forget(account))

  const change = Effect.fnUntraced(function* (account: Owner, name: string, value: string | null) {
    if (!(yield* write(account, name, value))) return yield* new NotFound({ message: "There is no such account." })
  })

  const get = <A>(owner: Owner, setting: Setting<A>): Effect.Effect<Option.Option<A>, StoreError> =>
    Effect.flatMap(valuesOf(owner), (values) =>
      Effect.fromResult(Result.map(values.get(setting), Option.fromUndefinedOr))
    )

  const all = <A>(owner: Owner, family: Family<A>): Effect.Effect<ReadonlyMap<string, A>, StoreError> =>
    Effect.flatMap(valuesOf(owner), (values) => Effect.fromResult(values.all(family)))

  const set = Effect.fnUntraced(function* <A>(owner: Owner, setting: Setting<A>, value: unknown) {
    const checked = yield* setting.check(value)
    if (setting.family !== null) {
      const { most, prefix, title } = setting.family
      const texts = yield* freshTextsOf(owner)
      const others = [...texts.keys()].filter((name) => name.startsWith(prefix) && name !== setting.name)
      if (others.length >= most)
        return yield* new BadRequest({ message: `There may be at most ${most} of a ${title}.` })
    }
    yield* change(owner, setting.name, setting.write(checked))
    return checked
  })

  const remove = Effect.fnUntraced(function* (owner: Owner, { name }: Pick<Setting<never>, "name">) {
    // No such name is ever set, and not every database can be asked for it.
    if (UNKEEPABLE.test(name)) return false
    const isSet = (yield* freshTextsOf(owner)).has(name)
    yield* change(owner, name, null)
    return isSet
  })

  const note = <A>(owner: Owner, state: Setting<A>, value: A | null): Effect.Effect<boolean, StoreError> =>
    write(owner, state.name, value === null ? null : state.write(value))

  return Settings.of({ profile, get, all, set, remove, note })
})

const UNKEEPABLE = /\0|\p{Surrogate}/u

export const layer: Layer.Layer<Settings, never, Store> = Layer.effect(Settings, make)

/** The installation, and each account. */
export const owners: Effect.Effect<ReadonlyArray<Owner>, StoreError, Store> = Store.use((store) =>
  Effect.map(store.accounts, (accounts) => [null, ...accounts.map(({ account }) => account.id)])
)

/** Fails for an account that there is not. */
export const exists = Effect.fnUntraced(function* (owner: Owner): Effect.fn.Return<void, NotFound | StoreError, Store> {
  if (owner === null || Option.isSome(yield* Store.use((store) => store.account(owner)))) return
  return yield* new NotFound({ message: "There is no such account." })
})

/** The value of an owner's setting; null if it is not set. */
export const valueOf = <A>(owner: Owner, setting: Setting<A>): Effect.Effect<A | null, StoreError, Settings> =>
  Settings.use((settings) => Effect.map(settings.get(owner, setting), Option.getOrNull))
