/**
 * Prices of sends by product and number prefix; the longest matching prefix wins.
 */
import type { Product } from "@watchword/schemas/Channel"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type MicroEuros, fromEuros, multiply, zero } from "@watchword/schemas/Money"
import * as Prefixes from "@watchword/schemas/Prefixes"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** Prices of products. A product without a price is not sold. */
export interface PriceTable {
  readonly byProduct: ReadonlyMap<Product, Prefixes.Prefixes<MicroEuros>>
  /** Micro-euros a unit for products that are not in the table; null if they are not sold. */
  readonly otherwise: MicroEuros | null
}

/**
 * A table as in a JSON file: euros by product and prefix, for example `{ sms: { "*": 0.05, "44": "0.04" } }`.
 */
export type PricesInEuros = Readonly<Record<Product, Readonly<Record<string, number | string>>>>

/** The table of a service without prices: everything is free. */
export const free: PriceTable = { byProduct: new Map(), otherwise: zero }

/** Whether prices are already parsed. */
export const isPriceTable = (prices: PriceTable | PricesInEuros): prices is PriceTable =>
  Predicate.hasProperty(prices, "byProduct") && prices.byProduct instanceof Map

/** A price table that cannot be used; `path` says where, for example `sms.44`. */
export class PriceTableError extends Schema.TaggedError<PriceTableError>()("PriceTableError", {
  path: Schema.String,
  message: Schema.String
}) {}

/**
 * Reads a table as in a JSON file: euros by product and prefix, numbers or strings, at most six decimals, never
 * negative. Prefixes may have a plus sign.
 *
 * @param channels the channels whose products may have prices, unless they are free; by default Watchword's own
 * channels
 *
 * @example
 * ```ts
 * import * as PriceTable from "@watchword/ledger/PriceTable"
 *
 * PriceTable.parse({ sms: { "*": 0.05, "44": "0.04" } })
 * ```
 */
export const parse = (
  json: unknown,
  channels: ReadonlyArray<ChannelRegistry.ChannelEntry> = ChannelRegistry.builtIn
): Result.Result<PriceTable, PriceTableError> => {
  if (!isRecord(json)) {
    return fault("", 'must be an object such as {"sms": {"*": 0.05, "44": 0.04}}')
  }
  const products = channels.flatMap((channel) => channel.products).flatMap(({ free, name }) => (free ? [] : [name]))
  const byProduct = new Map<Product, Prefixes.Prefixes<MicroEuros>>()
  for (const [product, prices] of Object.entries(json)) {
    if (!products.includes(product)) return fault(product, `is not a product; use one of ${products.join(", ")}`)
    if (!isRecord(prices)) return fault(product, 'must be an object of prices by prefix such as {"*": 0.05}')
    const byPrefix = new Map<string, MicroEuros>()
    for (const [key, value] of Object.entries(prices)) {
      const path = `${product}.${key}`
      const prefix = Prefixes.parse(key)
      if (prefix === undefined) return fault(path, Prefixes.MUST)
      if (byPrefix.has(prefix)) return fault(path, "names a prefix that has a price already")
      const price = Predicate.isString(value) || Predicate.isNumber(value) ? fromEuros(value) : Option.none()
      if (Option.isNone(price) || price.value < 0) {
        return fault(path, "must be a price in EUR, 0 or more, with at most six decimals")
      }
      byPrefix.set(prefix, price.value)
    }
    byProduct.set(product, Prefixes.make(byPrefix))
  }
  return Result.succeed({ byProduct, otherwise: null })
}

/** The price of `units` of a product to a number; null if the table has no price for it. */
export const price = (table: PriceTable, product: Product, to: E164, units: number): MicroEuros | null => {
  const prices = table.byProduct.get(product)
  const unit = prices === undefined ? table.otherwise : (Prefixes.find(prices, to) ?? null)
  return unit === null ? null : multiply(unit, units)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value)

const fault = (path: string, message: string): Result.Result<never, PriceTableError> =>
  Result.fail(new PriceTableError({ path, message }))

/** The price table that sends are charged by. */
export class Prices extends Context.Service<Prices, PriceTable>()("@watchword/ledger/Prices") {}

/** Everything is free. */
export const layerFree: Layer.Layer<Prices> = Layer.succeed(Prices, free)
