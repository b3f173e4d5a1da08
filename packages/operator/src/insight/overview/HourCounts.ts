/**
 * Live sends and verifications of the last hour, compared with the same hour a week ago.
 *
 * A record counts at the time by which lists of its channel are ordered: a text when its status moved last, so that a
 * late receipt brings it from one hour to another.
 */
import { type Any, Described } from "@watchword/send/channel/Features"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { type StatusCount, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { look } from "../../command/SlowReads.ts"
import { kept } from "./Kept.ts"

const HOUR = 60 * 60 * 1000
const WEEK = 7 * 24 * HOUR

/** The least time that stores keep counts of, whose records they need not look at. */
const COUNTED = 8 * 60 * 1000

export interface Counts {
  /** Excludes sends that a guard blocked. */
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  /** Sends without a final report from the network. */
  readonly pending: number
  readonly blocked: number
}

export interface Hours<A> {
  readonly hour: A
  /** Read again after half a minute: its records hardly change. */
  readonly weekAgo: A
}

export interface HourCounts {
  /** When the hour began. It is up to eight minutes longer, so that counts of a store serve it. */
  readonly since: number
  readonly channels: ReadonlyArray<Hours<Counts> & { readonly channel: string }>
  /** Verifications by their status. */
  readonly verifications: Hours<ReadonlyMap<string, number>>
}

const lastWeek = kept<ReadonlyArray<StatusCount>>()

export const hourCounts = Effect.fnUntraced(function* (
  now: number
): Effect.fn.Return<HourCounts, StoreError, ChannelRegistry | Described | Store> {
  const { countDeliveries } = yield* Store
  const { products } = yield* ChannelRegistry
  const features = yield* Described
  const since = Math.floor((now - HOUR) / COUNTED) * COUNTED
  const counted = (since: number, until: number) =>
    Effect.map(look(countDeliveries({ products, since, until })), (counts) =>
      counts.filter(({ mode }) => mode === "live")
    )
  // There are no records of the future: counts serve the end of the hour, too.
  const hour = yield* counted(since, Math.floor(now / COUNTED + 1) * COUNTED)
  const weekAgo = yield* lastWeek(now, counted(since - WEEK, now + 1 - WEEK))
  return {
    since,
    channels: features.flatMap((feature) => {
      const { gateway, name } = feature
      if (gateway === null) return []
      return [{ channel: name, hour: countsOf(hour, feature), weekAgo: countsOf(weekAgo, feature) }]
    }),
    verifications: { hour: byStatus(hour), weekAgo: byStatus(weekAgo) }
  }
})

const countsOf = (counts: ReadonlyArray<StatusCount>, feature: Any<unknown>): Counts => {
  const found = { sent: 0, delivered: 0, failed: 0, pending: 0, blocked: 0 }
  for (const { channel, count, status } of counts) {
    if (channel !== feature.name) continue
    const outcome = outcomeOf(status, feature)
    found[outcome] += count
    if (outcome !== "blocked") found.sent += count
  }
  return found
}

/** The outcome that a status means, if it is clear without the details of its record. */
const outcomeOf = (name: string, { code }: Any<unknown>): Exclude<keyof Counts, "sent"> => {
  switch (code?.arrival({ status: { name, rank: 0 }, details: {} })) {
    case "arrived":
    case "shown":
      return "delivered"
    case "lost":
    case "revoked":
      return "failed"
    default:
      return USUAL[name] ?? "pending"
  }
}

/** Statuses of channels that say nothing of them: a call that has ended had rung. */
const USUAL: Readonly<Record<string, Exclude<keyof Counts, "sent">>> = {
  blocked: "blocked",
  delivered: "delivered",
  ended: "delivered",
  failed: "failed"
}

const byStatus = (counts: ReadonlyArray<StatusCount>): ReadonlyMap<string, number> =>
  new Map(counts.filter(({ channel }) => channel === "verify").map(({ count, status }) => [status, count]))
