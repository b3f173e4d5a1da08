/**
 * What a send costs: a table by product and number prefix, the longest matching prefix wins.
 */
import type { Product } from "@watchword/schemas/Channel"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type MicroEuros, fromEuros, multiply, zero } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** Prices in micro-euros a unit, for each product a tree of the digits that numbers begin with. */
export type PriceTable = ReadonlyMap<Product, Prefix>

/** Some first digits; none at the root, whose price is that of `*`. */
interface Prefix {
  /** What a number costs that begins with them and that no longer prefix matches. */
  readonly price: MicroEuros | undefined
  /** By the next digit. */
  readonly longer: ReadonlyArray<Prefix | undefined>
}

interface Growing extends Prefix {
  price: MicroEuros | undefined
  readonly longer: Array<Growing | undefined>
}

/** The table under which everything costs nothing. */
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
  const table = new Map<Product, Prefix>()
  for (const [product, prices] of Object.entries(json)) {
    if (!products.includes(product)) return fault(product, `is not a product; use one of ${products.join(", ")}`)
    if (!isRecord(prices)) return fault(product, 'must be an object of prices by prefix such as {"*": 0.05}')
    const root = empty()
    for (const [key, value] of Object.entries(prices)) {
      const path = `${product}.${key}`
      const digits = key === DEFAULT ? "" : PREFIX.exec(key)?.[1]
      if (digits === undefined) return fault(path, "must be digits that a number begins with, or *")
      const prefix = grown(root, digits)
      if (prefix.price !== undefined) return fault(path, "names a prefix that has a price already")
      const price = Predicate.isString(value) || Predicate.isNumber(value) ? fromEuros(value) : Option.none()
      if (Option.isNone(price) || price.value < 0) {
        return fault(path, "must be a price in EUR, 0 or more, with at most six decimals")
      }
      prefix.price = price.value
    }
    table.set(product, root)
  }
  return Result.succeed(table)
}

/** What `units` of a product cost to a number. A number that nothing matches costs nothing. */
export const price = (table: PriceTable, product: Product, to: E164, units: number): MicroEuros => {
  let prefix = table.get(product)
  let found = prefix?.price
  for (let at = 1; prefix !== undefined && at < to.length; at++) {
    prefix = prefix.longer[to.charCodeAt(at) - ZERO]
    found = prefix?.price ?? found
  }
  return found === undefined ? zero : multiply(found, units)
}

const ZERO = "0".charCodeAt(0)

const empty = (): Growing => ({ price: undefined, longer: Array.from({ length: 10 }) })

/** Where digits lead, below a prefix. */
const grown = (root: Growing, digits: string): Growing => {
  let prefix = root
  for (const digit of digits) prefix = prefix.longer[Number(digit)] ??= empty()
  return prefix
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value)

const fault = (path: string, message: string): Result.Result<never, PriceTableError> =>
  Result.fail(new PriceTableError({ path, message }))
