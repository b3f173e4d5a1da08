/**
 * The operator's command that tries rules of a guard on the past, before they are set.
 */
import { field } from "@watchword/schemas/Field"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Rules from "@watchword/guards/Rules"
import { type Past, rehearse } from "@watchword/guards/operator"
import { type Delivery, PART_OF } from "@watchword/store/Delivery"
import { exists } from "@watchword/store/Settings"
import * as Command from "../command/Command.ts"
import { Moment, account, accountOf, as, counted, wire } from "../command/Wire.ts"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { walk } from "./Newest.ts"

const count = Schema.Finite

/** The newest records that are looked at, at most so old: limits count them, and refusals count in the last hour. */
const COUNTED = 2_000
const DAY = 24 * 60 * 60 * 1000
const HOUR = 60 * 60 * 1000

export const tryRules = Command.make({
  name: ["guard", "try"],
  description: "Say how many of an account's requests of the last hour rules would have refused",
  role: "support",
  input: wire({
    account,
    rules: as({ words: ["none"] }, field(Schema.Unknown, "A JSON file with the rules; - for standard input"))
  }),
  positional: ["account", "rules"],
  output: wire({
    account: accountOf,
    requests: field(count, "Its live requests of the last hour, including requests that a guard refused."),
    refused: field(count, "The requests among them that the rules would have refused with the action deny."),
    rules: field(Schema.Array(wire({ rule: Schema.String, refused: count })), "By rule, the most refusals first."),
    since: field(Moment, "When the requests begin that limits count: a day ago, or later if there were many.")
  }),
  run: Effect.fnUntraced(function* ({ account, rules: given }) {
    yield* exists(account)
    const rules = yield* Rules.parse(given === "none" ? Rules.none : given)
    const at = yield* Clock.currentTimeMillis
    const { products } = yield* ChannelRegistry
    const { next, rows } = yield* walk(
      {
        since: Math.max(0, at - DAY),
        until: at + 1,
        before: null,
        account,
        mode: "live",
        channels: products.map(({ name }) => name),
        where: [],
        limit: COUNTED
      },
      COUNTED
    )
    const past = rows.toReversed().flatMap(pastOf)
    const reasons = rehearse(rules, past)
    const isOfHour = (index: number): boolean => past[index]?.requests === 1 && (past[index]?.at ?? 0) > at - HOUR
    const refused = reasons.filter((each, index) => each.length > 0 && isOfHour(index))
    const byRule = Map.groupBy(refused.flat(), (rule) => rule)
    return {
      account,
      requests: past.filter((_, index) => isOfHour(index)).length,
      refused: refused.length,
      rules: [...byRule]
        .map(([rule, { length }]) => ({ rule, refused: length }))
        .toSorted((a, b) => b.refused - a.refused || a.rule.localeCompare(b.rule)),
      since: next === null ? at - DAY : (past[0]?.at ?? at - DAY)
    }
  }),
  lines: ({ refused, requests, rules }) => [
    `Of ${counted(requests, "live request")} of the last hour, the rules would have refused ${refused}.`,
    ...rules.map(({ refused, rule }) => `${rule}  ${refused}`)
  ]
})

const isE164 = Schema.is(E164)

/** A record as a request; none for an erased number. */
const pastOf = ({ account, channel, createdAt: at, details, mode, price, to }: Delivery): ReadonlyArray<Past> => {
  if (!isE164(to)) return []
  const isStep = typeof details[PART_OF] === "string"
  return [
    {
      at,
      account,
      mode,
      to,
      clientIp: textOrNull(details["client_ip"]),
      clientRef: textOrNull(details["client_ref"]),
      trusted: details["trusted"] === true,
      requests: isStep ? 0 : 1,
      price,
      use: isStep || channel === "verify" ? "verifications" : "sends"
    }
  ]
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)
