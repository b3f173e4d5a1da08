/**
 * The price table that sends are charged by.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { type PriceTable, free } from "../PriceTable.ts"

/** The price table in force. */
export class Prices extends Context.Service<Prices, PriceTable>()("@watchword/ledger/internal/Prices") {}

/** Everything is free. */
export const layerFree: Layer.Layer<Prices> = Layer.succeed(Prices, free)
