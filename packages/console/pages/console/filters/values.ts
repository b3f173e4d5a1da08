/**
 * The values that filters offer: channels of the service, and countries and carriers of the last month's sends.
 */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { channelName } from "../../kit/channels.ts"
import { accountNames, learnAccounts } from "../accounts.ts"
import { type Output, run } from "../api.ts"
import { countryName } from "../countries.ts"
import type { Options } from "../params.ts"
import { can } from "../session.ts"
import { shortId } from "../words.ts"

const found = signal<Output<"delivery filters">>({ channels: [], countries: [], carriers: [] })

/** In milliseconds: before the values are asked for again. */
const PAUSE = 60_000

let asked = Number.NEGATIVE_INFINITY

const learn = async (): Promise<void> => {
  if (!can("delivery filters") || performance.now() - asked < PAUSE) return
  asked = performance.now()
  // The value of the address can be chosen until they are asked for again.
  const answer = await run("delivery filters", {}).catch(() => null)
  if (answer !== null) found.value = answer
}

/** The fields of an address that both pages with filters have. */
export type Where = "account" | "carrier" | "channel" | "country"

/** @param given the values of the address, which are offered even if nothing has them */
export const useValues = (given: Readonly<Record<Where, string>>): Readonly<Record<Where, Options<string>>> => {
  useEffect(() => {
    void learn()
    void learnAccounts()
  }, [])
  const { carriers, channels, countries } = found.value
  const names = accountNames.value
  return {
    channel: optionsOf(channels, given.channel, channelName),
    country: optionsOf(countries, given.country, countryName),
    carrier: optionsOf(carriers, given.carrier, (name) => name),
    account: optionsOf([...names.keys()], given.account, (id) => names.get(id) || shortId(id))
  }
}

/** Options in the order of their labels, after an option for all values. */
export const optionsOf = (
  values: ReadonlyArray<string>,
  given: string,
  labelOf: (value: string) => string
): Options<string> => {
  const all = given === "" || values.includes(given) ? values : [...values, given]
  const options = all.map((value) => ({ value, label: labelOf(value) }))
  return [{ value: "", label: "All" }, ...options.toSorted((one, other) => one.label.localeCompare(other.label))]
}
