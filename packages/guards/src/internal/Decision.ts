/**
 * The decision of a guard, as pure functions: the reasons to refuse a send at once, its counters, and the meaning of
 * their counts.
 */
import type { Counted, Counter, Tally } from "@watchword/store/Counters"
import { phoneOf } from "@watchword/schemas/phone"
import type { Permanent } from "@watchword/send/pipeline"
import { type Block, blockOf, isReleased } from "../operator/Blocks.ts"
import type { CompiledRules } from "./CompiledRules.ts"
import { type CounterKey, type PlaceOf, placesOf } from "./CounterKeys.ts"
import * as Countries from "./Countries.ts"
import type { Facts } from "./Facts.ts"
import { EXCEPTIONAL, type Limited, limitsOf } from "./Limits.ts"
import { typeOf } from "./NumberType.ts"
import { type Watched, isOver, watchedOf } from "./Pumping.ts"
import { type Rules, UNKNOWN, holdsFor } from "../Rules.ts"

/**
 * The limits that an exception lifts: blocks, countries, pumping and all limits but those by number, which are wider
 * for it. An operator's (`allowed`) lifts types of numbers and prefixes too; support's (`passed`) does not.
 */
export type Exception = "allowed" | "passed"

/** The rules, blocks and exceptions that a send is under. */
export interface Guard {
  readonly compiled: CompiledRules
  /** Of the installation, and of the account, by their places. */
  readonly blocks: ReadonlyArray<ReadonlyMap<string, Block>>
  /** The exception that holds for a number; null if none does. */
  readonly exceptionOf: (to: Facts["to"], now: number) => Exception | null
  readonly key: CounterKey
}

/** The facts about a send before its counters are looked at. */
export interface Plan {
  /** Why it is refused; nothing is counted then. */
  readonly refused: ReadonlyArray<Permanent>
  /** Why it would be refused if the rules were to deny. */
  readonly noted: ReadonlyArray<Permanent>
  readonly limits: ReadonlyArray<Limited>
  readonly watched: ReadonlyArray<Watched>
  /** Whether pumping is denied. */
  readonly denies: boolean
}

/** A limit that refuses a send. */
export interface Denied {
  readonly reason: string
  /** As rules write it, such as `5/1h`. */
  readonly rate: string
  /** The count before the send: sends, or micro-euros. */
  readonly used: number
  /** Milliseconds until a send like this one would be let through. */
  readonly freeIn: number
}

/** The rest of a limit that denies: sends, or micro-euros. */
export interface Remaining {
  readonly reason: string
  readonly remaining: number
}

export interface Decision {
  /** Why the send is refused, the weightiest reason first; empty if it is let through. */
  readonly refused: ReadonlyArray<string>
  /** Why it would be refused if all rules were to deny. */
  readonly noted: ReadonlyArray<string>
  /**
   * Milliseconds until a send that is refused for its limits would be let through; null if waiting does not help.
   */
  readonly retryAfter: number | null
  /** The limits that refuse the send; empty if something else refuses it, or nothing does. */
  readonly denied: ReadonlyArray<Denied>
  /** The rest of each limit if one refused the send. */
  readonly remaining: ReadonlyArray<Remaining>
  /** Places that are to be blocked from now on. */
  readonly blocks: ReadonlyArray<string>
}

const nothing: Plan = { refused: [], noted: [], limits: [], watched: [], denies: false }

export const planOf = (guard: Guard, facts: Facts, now: number): Plan => {
  const { blocks, compiled, exceptionOf, key } = guard
  const { limits, rules } = compiled
  const isAlways = rules.numbers?.always_allow?.includes(facts.to) === true
  const exception = isAlways ? "allowed" : exceptionOf(facts.to, now)
  if (exception !== null) return exceptional(guard, facts, exception)
  const denies = rules.action === "deny"
  const isBlocked = blocks.some((each) => {
    const block = blockOf(each, facts.to, now)
    // A user whom the client knows is not a pumper.
    return block !== null && !(block.by === "pumping" && facts.trusted)
  })
  const holds = holdsFor(rules.for, facts.use)
  const found = holds ? permanentOf(rules, facts) : []
  const refused: ReadonlyArray<Permanent> = [
    ...(isBlocked ? (["prefix_blocked"] as const) : []),
    ...(denies ? found : [])
  ]
  const noted = denies ? [] : found
  if (refused.length > 0) return { ...nothing, refused, noted }
  const placeOf = placesOf(facts, key)
  const isHeld = ({ place }: Watched): boolean => !isReleased(blocks, place, now)
  return {
    refused,
    noted,
    limits: limitsByPhone(limits[facts.use], facts, key, placeOf),
    watched: holds && isWatched(rules, facts) ? watchedOf(rules.pumping, facts, placeOf).filter(isHeld) : [],
    denies
  }
}

/** Whether a send may be pumping. */
const isWatched = ({ pumping }: Rules, { ownCode, requests, trusted }: Facts): boolean =>
  requests > 0 && !trusted && !(ownCode && pumping?.own_codes === false)

/**
 * Counters of a send by the phone that its number reaches. An undocumented spelling also has limits of its own: servers
 * of the release before count by it, and two releases run side by side.
 */
