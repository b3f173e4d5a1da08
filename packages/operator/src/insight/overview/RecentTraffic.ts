/**
 * Live traffic of this hour and the one before, by three sums of the roll-up: its price by country and by account,
 * and how long receipts of each carrier took, compared with the day before.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { COUNTS, HOUR, type TrafficSum, hourOf } from "@watchword/store/Traffic"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { look } from "../../command/SlowReads.ts"
import { PLACE } from "../traffic/Measures.ts"
import { quantile } from "../traffic/Traffic.ts"
import { kept } from "./Kept.ts"

/** How soon receipts came. */
export interface Delay {
  readonly receipts: number
  /** Seconds after which half of them had come; null for none, and for more than half an hour. */
  readonly p50: number | null
}

export interface CarrierDelay {
  readonly channel: string
  readonly carrier: string
  readonly now: Delay
  readonly usual: Delay
}

export interface RecentTraffic {
  /** When the hour before this one began. */
  readonly since: number
  /** Micro-euros that accounts paid, by country; numbers of no country under an empty text. */
  readonly costs: ReadonlyMap<string, number>
  /** Micro-euros by account. */
  readonly spent: ReadonlyMap<AccountId, number>
  readonly carriers: ReadonlyArray<CarrierDelay>
}

const DAY = 24

const dayBefore = kept<ReadonlyArray<TrafficSum>>()

export const recentTraffic = Effect.fnUntraced(function* (
  now: number
): Effect.fn.Return<RecentTraffic, StoreError, Store> {
  const store = yield* Store
  const since = hourOf(now) - 1
  const live = (query: Parameters<typeof store.traffic>[0]) =>
    Effect.map(look(store.traffic(query)), (sums) => sums.filter(({ key }) => key.mode === "live"))
  const recent = { since, until: since + 2, account: null }
  const byPlace = yield* live({ ...recent, by: ["mode", "channel", "carrier", "country"] })
  const byAccount = yield* live({ ...recent, by: ["mode", "account"] })
  const yesterday = { since: Math.max(0, since - DAY), until: since, account: null }
  const before = yield* dayBefore(now, live({ ...yesterday, by: ["mode", "channel", "carrier"] }))
  const usual = new Map(before.map((sum) => [carrierOf(sum), delayOf([sum])]))
  return {
    since: since * HOUR,
    costs: new Map(
      [...Map.groupBy(byPlace, ({ key }) => key.country ?? "")].map(([country, sums]) => [country, priceOf(sums)])
    ),
    spent: new Map(
      byAccount.flatMap((sum) => (sum.key.account === undefined ? [] : [[sum.key.account, priceOf([sum])]]))
    ),
    carriers: [...Map.groupBy(byPlace, carrierOf)].flatMap(([name, sums]) => {
      const { carrier = "", channel = "" }: TrafficSum["key"] = sums[0]?.key ?? {}
      if (carrier === "") return []
      return [{ channel, carrier, now: delayOf(sums), usual: usual.get(name) ?? { receipts: 0, p50: null } }]
    })
  }
})

const carrierOf = ({ key: { carrier, channel } }: TrafficSum): string => `${channel} ${carrier}`

const priceOf = (sums: ReadonlyArray<TrafficSum>): number =>
  sums.reduce((sum, { amounts }) => sum + (amounts[PLACE.price] ?? 0), 0)

const delayOf = (sums: ReadonlyArray<TrafficSum>): Delay => {
  const delays = sums
    .map(({ amounts }) => amounts.slice(COUNTS.length))
    .reduce((sum, each) => each.map((count, place) => count + (sum[place] ?? 0)), [])
  return { receipts: delays.reduce((sum, count) => sum + count, 0), p50: quantile(delays, 0.5) }
}
