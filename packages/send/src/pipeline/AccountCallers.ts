/**
 * The callers of an account's flash calls that name no caller: each call takes a random number from a pool.
 *
 * The account's list of callers restricts the pool for live calls, as it restricts the callers that calls name.
 */
import * as Accounts from "@watchword/ledger/Accounts"
import {
  type CallerPool,
  CallerRanges,
  FEWEST_ENDINGS,
  poolOfCallers,
  commonPool,
  drawCaller,
  endingsOf,
  hasCaller
} from "@watchword/schemas/Originators"
import { BadRequest, type NotFound } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import * as Setting from "@watchword/store/Setting"
import { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { CallerRests } from "./CallerRests.ts"

const AccountCallers = Schema.Struct({
  /** Numbers, and ranges such as `+4930901820000-+4930901820999`. */
  callers: CallerRanges,
  /** Whether calls verify although the pool has fewer than 1,000 endings. */
  allowSmall: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

/** The pool as its operator set it. */
export type AccountCallers = typeof AccountCallers.Type

const setting = Setting.make({ name: "callers", title: "pool of callers", schema: AccountCallers })

/** A pool that calls may be made from. */
export interface Callers extends Pick<AccountCallers, "allowSmall"> {
  readonly pool: CallerPool
}

/** The callers of a principal's calls; none if the account has no pool, or may use no number of it. */
export const of = Effect.fnUntraced(function* ({
  account,
  mode
}: Principal): Effect.fn.Return<Option.Option<Callers>, StoreError, Settings> {
  const settings = yield* Settings
  return Option.flatMap(yield* settings.get(account.id, setting), ({ allowSmall, callers }) => {
    const all = poolOfCallers(callers)
    const list = mode === "sandbox" ? null : account.originators.callers
    const pool = list === null ? all : commonPool(all, poolOfCallers(list))
    return pool.size === 0 ? Option.none() : Option.some({ pool, allowSmall })
  })
})

/** A caller for one call, at random; none if there is no pool. */
export const pick = Effect.fnUntraced(function* (
  principal: Principal
): Effect.fn.Return<Option.Option<E164>, StoreError, Settings> {
  const callers = yield* of(principal)
  return Option.isNone(callers) ? Option.none() : Option.fromNullishOr(yield* draw(callers.value.pool))
})

/**
 * A number of a pool, at random. A resting caller is redrawn, a few times. Null for an empty pool.
 *
 * A tenth of the pool rests at most, the callers that were blocked last: the odds to guess one of the others stay
 * nearly the same.
 */
export const draw = (pool: CallerPool): Effect.Effect<E164 | null> =>
  Effect.gen(function* () {
    const resting = (yield* CallerRests).resting(yield* Clock.currentTimeMillis)
    const most = pool.size < 2 ? 0 : Math.max(1, Math.floor(pool.size / MOST_RESTING))
    const left = new Set<string>(resting.filter((caller) => hasCaller(pool, caller)).slice(0, most))
    for (let tries = 1; ; tries++) {
      const caller = drawCaller(pool, random())
      if (caller === null || !left.has(caller) || tries >= MOST_TRIES) return caller
    }
  })

/** The part of a pool that rests at most, as a divisor. */
const MOST_RESTING = 10
/** With at most half of a pool at rest, one in a billion draws is of a caller that rests. */
const MOST_TRIES = 30

/** From 0 up to 1, from a cryptographic source: a caller's digits are a code, which other draws must not reveal. */
const random = (): number => {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return ((high >>> 6) * 2 ** 27 + (low >>> 5)) / 2 ** 53
}

/** Whether the last digits of a caller are as good as a code of this length. */
export const areEnough = ({ allowSmall, pool }: Callers, length: number): boolean =>
  allowSmall || endingsOf(pool, length) >= FEWEST_ENDINGS

/** The pool as it was set; none if it was not set. */
export const get = (account: AccountId): Effect.Effect<Option.Option<AccountCallers>, StoreError, Settings> =>
  Settings.use((settings) => settings.get(account, setting))

/**
 * Sets the pool of an account. Fails with `BadRequest`, naming the entry, where one is not valid, or has a number that
 * the account's list of callers does not let through.
 */
export const set = Effect.fnUntraced(function* (
  id: AccountId,
  wanted: typeof AccountCallers.Encoded
): Effect.fn.Return<AccountCallers, BadRequest | NotFound | StoreError, Accounts.Accounts | Settings> {
  const settings = yield* Settings
  const { account } = yield* Accounts.Accounts.use((accounts) => accounts.get(id))
  const { callers } = yield* setting.check(wanted)
  const list = account.originators.callers
  const allowed = list === null ? null : poolOfCallers(list)
  const issues = callers.flatMap((entry, index) => {
    const pool = poolOfCallers([entry])
    return allowed === null || commonPool(pool, allowed).size === pool.size
      ? []
      : [{ path: `callers[${index}]`, message: "must be within the account's list of callers" }]
  })
  if (issues.length > 0) return yield* new BadRequest({ message: "The pool of callers is not valid.", issues })
  return yield* settings.set(id, setting, wanted)
})

/** Takes the pool away, and answers whether there was one. */
export const remove = (account: AccountId): Effect.Effect<boolean, NotFound | StoreError, Settings> =>
  Settings.use((settings) => settings.remove(account, setting))
