/**
 * The operator's command for what guards do now: blocks, refusals by rule, and where codes are not entered.
 */
import { field } from "@watchword/schemas/Field"
import { listed } from "./GuardCommands.ts"
import { UsualRules } from "@watchword/guards/Guards"
import { Rules } from "@watchword/guards/Rules"
import * as Command from "../command/Command.ts"
import { Moment, Time, accountOf, counted, ofOwner, ownerOf, wire } from "../command/Wire.ts"
import { owners } from "@watchword/store/Settings"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { countries } from "../insight/overview/Prefixes.ts"
import { trips } from "../insight/overview/Trips.ts"
import { verifications } from "../insight/overview/Unverified.ts"

const count = Schema.Finite

const Trips = Schema.Struct({
  refused: field(count, "Sends that the rule refused."),
  noted: field(count, "Sends that it allowed, and would have refused with the action deny.")
})

const Block = wire({
  account: ownerOf,
  place: Schema.String,
  until: Time,
  secondsLeft: count,
  by: Schema.Literals(["operator", "pumping"])
})

const Look = wire({
  at: Moment,
  blocks: field(Schema.Array(Block), "Ordered by end, soonest first."),
  exceptions: field(count, "Numbers that pass all rules and blocks."),
  trips: field(
    Schema.Array(wire({ rule: Schema.String, account: accountOf, hour: Trips, day: Trips })),
    "In the last hour and day, by rule and account, among at most the newest 2,000 sends."
  ),
  refusedSince: field(Moment, "When the count of refusals begins: a day ago, or later if there were many."),
  notedSince: field(Moment, "When the count of sends that rules would have refused begins; likewise."),
  countries: field(
    Schema.Array(
      Schema.Struct({
        country: field(Schema.String, "ISO 3166-1 alpha-2; 001 for numbers of no country."),
        unverified: count,
        approved: count,
        prefixes: Schema.Array(Schema.Struct({ prefix: Schema.String, unverified: count, approved: count }))
      })
    ),
    "Where codes of the last hour were not entered, the most first: countries and prefixes with five or more."
  ),
  rules: field(
    Schema.Array(
      wire({ account: ownerOf, from: Schema.Literals(["account", "installation", "default"]), rules: Rules })
    ),
    "Rules in force: the installation's rules, and the rules of each account that has its own."
  )
})

/** The most accounts whose blocks and rules are looked at, the most recently opened ones. */
const ACCOUNTS = 500

export const look = Command.make({
  name: ["guard", "look"],
  description: "Show guards' current state: blocks, refusals by rule, countries and prefixes with unused codes",
  role: "support",
  isWatchable: true,
  input: wire({}),
  output: Look,
  run: Effect.fnUntraced(function* () {
    const at = yield* Clock.currentTimeMillis
    const [installation, ...accounts] = yield* owners
    const all = yield* listed(installation === undefined ? [] : [installation, ...accounts.slice(-ACCOUNTS)])
    const usual = yield* UsualRules
    const found = yield* trips(at)
    return {
      at,
      blocks: all
        .flatMap(({ account, blocks }) =>
          blocks.map((block) => ({
            account,
            ...block,
            secondsLeft: Math.max(0, Math.ceil((block.until.getTime() - at) / 1000))
          }))
        )
        .toSorted((a, b) => a.secondsLeft - b.secondsLeft),
      exceptions: all.reduce((sum, { exceptions }) => sum + exceptions.length, 0),
      trips: found.trips,
      refusedSince: found.refusedSince,
      notedSince: found.notedSince,
      countries: countries(yield* verifications(at)),
      rules: [
        { account: null, from: usual.from, rules: usual.of("live") },
        ...all.flatMap(({ account, rules }) => (rules === null ? [] : [{ account, from: "account" as const, rules }]))
      ]
    }
  }),
  lines: ({ blocks, countries, exceptions, refusedSince, rules, trips }) => [
    ...blocks.map(
      ({ account, by, place, secondsLeft }) =>
        `blocked  ${place} ${ofOwner(account)} for ${Math.ceil(secondsLeft / 60)} min (${by})`
    ),
    ...trips.map(
      ({ account, day, hour, rule }) =>
        `${rule}  ${account}  refused ${hour.refused} in the last hour and ${day.refused} in the last day; ` +
        `${hour.noted} and ${day.noted} would have been`
    ),
    ...countries.flatMap(({ country, prefixes, ...sum }) => [
      `${country}  ${entered(sum)}`,
      ...prefixes.map(({ prefix, ...sum }) => `  ${prefix}…  ${entered(sum)}`)
    ]),
    `${counted(blocks.length, "block")}, ${counted(exceptions, "exception")}, ` +
      `${counted(rules.length - 1, "account")} with rules of their own; refusals since ${new Date(refusedSince).toISOString()}.`
  ]
})

const entered = ({ approved, unverified }: { readonly approved: number; readonly unverified: number }): string =>
  `${unverified} not entered, ${approved} approved`
