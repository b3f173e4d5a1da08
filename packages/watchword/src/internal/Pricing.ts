/**
 * The price table of a service, checked at its start, and a warning where live messages are free.
 */
import { Features, gatewaysOf } from "@watchword/send/channel/Features"
import * as PriceTable from "@watchword/ledger/PriceTable"
import type { ChannelEntry } from "@watchword/schemas/ChannelRegistry"
import { BadRequest } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

/** Plain prices in EUR, or a table that was parsed before. */
export type Pricing = PriceTable.PricesInEuros | PriceTable.PriceTable

/** Fails with `BadRequest`, naming the first entry that is wrong. */
export const layer = (
  pricing: Pricing | undefined,
  channels: ReadonlyArray<ChannelEntry>
): Layer.Layer<PriceTable.Prices, BadRequest> =>
  Layer.unwrap(
    Effect.fromResult(Result.map(tableOf(pricing, channels), (table) => Layer.succeed(PriceTable.Prices, table)))
  )

const tableOf = (
  pricing: Pricing | undefined,
  channels: ReadonlyArray<ChannelEntry>
): Result.Result<PriceTable.PriceTable, BadRequest> => {
  if (pricing === undefined) return Result.succeed(PriceTable.free)
  if (PriceTable.isPriceTable(pricing)) return Result.succeed(pricing)
  return Result.mapError(PriceTable.parse(pricing, channels), ({ message, path }) => {
    const field = path === "" ? "prices" : `prices.${path}`
    return new BadRequest({ message: `${field} ${message}.`, issues: [{ path: field, message }] })
  })
}

/** Warns at the start of a service that has live gateways and no prices: its accounts send for nothing. */
export const warning = (pricing: Pricing | undefined): Layer.Layer<never, never, Features> =>
  pricing === undefined ? Layer.effectDiscard(Effect.flatMap(Features, warnOfFreeGateways)) : Layer.empty

const warnOfFreeGateways = Effect.fnUntraced(function* (channels: Features["Service"]) {
  const gateways = yield* gatewaysOf(channels)
  if (gateways.length === 0) return
  yield* Effect.logWarning("No prices are set: live messages cost 0, and no balance limits them", { gateways })
})
