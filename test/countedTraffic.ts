/**
 * Sends that were counted before a service starts: two months with an attack in the last hours.
 */
import { nextAccountId } from "@watchword/schemas/Ids"
import { Store } from "@watchword/store/Store"
import { AMOUNTS, type TrafficRow, hourOf } from "@watchword/store/Traffic"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { builtInChannels } from "watchword/Hosting"

interface Share extends Pick<TrafficRow["key"], "carrier" | "channel" | "country"> {
  /** In an hour. */
  readonly sent: number
  readonly delivered: number
  readonly approved: number
}

const SHARES: ReadonlyArray<Share> = [
  { channel: "sms", carrier: "acme", country: "DE", sent: 240, delivered: 0.98, approved: 0.88 },
  { channel: "sms", carrier: "bell", country: "DE", sent: 90, delivered: 0.95, approved: 0.82 },
  { channel: "sms", carrier: "bell", country: "FR", sent: 70, delivered: 0.93, approved: 0.77 },
  { channel: "call", carrier: "trunk", country: "DE", sent: 40, delivered: 0.9, approved: 0.7 }
]

const HOURS = 60 * 24

/** @param times how many times as many sends as usual */
export const countTraffic = (file: string, now: number, times = 1): Promise<void> => {
  const account = nextAccountId(now)
  const rowOf = (share: Share, hour: number): TrafficRow => {
    const daily = 1 + 0.7 * Math.sin(((hour % 24) - 8) / 3.8)
    const sent = Math.round(share.sent * daily * times)
    const delivered = Math.round(sent * share.delivered)
    const approved = Math.round(sent * share.approved)
    const counts = [sent, delivered, sent - delivered, approved, 0, Math.round(sent / 50), sent * 60_000, sent * 80_000]
    const delays = [
      0,
      Math.round(delivered * 0.3),
      Math.round(delivered * 0.4),
      Math.round(delivered * 0.2),
      Math.round(delivered * 0.1)
    ]
    const amounts = [...counts, ...delays]
    const { carrier, channel, country } = share
    return {
      key: { hour, account, mode: "live", channel, carrier, country },
      amounts: [...amounts, ...Array.from<number>({ length: AMOUNTS - amounts.length }).fill(0)]
    }
  }
  const last = hourOf(now)
  const usual = Array.from({ length: HOURS }, (_, ago) => SHARES.map((share) => rowOf(share, last - ago))).flat()
  const attack = Array.from({ length: 5 }, (_, ago) =>
    rowOf({ channel: "sms", carrier: "bell", country: "NG", sent: 180, delivered: 0.6, approved: 0 }, last - ago)
  )
  const rows = [...usual, ...attack]
  return Effect.gen(function* () {
    const { addTraffic } = yield* Store
    for (let from = 0; from < rows.length; from += 500) yield* addTraffic(rows.slice(from, from + 500))
  }).pipe(Effect.provide(Layer.provide(sqlite(file), builtInChannels)), Effect.runPromise)
}
