/**
 * Figures of a channel's carriers by country over all servers, from the roll-up of traffic. They are used if this
 * process has seen too few messages, for example because it has just started.
 *
 * The roll-up counts by the hour: the last sixty minutes are the hour under way, and of the one before the share that
 * is less than sixty minutes old.
 */
import type { Product } from "@watchword/schemas/Channel"
import { COUNTS, HOUR, type TrafficSum, hourOf } from "@watchword/store/Traffic"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Job from "../pipeline/Job.ts"
import { NO_COUNTRY } from "./Conversions.ts"
import type { Counts } from "./Figures.ts"

/** The counts of a carrier in a country; undefined if the roll-up has no counts. */
export type SharedFigures = (carrier: string, country: string) => Counts | undefined

/** Reads them now, and until the scope closes once a minute, where a message has asked for them since. */
export const make = Effect.fnUntraced(function* (
  channel: Product
): Effect.fn.Return<SharedFigures, never, Scope | Store> {
  const store = yield* Store
  let figures: ReadonlyMap<string, Counts> = new Map()
  let isAsked = false

  const read = Effect.gen(function* () {
    figures = yield* lastHour(store, ["country"], ({ channel: of }) => of === channel)
  })

  const readAgain = Effect.suspend(() => {
    if (!isAsked) return Effect.void
    isAsked = false
    return read
  })

  yield* Effect.catchCause(read, (cause) => Effect.logWarning("figures of carriers could not be read", cause))
  yield* Job.keep("figures of carriers", readAgain)
  return (carrier, country) => {
    isAsked = true
    return figures.get(nameOf(carrier, country))
  }
})

/** The counts of the last hour by carrier only, over all channels. */
export const ofCarriers: Effect.Effect<ReadonlyMap<string, Counts>, StoreError, Store> = Effect.gen(function* () {
  const counts = yield* lastHour(yield* Store, [], () => true)
  return new Map([...counts].map(([name, each]) => [name.slice(name.indexOf(" ") + 1), each]))
})

const lastHour = Effect.fnUntraced(function* (
  store: Pick<Store["Service"], "traffic">,
  further: ReadonlyArray<"country">,
  isAsked: (key: TrafficSum["key"]) => boolean
) {
  const now = yield* Clock.currentTimeMillis
  const hour = hourOf(now)
  const by = ["hour", "mode", "channel", "carrier", ...further] as const
  const sums = yield* store.traffic({ since: hour - 1, until: hour + 1, account: null, by })
  const live = sums.filter(({ key }) => key.mode === "live" && key.carrier !== "" && isAsked(key))
  return summed(live, hour, 1 - (now % HOUR) / HOUR)
})

/** @param share how much of the hour before counts */
const summed = (sums: ReadonlyArray<TrafficSum>, hour: number, share: number): ReadonlyMap<string, Counts> => {
  const all = new Map<string, Counts>()
  for (const { amounts, key } of sums) {
    const name = nameOf(key.carrier ?? "", key.country === "" ? NO_COUNTRY : (key.country ?? ""))
    const before = all.get(name)
    const of = (place: number, kind: keyof Counts): number =>
      (before?.[kind] ?? 0) + Math.round((amounts[place] ?? 0) * (key.hour === hour ? 1 : share))
    all.set(name, {
      sent: of(PLACE.sent, "sent"),
      approved: of(PLACE.approved, "approved"),
      delivered: of(PLACE.delivered, "delivered"),
      lost: of(PLACE.lost, "lost")
    })
  }
  return all
}

const PLACE = {
  sent: COUNTS.indexOf("sent"),
  approved: COUNTS.indexOf("approved"),
  delivered: COUNTS.indexOf("delivered"),
  lost: COUNTS.indexOf("failed")
}

const nameOf = (carrier: string, country: string): string => `${country} ${carrier}`
