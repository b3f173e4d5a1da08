/**
 * Figures of traffic: queries on the roll-up's rows.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import {
  AMOUNTS,
  COUNTS,
  DELAYS,
  HOUR,
  type Dimension,
  type TrafficKey,
  type TrafficSum,
  hourOf
} from "@watchword/store/Traffic"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { PLACE } from "./Measures.ts"

/** The dimensions by which figures may be kept apart. A day begins at midnight in UTC. */
export const BY = ["hour", "day", "account", "channel", "carrier", "country"] as const
export type By = (typeof BY)[number]

const WHERE = ["channel", "carrier", "country"] as const

const USUAL: ReadonlyArray<By> = ["channel", "carrier", "country"]

export interface TrafficInput {
  /** A day ago unless given; figures are of whole hours. */
  readonly since?: Date | undefined
  /** The end, which the hour in which it lies still belongs to unless it begins then; now unless given. */
  readonly until?: Date | undefined
  /** Only figures of this channel, carrier or country; empty for sends without one. */
  readonly channel?: string | undefined
  readonly carrier?: string | undefined
  readonly country?: string | undefined
  /** Only this account's figures. */
  readonly account?: AccountId | undefined
  /** Channel, carrier and country unless given. */
  readonly by?: ReadonlyArray<By> | undefined
  /** Whether sends of the sandbox are meant, and not the live ones. */
  readonly sandbox?: boolean | undefined
}

/** Counts are of messages and calls that were begun in the hours; `price`, `cost` and `margin` are EUR. */
export interface TrafficLine {
  readonly hour?: Date
  readonly day?: Date
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
  /** What accounts paid. */
  readonly price: number
  /** What carriers ask, where records say so. */
  readonly cost: number
  /** The price less the cost. */
  readonly margin: number
  /**
   * Seconds after which half of the deliveries were known to have arrived, and 95 of 100: the upper bound of a step of
   * the scale of delays. Null for no deliveries, and for more than half an hour.
   */
  readonly delay: { readonly p50: number | null; readonly p95: number | null }
}

export interface TrafficFigures {
  readonly since: Date
  readonly until: Date
  /** Rows with the most sends first; by hour or day, in the order of time. */
  readonly rows: ReadonlyArray<TrafficLine>
  /** Of all rows together. */
  readonly total: TrafficLine
}

export const traffic = Effect.fnUntraced(function* ({
  account,
  by = USUAL,
  sandbox = false,
  since,
  until,
  ...where
}: TrafficInput): Effect.fn.Return<TrafficFigures, BadRequest | StoreError, Store> {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const end = Math.min(
    until === undefined ? Number.POSITIVE_INFINITY : hourOf(until.getTime() - 1) + 1,
    hourOf(now) + 1
  )
  const from = hourOf(since?.getTime() ?? now - 24 * HOUR)
  if (from >= end) {
    const issues = [{ path: "since", message: `must be a time before ${until === undefined ? "now" : "until"}` }]
    return yield* new BadRequest({ message: "The time is not valid.", issues })
  }
  const filtered = WHERE.filter((dimension) => where[dimension] !== undefined)
  const sums = yield* store.traffic({
    since: from,
    until: end,
    account: account ?? null,
    by: [...new Set<Dimension>(["mode", ...by.map((each) => (each === "day" ? "hour" : each)), ...filtered])]
  })
  const found = sums.filter(
    ({ key }) =>
      (key.mode === "sandbox") === sandbox && filtered.every((dimension) => key[dimension] === where[dimension])
  )
  const rows = grouped(found, by)
    .filter(({ amounts }) => amounts.some((amount) => amount !== 0))
    .map(lineOf)
  return {
    since: new Date(from * HOUR),
    until: new Date(end * HOUR),
    total: lineOf({ key: {}, amounts: totalOf(found) }),
    rows: by.includes("hour") || by.includes("day") ? rows : rows.toSorted((one, other) => other.sent - one.sent)
  }
})

/** The dimensions that a line keeps, and the hour that its day begins with. */
type LineKey = Partial<TrafficKey> & { readonly day?: number }

interface Group {
  readonly key: LineKey
  readonly amounts: ReadonlyArray<number>
}

/** Sums over all dimensions except the given ones. */
const grouped = (sums: ReadonlyArray<TrafficSum>, by: ReadonlyArray<By>): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const { amounts, key } of sums) {
    const day = key.hour === undefined ? 0 : Math.floor(key.hour / 24) * 24
    const kept: LineKey = Object.fromEntries(by.map((each) => [each, each === "day" ? day : key[each]]))
    const name = JSON.stringify(Object.values(kept))
    const before = groups.get(name)?.amounts
    groups.set(name, { key: kept, amounts: amounts.map((amount, place) => amount + (before?.[place] ?? 0)) })
  }
  return [...groups.values()]
}

/** Whole numbers, so that no sum is rounded. */
const totalOf = (sums: ReadonlyArray<TrafficSum>): ReadonlyArray<number> =>
  Array.from({ length: AMOUNTS }, (_, place) => sums.reduce((sum, { amounts }) => sum + (amounts[place] ?? 0), 0))

const lineOf = ({ amounts, key }: Group): TrafficLine => {
  const amount = (name: keyof typeof PLACE): number => amounts[PLACE[name]] ?? 0
  const delays = amounts.slice(COUNTS.length)
  return {
    ...(key.hour === undefined ? {} : { hour: new Date(key.hour * HOUR) }),
    ...(key.day === undefined ? {} : { day: new Date(key.day * HOUR) }),
    ...Struct.omit(key, ["day", "hour", "mode"]),
    sent: amount("sent"),
    delivered: amount("delivered"),
    failed: amount("failed"),
    approved: amount("approved"),
    expired: amount("expired"),
    blocked: amount("blocked"),
    price: amount("price") / 1_000_000,
    cost: amount("cost") / 1_000_000,
    margin: (amount("price") - amount("cost")) / 1_000_000,
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
