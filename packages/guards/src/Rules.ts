/**
 * Rules of a guard: the JSON that an operator writes for an account, or for all accounts without rules of their own.
 *
 * A mistake is refused when rules are set, with the name of its field, such as `limits[0].rates[1]`; so is an unknown
 * field, because a limit under a misspelt name would limit nothing.
 *
 * @example
 * ```ts
 * import * as Rules from "@watchword/guards/Rules"
 *
 * const rules = Rules.parse({
 *   action: "record",
 *   countries: { allow: ["DE", "AT", "CH"] },
 *   limits: [{ name: "number", by: ["to"], rates: ["5/1h", "10/1d"] }]
 * })
 * ```
 */
import { DAY, isDuration, named, toDuration } from "@watchword/schemas/Field"
import { type BadRequest, badRequest } from "@watchword/schemas/Errors"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Use } from "@watchword/send/SendGuard"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { types } from "./internal/NumberType.ts"
import { isPlace } from "./internal/Countries.ts"
import { isMoney, isRate, toRate } from "./internal/Rates.ts"

export { type NumberType, typeOf } from "./internal/NumberType.ts"

/** `record` counts, and writes on the record what would have been refused; `deny` refuses. */
export const Action = Schema.Literals(["record", "deny"])
export type Action = typeof Action.Type

/**
 * What rules hold for: verifications with their steps, the sends that clients make themselves, or both where not given.
 */
export const For = Schema.Literals(["verifications", "sends"])

export const holdsFor = (scope: Use | undefined, use: Use): boolean => scope === undefined || scope === use

/** What sends are counted by. A number without its last four digits is its prefix. */
const facts = ["to", "client_ip", "client_ref", "to_prefix", "country", "account", "key"] as const

/** The beginning of a key that a client names itself, such as `limit_key:session`. */
export const LIMIT_KEY = "limit_key:"

/** One of the facts about a send, or `limit_key:` and the name of one of a start's `limit_keys`. */
export const Key = Schema.Union([
  Schema.Literals(facts),
  Schema.TemplateLiteral([LIMIT_KEY, Schema.String]).check(
    Schema.isPattern(/^limit_key:[A-Za-z0-9_.-]{1,64}$/, {
      message: "must be limit_key: and 1 to 64 letters, digits, dots, hyphens or underscores"
    })
  )
])
export type Key = typeof Key.Type

/** The most entries of a list of countries, prefixes or numbers. */
const MOST_ENTRIES = 1_000

/** The most limits, and the most rates of all of them together: each rate is a counter of every send. */
const MOST_LIMITS = 12
const MOST_RATES = 20

const matching = (isRight: (text: string) => boolean, message: string) =>
  Schema.String.check(Schema.makeFilter((text) => (isRight(text) ? undefined : message)))

const list = <S extends Schema.Top>(entry: S, most = MOST_ENTRIES) =>
  Schema.Array(entry).check(
    Schema.isMinLength(1, { message: "must have at least one entry" }),
    Schema.isMaxLength(most, { message: `must have at most ${most} entries` }),
    Schema.isUnique({ message: "must not have an entry twice" })
  )

const Country = matching(
  isPlace,
  "must be a country code, such as DE (ISO 3166-1 alpha-2), or 001 for numbers of no country"
)

/** The word for numbers that are of no type, because their plan does not know them: they are not assigned. */
export const UNKNOWN = "unknown"

/**
 * Countries that sends go to, or all but some of them; `001` means numbers without a country, such as satellite phones.
 */
export const Countries = Schema.Struct({
  allow: Schema.optionalKey(list(Country)),
  deny: Schema.optionalKey(list(Country))
}).check(
  Schema.makeFilter(({ allow, deny }) => {
    if (allow === undefined)
      return deny === undefined ? [{ path: ["allow"], issue: "is required, or deny" }] : undefined
    return deny === undefined ? undefined : [{ path: ["deny"], issue: "must not be set together with allow" }]
  })
)

/** The first digits of numbers, with the plus sign. */
export const Prefix = Schema.String.check(
  Schema.isPattern(/^\+[1-9][0-9]{0,13}$/, { message: "must be a plus sign and the first 1 to 14 digits of numbers" })
)

const Rate = matching(isRate, "must be a number of sends and a time, such as 5/1h, of 1 second to 30 days (s, m, h, d)")
const Spend = matching(isMoney, "must be an amount in EUR and a time, such as 200/1d, of 1 second to 30 days")
const Duration = matching(isDuration, "must be a time of 1 second to 30 days, such as 30s, 10m, 12h or 1d")
const Window = Schema.String.check(
  Schema.makeFilter((text) =>
    isDuration(text) && toDuration(text) <= 14 * DAY ? undefined : "must be a time of at most 14 days, such as 1h or 1d"
  )
)

const Share = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 10 }, { message: "must be a share of 0 to 10, such as 0.2" })
)
const Floor = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: 1_000_000 }, { message: "must be a whole number of 0 to 1000000" })
)

