/**
 * Numbers that a text may mean in the countries to which most of the installation's sends go.
 */
import type { TooManyRequests } from "@watchword/schemas/Errors"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { E164, callingCodeOf, countryName, countryOf } from "@watchword/schemas/PhoneNumber"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { walk } from "../commands/Newest.ts"
import { parseInput } from "../command/NumberInput.ts"

/** A number that a text may mean. */
export interface Reading {
  readonly number: E164
  /** For people: with a space behind its calling code. */
  readonly written: string
  /** ISO 3166-1 alpha-2; null for a number of no country. */
  readonly country: string | null
  /** The country's English name. */
  readonly name: string | null
}

/** The newest records that are counted, at most so old, and the most countries that a text is read in. */
const COUNTED = 500
const MONTH = 30 * 24 * 60 * 60 * 1000
const COUNTRIES = 5

/** The countries of the newest sends and verifications, the most frequent first. */
const usualCountries = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const { products } = yield* ChannelRegistry
  const { rows } = yield* walk(
    {
      since: Math.max(0, now - MONTH),
      until: now + 1,
      before: null,
      account: null,
      mode: null,
      channels: products.map(({ name }) => name),
      where: [],
      limit: COUNTED
    },
    COUNTED
  )
  const byCountry = Map.groupBy(
    rows.flatMap(({ to }) => (isE164(to) ? [countryOf(to)] : [])),
    (country) => country
  )
  return [...byCountry]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([country]) => country ?? [])
    .slice(0, COUNTRIES)
})

const isE164 = Schema.is(E164)

/** The readings of a text without a calling code, the most usual country first; empty if the text is not a number. */
export const readingsOf = (
  text: string
): Effect.Effect<ReadonlyArray<Reading>, StoreError | TooManyRequests, ChannelRegistry | Store> =>
  Effect.map(usualCountries, (countries) => {
    const found = [...countries, undefined].flatMap((country) => {
      const parsed = parseInput(text, country)
      return parsed.number === null ? parsed.readings : [parsed.number]
    })
    return [...new Set(found)].map((number) => {
      const country = countryOf(number)
      const code = callingCodeOf(number) ?? ""
      return {
        number,
        written: `+${code} ${number.slice(1 + code.length)}`,
        country,
        name: country === null ? null : countryName(country)
      }
    })
  })