const limitsByPhone = (
  limits: Parameters<typeof limitsOf>[0],
  facts: Facts,
  key: CounterKey,
  placeOf: PlaceOf,
  unit?: Parameters<typeof limitsOf>[3]
): ReadonlyArray<Limited> => {
  const spelt = limitsOf(limits, facts, placeOf, unit)
  const phone = phoneOf(facts.to)
  if (phone === facts.to) return spelt
  const found = limitsOf(limits, facts, placesOf(facts, key, phone), unit)
  const keys = new Set(found.map(({ counter }) => counter.key))
  return [...found, ...spelt.filter(({ counter }) => !keys.has(counter.key))]
}

/** The plan of a number that is an exception. */
const exceptional = ({ compiled, key }: Guard, facts: Facts, exception: Exception): Plan => {
  const { exceptional: limits, rules } = compiled
  const holds = exception === "passed" && holdsFor(rules.for, facts.use)
  const found = holds ? permanentOf({ numbers: rules.numbers ?? {} }, facts) : []
  if (found.length > 0) return rules.action === "deny" ? { ...nothing, refused: found } : { ...nothing, noted: found }
  return { ...nothing, limits: limitsByPhone(limits[facts.use], facts, key, placesOf(facts, key), EXCEPTIONAL) }
}

/** Whether a plan neither refuses nor counts. */
export const isNothing = ({ limits, noted, refused, watched }: Plan): boolean =>
  refused.length + noted.length + limits.length + watched.length === 0

/** The counters of a plan, in the order in which `decide` reads their tallies. */
export const countersOf = ({ limits, watched }: Pick<Plan, "limits" | "watched">): ReadonlyArray<Counter> => [
  ...limits.map(({ counter }) => counter),
  ...watched.flatMap(({ best, sent, verified }) => (best === null ? [sent, verified] : [sent, verified, best]))
]

/**
 * @param counted the answer for `countersOf`, or null if nothing was to be counted or the counters were out of reach
 */
export const decide = (plan: Plan, counted: Counted | null): Decision => {
  const { denies, limits, noted, refused } = plan
  if (counted === null || refused.length > 0) return { ...undenied, refused, noted }
  const { tallies } = counted
  const used = (index: number): Tally => tallies[index] ?? empty
  const over = limits.flatMap(({ counter, rate }, index) =>
    used(index).used + counter.amount > rate.most ? [{ ...rate, ...used(index), rate: rate.text }] : []
  )
  if (!counted.counted) {
    // The longest wait counts.
    const denied = over.filter(({ action }) => action === "deny").toSorted((a, b) => b.freeIn - a.freeIn)
    return {
      refused: unique(denied.map(({ reason }) => reason)),
      noted: unique([...noted, ...over.filter(({ action }) => action === "record").map(({ reason }) => reason)]),
      retryAfter: denied[0]?.freeIn ?? 0,
      denied: denied.map(({ freeIn, rate, reason, used }) => ({ reason, rate, used, freeIn })),
      remaining: remainingOf(limits, used),
      blocks: []
    }
  }
  const pumped = pumpedOf(plan, used)
  const blocked = pumped.length > 0 ? (["prefix_blocked"] as const) : []
  return {
    refused: denies ? blocked : [],
    noted: unique([...noted, ...over.map(({ reason }) => reason), ...(denies ? [] : blocked)]),
    retryAfter: null,
    denied: [],
    remaining: [],
    blocks: denies ? pumped.map(({ place }) => place) : []
  }
}

/** The places with more sends that are not verified than the rules have for them. */
const pumpedOf = ({ limits, watched }: Plan, used: (index: number) => Tally): ReadonlyArray<Watched> => {
  const counters = countersOf({ limits: [], watched })
  return watched.filter((each) => isOver(each, (counter) => used(limits.length + counters.indexOf(counter))))
}

const undenied = { retryAfter: null, denied: [], remaining: [], blocks: [] } as const

const empty: Tally = { used: 0, peak: 0, freeIn: 0 }

/** Of several rates of a limit the least. */
const remainingOf = (limits: ReadonlyArray<Limited>, used: (index: number) => Tally): ReadonlyArray<Remaining> => {
  const least = new Map<string, number>()
  for (const [index, { rate }] of limits.entries()) {
    const { action, most, reason } = rate
    if (action !== "deny") continue
    const left = Math.max(0, most - used(index).used)
    least.set(reason, Math.min(left, least.get(reason) ?? left))
  }
  return [...least].map(([reason, remaining]) => ({ reason, remaining }))
}

const permanentOf = (
  { countries, numbers: { deny_prefixes: prefixes = [], deny_types: types = [] } = {} }: Rules,
  { requests, to }: Facts
): ReadonlyArray<Permanent> => {
  const found: Array<Permanent> = []
  const country = countries === undefined ? "" : Countries.placeOf(to)
  if (countries?.allow?.includes(country) === false || countries?.deny?.includes(country) === true) {
    found.push("country_not_allowed")
  }
  // To look a type up takes longer than all else here, and what follows from a request has its number.
  const isType = types.length > 0 && requests > 0 && types.includes(typeOf(to) ?? UNKNOWN)
  if (isType || prefixes.some((prefix) => to.startsWith(prefix))) {
    found.push("number_not_allowed")
  }
  return found
}

const unique = (reasons: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(reasons)]
