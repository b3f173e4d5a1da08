/**
 * Figures of traffic.
 */
import { AccountId } from "@watchword/schemas/Ids"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"
import { type Rebuilt, rebuild } from "../traffic/Rebuild.ts"
import { BY, type By, type TrafficFigures, traffic } from "../traffic/Traffic.ts"
import type { Run } from "./Run.ts"

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

export interface TrafficOperator {
  /**
   * Sends, their outcomes, costs and prices, summed by hour, account, channel, carrier and country. What servers have counted
   * is in it ten seconds later.
   */
  readonly traffic: (options?: TrafficOptions) => Promise<TrafficFigures>
  /** Counts the hours from a time on again from the records, but for the last one. */
  readonly rebuildTraffic: (options: { readonly since: Date }) => Promise<Rebuilt>
}

const asked = reading(
  Schema.Struct({
    since: Schema.optional(Schema.Date),
    account: Schema.optional(AccountId),
    by: Schema.optional(Schema.Array(Schema.Literals(BY))),
    sandbox: Schema.optional(Schema.Boolean)
  })
)

const span = reading(Schema.Struct({ since: Schema.Date }))

export const make = (run: Run<Store>): TrafficOperator => ({
  traffic: (options = {}) => run(Effect.flatMap(asked(options), traffic)),
  rebuildTraffic: (options) => run(Effect.flatMap(span(options), rebuild))
})
