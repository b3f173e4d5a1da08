/**
 * The price table that sends are charged by.
 */
import * as Context from "effect/Context"
import { type PriceTable, free } from "../PriceTable.ts"

/** The price table in force. Without one everything is free. */
export const Prices: Context.Reference<PriceTable> = Context.Reference("@watchword/ledger/internal/Prices", {
  defaultValue: () => free
})
