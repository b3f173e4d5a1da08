/**
 * Costs that a carrier asks for: for a part or a call, by the first digits of a number, in the currency of the ledger.
 */
import { type MicroEuros, fromEuros } from "@watchword/schemas/Money"
import * as Prefixes from "@watchword/schemas/Prefixes"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { type RoutesError, fault } from "./RoutesError.ts"

export type Costs = Prefixes.Prefixes<MicroEuros>

/** Costs as a JSON file has them: EUR by prefix, for example `{ "49": 0.061, "*": "0.07" }`. */
export type CostsInEuros = Readonly<Record<string, number | string>>

/** An amount of EUR, or of another currency, 0 or more with at most six decimals. */
export const amount = (value: unknown, path: string, currency = "EUR"): Result.Result<MicroEuros, RoutesError> => {
  const read = Predicate.isString(value) || Predicate.isNumber(value) ? fromEuros(value) : Option.none()
  return Option.isSome(read) && read.value >= 0
    ? Result.succeed(read.value)
    : fault(path, `must be an amount of ${currency}, 0 or more, with at most six decimals`)
}

/**
 * @param path of the costs, for errors
 * @param currency whose amounts they are, in millionths, if it is not EUR
 */
export const parse = (json: unknown, path: string, currency?: string): Result.Result<Costs, RoutesError> =>
  Result.gen(function* () {
    if (!Predicate.isObject(json) || Array.isArray(json)) {
      return yield* fault(path, 'must be an object of amounts by prefix such as {"49": 0.061, "*": 0.07}')
    }
    const byPrefix = new Map<string, MicroEuros>()
    for (const [key, value] of Object.entries(json)) {
      const prefix = Prefixes.parse(key)
      if (prefix === undefined) return yield* fault(`${path}.${key}`, Prefixes.MUST)
      if (byPrefix.has(prefix)) return yield* fault(`${path}.${key}`, "names a prefix that has a cost already")
      byPrefix.set(prefix, yield* amount(value, `${path}.${key}`, currency))
    }
    return Prefixes.make(byPrefix)
  })
