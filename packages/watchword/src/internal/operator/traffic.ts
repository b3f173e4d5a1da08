/**
 * Figures of traffic, and what carriers may charge.
 */
import type { Described } from "@watchword/send/channel/Described"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as TrafficCommands from "@watchword/operator/commands/TrafficCommands"
import type { Invoice } from "@watchword/operator/insight/traffic/Invoice"
import type { Rebuilt } from "@watchword/operator/insight/traffic/Rebuild"
import type { By, TrafficFigures } from "@watchword/operator/insight/traffic/Traffic"
import { type Run, objectOf } from "./Run.ts"

/** What figures are asked for. */
export interface TrafficOptions {
  /** A day ago unless given, 400 days at most; figures are of whole hours. */
  readonly since?: Date
  /** The figures of this account alone. */
  readonly account?: string
  /** What figures are kept apart by: `channel`, `carrier` and `country` unless given; `hour` and `account` too. */
  readonly by?: ReadonlyArray<By>
  /** Whether sends of the sandbox are meant, and not the live ones. */
  readonly sandbox?: boolean
}

/** A carrier's month. */
export interface InvoiceOptions {
  /** The carrier's name; that of the channel for a carrier without one. */
  readonly carrier: string
  /** In UTC, such as `2027-01`. */
  readonly month: string
  /** The text of the carrier's own file, CSV with a column `message_id`. */
  readonly against?: string
}

export interface TrafficOperator {
  /**
   * Sends, their outcomes, costs and prices, summed by hour, account, channel, carrier and country. What servers have counted
   * is in it ten seconds later.
   */
  readonly traffic: (options?: TrafficOptions) => Promise<TrafficFigures>
  /** Counts the hours from a time on again from the records, but for the last one. */
  readonly rebuildTraffic: (options: { readonly since: Date }) => Promise<Rebuilt>
  /** What a carrier may charge for a month, by day and prefix, and how its own file differs. It reads all records of the month. */
  readonly invoice: (options: InvoiceOptions) => Promise<Invoice>
}

export const make = (run: Run<Described | Settings | Store>): TrafficOperator => ({
  traffic: (options = {}) => run(TrafficCommands.traffic.call(options)),
  rebuildTraffic: (options) =>
    run(Effect.flatMap(objectOf(options, "{ since: new Date(…) }"), TrafficCommands.rebuild.call)),
  invoice: (options) =>
    run(Effect.flatMap(objectOf(options, '{ carrier: "acme", month: "2027-01" }'), TrafficCommands.invoice.call))
})
