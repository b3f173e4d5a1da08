/**
 * Live sends and verifications that rules of guards have refused, or would have: of the last hour and of the last day.
 */
import type { TooManyRequests } from "@watchword/schemas/Errors"
import { type AccountId, timeOfUlid } from "@watchword/schemas/Ids"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { REASONS } from "@watchword/send/pipeline"
import type { Newest, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { type Page, walk } from "../../commands/Newest.ts"
import { guardReasons, isBlocked } from "../why/Sends.ts"

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

export interface Trips {
  /** How many sends the rule has refused. */
  readonly refused: number
  /** How many it let through that it would have refused, were its action `deny`. */
  readonly noted: number
}

export interface RuleTrips {
  /** The reason on records, such as `limit_ip` or `prefix_blocked`. */
  readonly rule: string
  readonly account: AccountId
  readonly hour: Trips
  readonly day: Trips
}

export interface Found {
  /** The most of the day first. */
  readonly trips: ReadonlyArray<RuleTrips>
  /**
   * Since when refusals were looked at, and since when what would have been: a day ago, or later where there were many.
   */
  readonly refusedSince: number
  readonly notedSince: number
}

/** The most records that are counted of each kind. */
const COUNTED = 2_000

/** The most records that are searched for records noted by rules, which only their details show. */
const LOOKED_AT = 6_000

export const trips = Effect.fnUntraced(function* (
  now: number
): Effect.fn.Return<Found, StoreError | TooManyRequests, ChannelRegistry | Store> {
  const { products } = yield* ChannelRegistry
  const of = (where: Newest["where"], most?: number) =>
    walk(
      {
        since: Math.max(0, now - DAY),
        until: now + 1,
        before: null,
        account: null,
        mode: "live",
        channels: products.map(({ name }) => name),
        where,
        limit: COUNTED
      },
      most
    )
  const refused = yield* of([{ _tag: "In", field: "status", values: [BLOCKED] }])
  const noted = yield* of([{ _tag: "Range", field: `details.${REASONS}`, gte: "" }], LOOKED_AT)
  const found = new Map<string, RuleTrips>()
  for (const row of [...refused.rows, ...noted.rows.filter((row) => !isBlocked(row))]) {
    const one = isBlocked(row) ? { refused: 1, noted: 0 } : { refused: 0, noted: 1 }
    const isOfHour = row.createdAt >= now - HOUR
    for (const rule of guardReasons(row)) {
      const key = `${row.account} ${rule}`
      const { day, hour } = found.get(key) ?? { day: none, hour: none }
      found.set(key, { rule, account: row.account, hour: isOfHour ? plus(hour, one) : hour, day: plus(day, one) })
    }
  }
  const since = ({ next }: Page): number => (next === null ? now - DAY : timeOfUlid(next))
  return {
    trips: [...found.values()].toSorted((a, b) => sum(b.day) - sum(a.day) || a.rule.localeCompare(b.rule)),
    refusedSince: since(refused),
    notedSince: since(noted)
  }
})

const BLOCKED = "blocked"

const none: Trips = { refused: 0, noted: 0 }

const plus = (a: Trips, b: Trips): Trips => ({ refused: a.refused + b.refused, noted: a.noted + b.noted })

const sum = ({ noted, refused }: Trips): number => noted + refused
