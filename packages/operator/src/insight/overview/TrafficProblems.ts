/**
 * Problems of the traffic: attacks, refusals, codes that are not entered, slow carriers, balances that end.
 */
import type { MicroEuros } from "@watchword/schemas/Money"
import type { AccountId } from "@watchword/schemas/Ids"
import { countryName } from "@watchword/schemas/PhoneNumber"
import type { Hours, HourCounts } from "./HourCounts.ts"
import { type Attack, NO_COUNTRY, attacks } from "./Prefixes.ts"
import type { Problem } from "./Problem.ts"
import { LIMITS } from "./ProblemRules.ts"
import type { CarrierDelay, RecentTraffic } from "./RecentTraffic.ts"
import type { Verification } from "./Unverified.ts"

export interface TrafficFacts extends RecentTraffic {
  /** Verifications of the last hour whose codes were sent. */
  readonly codes: ReadonlyArray<Verification>
  readonly verifications: HourCounts["verifications"]
  readonly balances: ReadonlyArray<{
    readonly account: AccountId
    readonly name: string
    readonly available: MicroEuros
  }>
  /** Places that are blocked for all accounts. */
  readonly blocked: ReadonlyArray<string>
}

export const trafficProblems = (facts: TrafficFacts, now: number): ReadonlyArray<Problem> => [
  ...ofAttacks(facts, now),
  ...ofRefusals(facts.verifications.hour),
  ...ofConversion(facts.verifications),
  ...facts.carriers.flatMap(ofCarrier),
  ...facts.balances.flatMap((balance) => ofBalance(balance, facts, now))
]

const ofAttacks = ({ blocked, codes, costs }: TrafficFacts, now: number): ReadonlyArray<Problem> => {
  const counted = codes.filter(({ createdAt, isPending }) => !isPending || now - createdAt >= LIMITS.attack.after)
  return attacks(counted)
    .filter((attack) => !blocked.some((place) => isWithin(attack, place)))
    .map((attack) => ofAttack(attack, costs))
}

/** Whether a block of a place stops an attack. */
const isWithin = ({ country, prefix }: Attack, place: string): boolean =>
  place === country || (prefix !== null && prefix.startsWith(place))

const ofAttack = ({ approved, country, prefix, unverified }: Attack, costs: RecentTraffic["costs"]): Problem => {
  const name = (country === NO_COUNTRY ? null : countryName(country)) ?? "numbers of no country"
  const where = prefix === null ? name : `${prefix}… (${name})`
  const cost = prefix === null ? (costs.get(country === NO_COUNTRY ? "" : country) ?? 0) : 0
  const soFar = cost > 0 ? `; €${(cost / 1_000_000).toFixed(2)} so far` : ""
  const place = prefix ?? country
  return {
    kind: "attack",
    about: place,
    severity: "bad",
    text: `${approved} of ${approved + unverified} codes to ${where} were entered in the last hour${soFar}.`,
    link: "#/guards",
    act: { command: "guard block", label: `Block ${prefix ?? name}`, input: { place, for: "12h" } }
  }
}

const ofRefusals = (hour: ReadonlyMap<string, number>): ReadonlyArray<Problem> => {
  const all = [...hour.values()].reduce((sum, count) => sum + count, 0)
  const refused = hour.get("blocked") ?? 0
  if (refused < LIMITS.refused.verifications || refused < LIMITS.refused.share * all) return []
  const text = `Guards refused ${refused} of ${all} verifications in the last hour.`
  return [{ kind: "verifications_refused", about: "", severity: "warn", text, link: "#/guards", act: null }]
}

const ofConversion = ({ hour, weekAgo }: Hours<ReadonlyMap<string, number>>): ReadonlyArray<Problem> => {
  const [now, before] = [conversionOf(hour), conversionOf(weekAgo)]
  const { ended, of } = LIMITS.conversion
  if (now.ended < ended || before.ended < ended || now.share >= of * before.share) return []
  const text = `${percent(now.share)} of the last hour's verifications were approved; a week ago it was ${percent(before.share)}.`
  return [{ kind: "conversion_low", about: "", severity: "bad", text, link: "#/traffic", act: null }]
}

/** Pending verifications may still be approved. */
const conversionOf = (counts: ReadonlyMap<string, number>) => {
  const of = (status: string): number => counts.get(status) ?? 0
  const ended = of("approved") + of("failed") + of("expired") + of("canceled")
  return { ended, share: of("approved") / Math.max(1, ended) }
}

const ofCarrier = ({ carrier, channel, now, usual }: CarrierDelay): ReadonlyArray<Problem> => {
  const { receipts, seconds, times, usually } = LIMITS.carrier
  const took = now.p50 ?? Number.POSITIVE_INFINITY
  if (now.receipts < receipts || usual.receipts < usually || usual.p50 === null) return []
  if (took <= seconds || took < times * usual.p50) return []
  const how = now.p50 === null ? "more than 30 minutes" : `up to ${now.p50} s`
  return [
    {
      kind: "carrier_slow",
      about: `${channel} ${carrier}`,
      severity: "warn",
      text: `Half of the receipts of ${carrier} take ${how}; in the day before it was ${usual.p50} s.`,
      link: "#/traffic",
      // A channel without named carriers has one of its own name, which cannot be drained.
      act: carrier === channel ? null : { command: "carrier drain", label: `Drain ${carrier}`, input: { carrier } }
    }
  ]
}

const HOUR = 60 * 60_000

const ofBalance = (
  { account, available, name }: TrafficFacts["balances"][number],
  { since, spent }: RecentTraffic,
  now: number
): ReadonlyArray<Problem> => {
  const cost = spent.get(account) ?? 0
  if (available <= 0 || cost < LIMITS.balance.spent) return []
  const left = (available / cost) * (now - since)
  if (left >= LIMITS.balance.within) return []
  const hours = Math.max(1, Math.round(left / HOUR))
  return [
    {
      kind: "balance_ending",
      about: account,
      severity: "warn",
      text: `The balance of ${name || account}, €${(available / 1_000_000).toFixed(2)}, ends in about ${hours} ${hours === 1 ? "hour" : "hours"} at this rate.`,
      link: `#/accounts/${account}`,
      act: { command: "account credit", label: "Add money", input: { account_id: account } }
    }
  ]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
