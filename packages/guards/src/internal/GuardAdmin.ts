/**
 * The operator's side of guards: rules of accounts, blocks and exceptions. Changes are effective in every process within a
 * second.
 *
 * An owner is an account, or null for the whole installation.
 */
import { BadRequest, type NotFound } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { type Owner, Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Blocks from "./Blocks.ts"
import { isNone, none } from "../DefaultRules.ts"
import * as GuardSettings from "./GuardSettings.ts"
import type { Rules } from "../Rules.ts"
import { UsualRules } from "./UsualRules.ts"

type Failure = BadRequest | NotFound | StoreError

/** What is set for an owner. */
export interface Shown {
  /** The rules of an account; null where it has none of its own, and for the installation. */
  readonly rules: Rules | null
  /** The rules that hold for live sends, and whose they are. */
  readonly inForce: { readonly from: "account" | UsualRules["from"]; readonly rules: Rules }
  /** Those that have not ended, by their places. */
  readonly blocks: ReadonlyMap<string, Blocks.Block>
  /** When each ends, in milliseconds since the epoch, by their numbers; infinite for one that does not. */
  readonly exceptions: ReadonlyMap<string, number>
}

/**
 * Sets the rules of an account in place of all others; `"none"` has nothing hold for it. Fails with `BadRequest`, naming each
 * field that is wrong.
 */
export const set = (account: AccountId, rules: unknown): Effect.Effect<Rules, Failure, Settings> =>
  Settings.use((settings) => settings.set(account, GuardSettings.rules, rules === "none" ? none : rules))

/** How many accounts have rules of their own, and how many of these rules that guard nothing. */
export interface OwnRules {
  readonly accounts: number
  readonly own: number
  readonly none: number
}

export const countRules = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<AccountId>
): Effect.fn.Return<OwnRules, StoreError, Settings> {
  const settings = yield* Settings
  const found = yield* Effect.forEach(accounts, (account) => settings.get(account, GuardSettings.rules), {
    concurrency: AT_ONCE
  })
  const own = found.flatMap(Option.toArray)
  return { accounts: accounts.length, own: own.length, none: own.filter(isNone).length }
})

const AT_ONCE = 16

export const show = Effect.fnUntraced(function* (owner: Owner): Effect.fn.Return<Shown, StoreError, Settings> {
  const settings = yield* Settings
  const rules = owner === null ? null : Option.getOrNull(yield* settings.get(owner, GuardSettings.rules))
  const usual = yield* UsualRules
  const now = yield* Clock.currentTimeMillis
  const blocks = yield* settings.all(owner, GuardSettings.blocks)
  const exceptions = yield* settings.all(owner, GuardSettings.exceptions)
  return {
    rules,
    inForce: rules === null ? { from: usual.from, rules: usual.of("live") } : { from: "account", rules },
    blocks: new Map([...blocks].filter(([, block]) => Blocks.holds(block, now))),
    exceptions: new Map(
      [...exceptions]
        .map(([number, each]) => [number, GuardSettings.endOf(each)] as const)
        .filter(([, end]) => end > now)
    )
  }
})

/**
 * Blocks a prefix of numbers such as `+2348`, or a country such as `NG`.
 *
 * @param duration in milliseconds
 */
export const block = Effect.fnUntraced(function* (
  owner: Owner,
  place: string,
  duration: number,
  by: Blocks.Block["by"] = "operator"
): Effect.fn.Return<Blocks.Block, Failure, Settings> {
  if (!GuardSettings.isPlace(place)) {
    return yield* invalid("place", "must be the first digits of numbers, such as +2348, or a country, such as NG")
  }
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  yield* prune(settings, owner, now)
  return yield* settings.set(owner, GuardSettings.blocks.of(place), { until: now + duration, by })
})

/**
 * Lets a number pass whatever the rules and blocks say. Answers the end of that, in milliseconds since the epoch; null where
 * it has none.
 *
 * @param duration in milliseconds; null for as long as it is not taken away
 */
export const allow = Effect.fnUntraced(function* (
  owner: Owner,
  number: string,
  duration: number | null
): Effect.fn.Return<number | null, Failure, Settings> {
  if (!GuardSettings.isNumber(number)) return yield* notNumber
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  yield* prune(settings, owner, now)
  const until = duration === null ? null : now + duration
  yield* settings.set(owner, GuardSettings.exceptions.of(number), until === null ? true : { until })
  return until
})

/** How long support lets a number pass, in milliseconds. */
const DAY = 86_400_000

/** Lets a number pass for a day, or for as long as it does already where that is longer. Answers as {@link allow} does. */
export const pass = Effect.fnUntraced(function* (
  owner: Owner,
  number: string
): Effect.fn.Return<number | null, Failure, Settings> {
  if (!GuardSettings.isNumber(number)) return yield* notNumber
  const settings = yield* Settings
  const before = yield* settings.get(owner, GuardSettings.exceptions.of(number))
  const end = Option.match(before, { onNone: () => 0, onSome: GuardSettings.endOf })
  const until = (yield* Clock.currentTimeMillis) + DAY
  if (end < until) return yield* allow(owner, number, DAY)
  return end === Number.POSITIVE_INFINITY ? null : end
})

/** Takes away the rules of an account, which is then under the installation's. Answers whether there were any. */
export const removeRules = (account: AccountId): Effect.Effect<boolean, NotFound | StoreError, Settings> =>
  Settings.use((settings) => settings.remove(account, GuardSettings.rules))

/**
 * Takes away a block, or an exception. Answers whether there was one. Where a guard has made the block, its counters
 * would have it blocked again by the next send, so the guard leaves the place alone until the block would have ended.
 */
export const remove = Effect.fnUntraced(function* (
  owner: Owner,
  entry: string
): Effect.fn.Return<boolean, NotFound | StoreError, Settings> {
  const settings = yield* Settings
  const wasBlock = yield* unblock(settings, owner, entry)
  const wasException = yield* settings.remove(owner, GuardSettings.exceptions.of(entry))
  return wasBlock || wasException
})

const unblock = Effect.fnUntraced(function* (settings: Settings["Service"], owner: Owner, place: string) {
  const setting = GuardSettings.blocks.of(place)
  const block = Option.getOrUndefined(yield* settings.get(owner, setting))
  const now = yield* Clock.currentTimeMillis
  if (block?.by !== "pumping" || block.until <= now) return yield* settings.remove(owner, setting)
  if (block.released === true) return false
  return yield* settings.note(owner, setting, { ...block, released: true })
})

/** What has ended is taken away with the next block or exception, so that it never fills the settings of an owner. */
const prune = Effect.fnUntraced(function* (settings: Settings["Service"], owner: Owner, now: number) {
  for (const [number, exception] of yield* settings.all(owner, GuardSettings.exceptions)) {
    if (GuardSettings.endOf(exception) <= now) yield* settings.remove(owner, GuardSettings.exceptions.of(number))
  }
  for (const [place, { until }] of yield* settings.all(owner, GuardSettings.blocks)) {
    if (until <= now) yield* settings.remove(owner, GuardSettings.blocks.of(place))
  }
})

const invalid = (path: string, message: string): BadRequest =>
  new BadRequest({ message: `The ${path} is not valid.`, issues: [{ path, message }] })

const notNumber = Effect.suspend(() => Effect.fail(invalid("number", "must be a phone number in E.164 form")))