/** A limit of sends by `rates`, of money by `money`, or of both. */
export const Limit = Schema.Struct({
  /** Ends the reason of refusals: `limit_ip` of the limit `ip`. */
  name: Schema.String.check(
    Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/, {
      message: "must be 1 to 32 lower-case letters, digits and underscores, the first a letter"
    })
  ),
  by: list(Key, 5),
  rates: Schema.optionalKey(list(Rate, 4)),
  money: Schema.optionalKey(Spend),
  /** The action of this limit, where it is another than that of the rules: a new limit begins as `record`. */
  action: Schema.optionalKey(Action),
  /** What this limit holds for, where it is something else than the rules. */
  for: Schema.optionalKey(For)
}).check(
  Schema.makeFilter(({ by, money, rates }) => {
    if (money !== undefined && by.some((key) => key.startsWith(LIMIT_KEY))) {
      return [
        {
          path: ["money"],
          issue: "must not be set with a limit_key: the steps of a verification, which cost money, carry no limit keys"
        }
      ]
    }
    if (rates === undefined && money === undefined) return [{ path: ["rates"], issue: "is required, or money" }]
    const windows = (rates ?? []).map((rate) => toRate(rate).window)
    const twice = windows.findIndex((window, index) => windows.indexOf(window) < index)
    return twice < 0 ? undefined : [{ path: ["rates", twice], issue: "is for the same time as another rate" }]
  })
)
export type Limit = typeof Limit.Type

/** How many sends that were not verified a country or a prefix may have. */
export const Threshold = Schema.Struct({
  /** Always allowed. */
  floor: Floor,
  /** The share of verified sends. */
  share: Share,
  window: Window
})
export type Threshold = typeof Threshold.Type

export const Pumping = Schema.Struct({
  country: Schema.optionalKey(Threshold),
  prefix: Schema.optionalKey(Threshold),
  /**
   * Whether verifications count whose code the client has made, which may be entered where the service does not see it;
   * true unless given.
   */
  own_codes: Schema.optionalKey(Schema.Boolean),
  /** How long a country or prefix over the limit is blocked. */
  block: Duration
}).check(
  Schema.makeFilter(({ country, prefix }) =>
    country === undefined && prefix === undefined ? [{ path: ["prefix"], issue: "is required, or country" }] : undefined
  )
)
export type Pumping = typeof Pumping.Type

const Limits = Schema.Array(Limit).check(
  Schema.isMaxLength(MOST_LIMITS, { message: `must have at most ${MOST_LIMITS} entries` }),
  Schema.makeFilter((limits) => {
    const names = limits.map(({ name }) => name)
    const twice = names.findIndex((name, index) => names.indexOf(name) < index)
    if (twice >= 0) return [{ path: [twice, "name"], issue: "is the name of another limit" }]
    const rates = limits.reduce(
      (sum, limit) => sum + (limit.rates?.length ?? 0) + (limit.money === undefined ? 0 : 1),
      0
    )
    return rates > MOST_RATES ? `must have at most ${MOST_RATES} rates together` : undefined
  })
)

/** The rules. Omitted parts guard nothing; the action is `record` unless given. */
export const Rules = Schema.Struct({
  for: Schema.optionalKey(For),
  action: Schema.optionalKey(Action),
  countries: Schema.optionalKey(Countries),
  numbers: Schema.optionalKey(
    Schema.Struct({
      deny_types: Schema.optionalKey(list(Schema.Literals([...types, UNKNOWN]))),
      deny_prefixes: Schema.optionalKey(list(Prefix)),
      always_allow: Schema.optionalKey(list(E164))
    })
  ),
  limits: Schema.optionalKey(Limits),
  pumping: Schema.optionalKey(Pumping),
  /** How many sandbox sends the account may have under way; 10,000 unless given. */
  sandbox_under_way: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }, { message: "must be 1 to 10000" }))
  )
}).annotate(named("GuardRules"))
export type Rules = typeof Rules.Type

/** The same as JSON has it. */
export type Encoded = typeof Rules.Encoded

const decode = Schema.decodeUnknownEffect(Rules, { errors: "all", onExcessProperty: "error" })

/** Rules that came from outside. The error names each field that is wrong. */
export const parse = (value: unknown): Effect.Effect<Rules, BadRequest> =>
  Effect.mapError(decode(value), (error) => badRequest(error, "The guard rules are not valid."))

/**
 * The rules of accounts for which none are set, in a service for which none are set: a loop in a client sends no phone
 * twenty texts, and codes that no one enters end after a hundred in a country.
 *
 * They hold for live verifications. Sends that a client makes itself are its own, and the sandbox costs nothing.
 */
export const DefaultRules: Rules = {
  for: "verifications",
  action: "deny",
  numbers: {
    deny_types: ["premium_rate", "shared_cost"],
    // Satellite phones, international networks, personal numbers of no country: the dearest there are.
    deny_prefixes: ["+870", "+878", "+881", "+882", "+883"]
  },
  limits: [
    { name: "number", by: ["to"], rates: ["1/30s", "5/1h", "10/1d"] },
    // Mobile networks share addresses, and the other rules bound one address that sends to one place.
    { name: "ip", by: ["client_ip"], rates: ["100/1h"] },
    { name: "prefix", by: ["to_prefix"], rates: ["200/1h"] }
  ],
  pumping: {
    country: { floor: 100, share: 4, window: "6h" },
    prefix: { floor: 30, share: 3, window: "1h" },
    own_codes: false,
    block: "1h"
  }
}

/** Rules that guard nothing. */
export const none: Rules = {}

export const isNone = (rules: object): boolean => Object.keys(rules).length === 0
