/**
 * Prices of sends by product and number prefix; the longest matching prefix wins.
 */
import type { Product } from "@watchword/schemas/Channel"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type MicroEuros, fromEuros, multiply, zero } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** Prices of products. */
export type PriceTable = ReadonlyMap<Product, Prices>

interface Prices {
  /** Micro-euros a unit by the first digits of a number; `*` is the price of all other numbers. */
  readonly byPrefix: ReadonlyMap<string, MicroEuros>
  /** How many digits the longest prefix has. */
  readonly longest: number
}

/** Everything costs nothing. */
export const free: PriceTable = new Map()

/** A price table that cannot be used; `path` says where, for example `sms.44`. */
export class PriceTableError extends Schema.TaggedError<PriceTableError>()("PriceTableError", {
  path: Schema.String,
  message: Schema.String
}) {}

const PREFIX = /^\+?([1-9][0-9]{0,14})$/
const DEFAULT = "*"

/**
 * Reads a table as it stands in a JSON file: euros by product and prefix, numbers or strings, at most six
 * decimals, never negative. Prefixes may carry a plus sign.
 *
 * @param channels those whose products may have prices; by default the ones that come with Watchword
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
  const products = channels.flatMap((channel) => channel.products.map(({ name }) => name))
  const table = new Map<Product, Prices>()
  for (const [product, prices] of Object.entries(json)) {
    if (!products.includes(product)) return fault(product, `is not a product; use one of ${products.join(", ")}`)
    if (!isRecord(prices)) return fault(product, 'must be an object of prices by prefix such as {"*": 0.05}')
    const byPrefix = new Map<string, MicroEuros>()
    let longest = 0
    for (const [key, value] of Object.entries(prices)) {
      const path = `${product}.${key}`
      const prefix = key === DEFAULT ? DEFAULT : PREFIX.exec(key)?.[1]
      if (prefix === undefined) return fault(path, "must be digits that a number begins with, or *")
      if (byPrefix.has(prefix)) return fault(path, "names a prefix that has a price already")
      const price = Predicate.isString(value) || Predicate.isNumber(value) ? fromEuros(value) : Option.none()
      if (Option.isNone(price) || price.value < 0) {
        return fault(path, "must be a price in EUR, 0 or more, with at most six decimals")
      }
      byPrefix.set(prefix, price.value)
      if (prefix !== DEFAULT) longest = Math.max(longest, prefix.length)
    }
    table.set(product, { byPrefix, longest })
  }
  return Result.succeed(table)
}

/** The price of `units` of a product to a number. A number that no prefix matches costs nothing. */
export const price = (table: PriceTable, product: Product, to: E164, units: number): MicroEuros => {
  const prices = table.get(product)
  if (prices === undefined) return zero
  const { byPrefix, longest } = prices
  for (let digits = longest; digits > 0; digits--) {
    const found = byPrefix.get(to.slice(1, 1 + digits))
    if (found !== undefined) return multiply(found, units)
  }
  return multiply(byPrefix.get(DEFAULT) ?? zero, units)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value)

const fault = (path: string, message: string): Result.Result<never, PriceTableError> =>
  Result.fail(new PriceTableError({ path, message }))
