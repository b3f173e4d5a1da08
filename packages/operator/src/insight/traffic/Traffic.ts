/**
 * Figures of traffic: queries on the roll-up's rows.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { COUNTS, DELAYS, HOUR, type Dimension, type TrafficKey, hourOf } from "@watchword/store/Traffic"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { PLACE } from "./Measures.ts"

/** What figures may be kept apart by. */
export const BY = ["hour", "account", "channel", "carrier", "country"] as const satisfies ReadonlyArray<Dimension>
export type By = (typeof BY)[number]

const USUAL: ReadonlyArray<By> = ["channel", "carrier", "country"]

export interface TrafficInput {
  /** A day ago unless given; figures are of whole hours. */
  readonly since?: Date | undefined
  /** Only this account's figures. */
  readonly account?: AccountId | undefined
  /** Channel, carrier and country unless given. */
  readonly by?: ReadonlyArray<By> | undefined
  /** Whether sends of the sandbox are meant, and not the live ones. */
  readonly sandbox?: boolean | undefined
}

/** Counts are of messages and calls that were begun in the hours; `cost` and `price` are EUR. */
export interface TrafficLine {
  readonly hour?: Date
  readonly account?: AccountId
  readonly channel?: string
  /** Empty for a send that no carrier was asked for. */
  readonly carrier?: string
  /** ISO 3166-1 alpha-2; empty if the number belongs to no country. */
  readonly country?: string
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  /** Sends whose user is known to have entered the code. */
  readonly approved: number
  readonly expired: number
  readonly blocked: number
  readonly cost: number
  readonly price: number
  /**
   * Seconds after which half of the deliveries were known to have arrived, and 95 of 100: the upper bound of a step of
   * the scale of delays. Null for no deliveries, and for more than half an hour.
   */
  readonly delay: { readonly p50: number | null; readonly p95: number | null }
}

export interface TrafficFigures {
  readonly since: Date
  readonly until: Date
  /** Rows with the most sends first; by hour, in the order of hours. */
  readonly rows: ReadonlyArray<TrafficLine>
}

export const traffic = Effect.fnUntraced(function* ({
  account,
  by = USUAL,
  sandbox = false,
  since
}: TrafficInput): Effect.fn.Return<TrafficFigures, BadRequest | StoreError, Store> {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const [from, until] = [hourOf(since?.getTime() ?? now - 24 * HOUR), hourOf(now) + 1]
  if (from >= until) {
    const issues = [{ path: "since", message: "must be a time before now" }]
    return yield* new BadRequest({ message: "The time is not valid.", issues })
  }
  const sums = yield* store.traffic({ since: from, until, account: account ?? null, by: ["mode", ...by] })
  const rows = sums
    .filter(({ amounts, key }) => (key.mode === "sandbox") === sandbox && amounts.some((amount) => amount !== 0))
    .map(({ amounts, key }) => lineOf(key, amounts))
  return {
    since: new Date(from * HOUR),
    until: new Date(until * HOUR),
    rows: by.includes("hour") ? rows : rows.toSorted((one, other) => other.sent - one.sent)
  }
})

const lineOf = (key: Partial<TrafficKey>, amounts: ReadonlyArray<number>): TrafficLine => {
  const amount = (name: keyof typeof PLACE): number => amounts[PLACE[name]] ?? 0
  const delays = amounts.slice(COUNTS.length)
  return {
    ...(key.hour === undefined ? {} : { hour: new Date(key.hour * HOUR) }),
    ...Struct.omit(key, ["hour", "mode"]),
    sent: amount("sent"),
    delivered: amount("delivered"),
    failed: amount("failed"),
    approved: amount("approved"),
    expired: amount("expired"),
    blocked: amount("blocked"),
    cost: amount("cost") / 1_000_000,
    price: amount("price") / 1_000_000,
    delay: { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) }
  }
}

/** The upper bound, in seconds, of the step in which a share of delays lies; null for none, and above the scale. */
export const quantile = (counts: ReadonlyArray<number>, share: number): number | null => {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share
  let sum = 0
  const place = counts.findIndex((count) => (sum += count) >= wanted && count > 0)
  return DELAYS[place] ?? null
}
