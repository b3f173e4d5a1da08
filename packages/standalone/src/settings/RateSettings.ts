/**
 * The setting of exchange rates, which convert carriers' costs in other currencies to EUR.
 *
 * A rate is how many EUR one unit of the currency is worth on a day of UTC, and on later days without a rate.
 */
import { MicroEuros } from "@watchword/schemas/Money"
import type { Costs } from "@watchword/send/routes"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { type Parse, jsonFile } from "./Reading.ts"
import { optionalSetting } from "./Setting.ts"

/** The rates of a currency by day, the earliest first. */
type Days = ReadonlyArray<readonly [day: string, rate: number]>

/** By currency. */
export type Rates = ReadonlyMap<string, Days>

const ratesFile: Parse<Rates> = (file) =>
  Result.flatMap(jsonFile(file), (json) => Result.mapError(parse(json), (must) => `names a file in which ${must}`))

export const rates = {
  file: optionalSetting("RATES", ratesFile, {
    description:
      "path of a JSON file with [exchange rates](../routes.md#costs-in-other-currencies), for carriers whose costs are not in EUR",
    isFile: true,
    reloads: "carriers",
    needs: ["CARRIERS"]
  })
}

export const isCurrency = (text: unknown): text is string => typeof text === "string" && /^[A-Z]{3}$/.test(text)

export const CURRENCY_MUST = "must be a currency of three capital letters, such as USD"

/** @returns the end of a sentence that names the entry which is wrong */
const parse = (json: unknown): Result.Result<Rates, string> => {
  if (!isRecord(json)) return Result.fail('the table must be an object such as {"USD": {"2027-01-04": 0.92}}')
  const all = new Map<string, Days>()
  for (const [currency, days] of Object.entries(json)) {
    if (!isCurrency(currency) || currency === "EUR") {
      return Result.fail(`${currency} must be a currency of three capital letters other than EUR, such as USD`)
    }
    if (!isRecord(days))
      return Result.fail(`${currency} must be an object of rates by day such as {"2027-01-04": 0.92}`)
    const read: Array<readonly [string, number]> = []
    for (const [day, value] of Object.entries(days)) {
      if (!isDay(day)) return Result.fail(`${currency}.${day} must be a day such as 2027-01-04`)
      const rate = Predicate.isString(value) ? Number(value) : value
      if (!Predicate.isNumber(rate) || !(rate >= 1e-6 && rate <= 1e6)) {
        return Result.fail(`${currency}.${day} must be how many EUR one ${currency} is worth, such as 0.92`)
      }
      read.push([day, rate])
    }
    if (read.length === 0) return Result.fail(`${currency} must have a rate`)
    all.set(
      currency,
      read.toSorted(([one], [other]) => (one < other ? -1 : 1))
    )
  }
  return Result.succeed(all)
}

const isRecord = (json: unknown): json is Readonly<Record<string, unknown>> =>
  Predicate.isObject(json) && !Array.isArray(json)

const isDay = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && dayOf(at) === text
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The latest rate of a day or before it; null without such a rate. */
const rateOn = (days: Days, day: string) => {
  const found = days.findLast(([each]) => each <= day)
  return found === undefined ? null : { day: found[0], rate: found[1] }
}

/** The rate that is in force now; null for a currency without a rate until today. */
export const rateNow = (rates: Rates, currency: string) => rateOn(rates.get(currency) ?? [], dayOf(Date.now()))

/** Costs in EUR of a table in another currency, by the rate of the day on which they are read. */
export class Converted implements Costs {
  readonly longest: number
  readonly #costs: Costs
  readonly #days: Days
  #rate = 0
  #byPrefix: ReadonlyMap<string, MicroEuros> = new Map()

  constructor(costs: Costs, rates: Rates, currency: string) {
    this.longest = costs.longest
    this.#costs = costs
    this.#days = rates.get(currency) ?? []
  }

  get byPrefix(): ReadonlyMap<string, MicroEuros> {
    const { rate } = rateOn(this.#days, dayOf(Date.now())) ?? { rate: this.#rate }
    if (rate !== this.#rate) {
      this.#rate = rate
      const converted = [...this.#costs.byPrefix].map(
        ([prefix, cost]) => [prefix, MicroEuros.make(Math.round(cost * rate))] as const
      )
      this.#byPrefix = new Map(converted)
    }
    return this.#byPrefix
  }
}

/** A warning where the rate of today is missing. */
export const staleRate = (rates: Rates, currency: string): ReadonlyArray<string> => {
  const today = dayOf(Date.now())
  const found = rateNow(rates, currency)
  return found === null || found.day === today
    ? []
    : [`RATES has no rate of ${currency} for ${today}: costs are by the rate of ${found.day}, ${found.rate} EUR.`]
}
