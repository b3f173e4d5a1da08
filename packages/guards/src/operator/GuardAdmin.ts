/**
 * The operator's side of guards: rules of accounts, blocks and exceptions. Changes are effective in every process
 * within a second.
 *
 * An owner is an account, or null for the whole installation.
 */
import { BadRequest, type NotFound, TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { sha256 } from "@watchword/schemas/Sha256"
import type { Counter } from "@watchword/store/Counters"
import { type Owner, Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Blocks from "./Blocks.ts"
import * as GuardSettings from "./GuardSettings.ts"
import { type Rules, isNone, none } from "../Rules.ts"
import { UsualRules } from "../internal/UsualRules.ts"

type Failure = BadRequest | NotFound | StoreError

/** The settings of an owner. */
export interface Shown {
  /** The rules of an account; null if it has no rules of its own, and for the installation. */
  readonly rules: Rules | null
  /** The rules that hold for live sends, and whose they are. */
  readonly inForce: { readonly from: "account" | UsualRules["from"]; readonly rules: Rules }
  /** Blocks that have not ended, by place. */
  readonly blocks: ReadonlyMap<string, Blocks.Block>
  /** When each ends, in milliseconds since the epoch, by number; infinite for an exception without an end. */
  readonly exceptions: ReadonlyMap<string, number>
  /** The same of passes, which support has made for a day. */
  readonly passes: ReadonlyMap<string, number>
}

/**
 * Sets the rules of an account instead of all others; `"none"` has nothing hold for it. Fails with `BadRequest`, naming
 * each field that is wrong.
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
    exceptions: endsAfter(exceptions, now),
    passes: endsAfter(yield* settings.all(owner, GuardSettings.passes), now)
  }
})

const endsAfter = (exceptions: ReadonlyMap<string, GuardSettings.Exception>, now: number) =>
  new Map(
    [...exceptions].map(([number, each]) => [number, GuardSettings.endOf(each)] as const).filter(([, end]) => end > now)
  )

/**
 * Blocks a prefix of numbers such as `+2348`, a country such as `NG`, or with `001` all numbers of no country.
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
    return yield* invalid(
      "place",
      "must be the first digits of numbers, such as +2348, a country, such as NG, or 001 for numbers of no country"
    )
  }
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  yield* prune(settings, owner, now)
  return yield* settings.set(owner, GuardSettings.blocks.of(place), { until: now + duration, by })
})

/**
 * Lets a number pass whatever the rules and blocks say, within wider limits by number. Returns its end, in milliseconds
 * since the epoch; null if it does not end.
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

/** How many passes one operator may make in an hour: a help desk is asked for them by the wrong people too. */
const MOST_PASSES: Pick<Counter, "window" | "slice" | "limit"> = { window: 3_600_000 - 1, slice: 1, limit: 10 }

/**
 * Lets a number pass blocks, countries and pumping for a day, within wider limits by number, and no type of numbers or
 * prefix that rules deny; or for as long as it is allowed already where that is longer. Answers as {@link allow} does.
 *
 * @param operator whose passes are counted
 */
export const pass = Effect.fnUntraced(function* (
  owner: Owner,
  number: string,
  operator: string
): Effect.fn.Return<number | null, Failure | TooManyRequests, Settings | Store> {
  if (!GuardSettings.isNumber(number)) return yield* notNumber
  const settings = yield* Settings
  const before = yield* settings.get(owner, GuardSettings.exceptions.of(number))
  const end = Option.match(before, { onNone: () => 0, onSome: GuardSettings.endOf })
  const now = yield* Clock.currentTimeMillis
  const until = now + DAY
  if (end >= until) return end === Number.POSITIVE_INFINITY ? null : end
  const store = yield* Store
  const counter = { ...MOST_PASSES, key: `pass.${sha256(operator).slice(0, 32)}`, amount: 1 }
  const { added, counted, tallies } = yield* store.count([counter])
  if (!counted) return yield* tooManyPasses(tallies[0]?.freeIn ?? 0)
  yield* prune(settings, owner, now)
  const set = settings.set(owner, GuardSettings.passes.of(number), { until })
  yield* Effect.tapError(set, () => store.uncount(added))
  return until
})

const tooManyPasses = (freeIn: number) =>
  new TooManyRequests({
    message: `An operator lets ${MOST_PASSES.limit} numbers pass in an hour; the role operator has \`guard allow\`.`,
    reason: "limit_passes",
    retryAfter: Math.max(1, Math.ceil(freeIn / 1000))
  })

/** Takes away the rules of an account, which is then under the installation's. Answers whether there were any. */
export const removeRules = (account: AccountId): Effect.Effect<boolean, NotFound | StoreError, Settings> =>
  Settings.use((settings) => settings.remove(account, GuardSettings.rules))

/**
 * Takes away a block, or an exception. Answers whether there was one. Where a guard has made the block, its counters
 * would have it blocked again by the next send, so the guard ignores the place until the block would have ended.
 */
export const remove = Effect.fnUntraced(function* (
  owner: Owner,
  entry: string
): Effect.fn.Return<boolean, NotFound | StoreError, Settings> {
  const settings = yield* Settings
  const wasBlock = yield* unblock(settings, owner, entry)
  const wasException = yield* settings.remove(owner, GuardSettings.exceptions.of(entry))
  const wasPass = yield* settings.remove(owner, GuardSettings.passes.of(entry))
  return wasBlock || wasException || wasPass
})

const unblock = Effect.fnUntraced(function* (settings: Settings["Service"], owner: Owner, place: string) {
  const setting = GuardSettings.blocks.of(place)
  const block = Option.getOrUndefined(yield* settings.get(owner, setting))
  const now = yield* Clock.currentTimeMillis
  if (block?.by !== "pumping" || block.until <= now) return yield* settings.remove(owner, setting)
  if (block.released === true) return false
  return yield* settings.note(owner, setting, { ...block, released: true })
})

/** Ended entries are removed with the next block or exception, so that it never fills the settings of an owner. */
const prune = Effect.fnUntraced(function* (settings: Settings["Service"], owner: Owner, now: number) {
  for (const [number, exception] of yield* settings.all(owner, GuardSettings.exceptions)) {
    if (GuardSettings.endOf(exception) <= now) yield* settings.remove(owner, GuardSettings.exceptions.of(number))
  }
  for (const [number, { until }] of yield* settings.all(owner, GuardSettings.passes)) {
    if (until <= now) yield* settings.remove(owner, GuardSettings.passes.of(number))
  }
  for (const [place, { until }] of yield* settings.all(owner, GuardSettings.blocks)) {
    if (until <= now) yield* settings.remove(owner, GuardSettings.blocks.of(place))
  }
})

const invalid = (path: string, message: string): BadRequest =>
  new BadRequest({ message: `The ${path} is not valid.`, issues: [{ path, message }] })

const notNumber = Effect.suspend(() => Effect.fail(invalid("number", "must be a phone number in E.164 form")))
