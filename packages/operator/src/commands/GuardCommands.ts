/**
 * The operator's commands on guards: rules of accounts, blocks and exceptions.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { OfAtMostAMonth, field } from "@watchword/schemas/Field"
import { AccountId } from "@watchword/schemas/Ids"
import * as Command from "../command/Command.ts"
import { defaultCountry, numberInput, numberOf, parseInput } from "../command/NumberInput.ts"
import { Acting } from "../command/Acting.ts"
import { type Owner, exists, owners, valueOf } from "@watchword/store/Settings"
import { Time, account, accountOf, as, maybeOwner, ofOwner, ownerOf, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Rules, Rules as RulesSchema, isNone } from "@watchword/guards/Rules"
import { GuardAdmin } from "@watchword/guards/operator"
import { doubtOfBlock, doubts } from "@watchword/guards/operator"
import { GuardSettings } from "@watchword/guards/operator"

const Blocks = Schema.Array(
  Schema.Struct({ place: Schema.String, until: Time, by: Schema.Literals(["operator", "pumping"]) })
)

/** An exception that ends by itself has an `until`. */
const Exceptions = Schema.Array(
  Schema.Struct({ number: Schema.String, until: Schema.NullOr(Time), by: Schema.Literals(["allow", "pass"]) })
)

const setFields = { blocks: Blocks, exceptions: as({ json: "allowed" }, Exceptions) }

type Set = Schema.Struct.Type<typeof setFields>

/** The settings of an owner, with its blocks and exceptions in lists. */
const shown = (owner: Owner) =>
  Effect.map(GuardAdmin.show(owner), ({ blocks, exceptions, passes, ...more }) => ({
    ...more,
    blocks: [...blocks].map(([place, { by, until }]) => ({ place, until: new Date(until), by })),
    exceptions: [...exceptionsOf(exceptions, "allow"), ...exceptionsOf(passes, "pass")]
  }))

const exceptionsOf = (ends: ReadonlyMap<string, number>, by: "allow" | "pass") =>
  [...ends].map(([number, end]) => ({ number, until: Number.isFinite(end) ? new Date(end) : null, by }))

/** The same for each of some owners that has anything set. */
export const listed = Effect.fnUntraced(function* (some: ReadonlyArray<Owner>) {
  const all = yield* Effect.forEach(some, (account) => Effect.map(shown(account), (found) => ({ account, ...found })), {
    concurrency: 16
  })
  return all.filter(({ blocks, exceptions, rules }) => rules !== null || blocks.length + exceptions.length > 0)
})

const ownerField = maybeOwner("Only for this account's sends; for all accounts by default")

export const set = Command.make({
  name: ["guard", "set"],
  description: "Set the rules of an account",
  role: "operator",
  input: wire({
    account,
    rules: as(
      { words: ["none"] },
      field(Schema.Unknown, "A JSON file with the rules; - for standard input, none for no rules at all")
    )
  }),
  positional: ["account", "rules"],
  output: wire({ account: accountOf, rules: RulesSchema }),
  before: ({ account }) => valueOf(account, GuardSettings.rules),
  run: ({ account, rules }) => Effect.map(GuardAdmin.set(account, rules), (rules) => ({ account, rules })),
  lines: ({ account, rules }) => [
    isNone(rules)
      ? `Running servers stop guarding account ${account} within seconds; \`guard remove ${account}\` undoes this.`
      : `Running servers apply these rules to account ${account} within seconds: they ${actionOf(rules)}.`,
    ...doubts(rules)
  ]
})

const actionOf = ({ action = "record" }: Rules) => action

export const show = Command.make({
  name: ["guard", "show"],
  description: "Show an account's rules, blocks and exemptions",
  role: "support",
  input: wire({ account }),
  positional: ["account"],
  output: wire({
    account: accountOf,
    rules: Schema.NullOr(RulesSchema),
    inForce: Schema.Struct({ from: Schema.Literals(["account", "installation", "default"]), rules: RulesSchema }),
    ...setFields
  }),
  run: ({ account }) =>
    Effect.andThen(
      exists(account),
      Effect.map(shown(account), (found) => ({ account, ...found }))
    ),
  lines: ({ account, inForce: { from, rules }, ...found }) => [
    isNone(rules)
      ? `Account ${account} has no guard rules: ${without[from]}.`
      : `Account ${account} is under ${under[from]}:\n${JSON.stringify(rules, null, 2)}`,
    ...linesOf(found)
  ]
})

const under = {
  account: "rules of its own",
  installation: "the rules of GUARDS",
  default: "the default rules, because it has no rules of its own and GUARDS is not set"
}

const without = { account: "its own say so", installation: "GUARDS says so", default: "there are no default rules" }

const linesOf = ({ blocks, exceptions }: Set): ReadonlyArray<string> => [
  ...blocks.map(({ by, place, until }) => `blocked  ${place} until ${until.toISOString()} (${by})`),
  ...exceptions.map(
    ({ by, number, until }) =>
      `${by === "pass" ? "passes   " : "allowed  "}${number}${until === null ? "" : ` until ${until.toISOString()}`}`
  )
]

const exceptionBefore = (owner: Owner, number: string) =>
  Effect.map(valueOf(owner, GuardSettings.exceptions.of(number)), (exception) =>
    exception === null ? null : { until: untilOf(GuardSettings.endOf(exception)) }
  )

const passBefore = (owner: Owner, number: string) =>
  Effect.map(valueOf(owner, GuardSettings.passes.of(number)), (pass) =>
    pass === null ? null : { until: untilOf(pass.until) }
  )

const anyExceptionBefore = (owner: Owner, number: string) =>
  Effect.flatMap(exceptionBefore(owner, number), (exception) =>
    exception === null ? passBefore(owner, number) : Effect.succeed(exception)
  )

const blockBefore = (owner: Owner, place: string) =>
  Effect.map(valueOf(owner, GuardSettings.blocks.of(place)), (block) =>
    block === null ? null : { ...block, until: untilOf(block.until) }
  )

const untilOf = (end: number): string | null => (Number.isFinite(end) ? new Date(end).toISOString() : null)

export const block = Command.make({
  name: ["guard", "block"],
  description: "Refuse sends to a prefix or a country for a time",
  role: "operator",
  input: wire({
    place: as(
      { example: "PREFIX" },
      field(Schema.String, "First digits such as +2348, a country such as NG, or 001 for numbers of no country")
    ),
    for: as({ example: "12h" }, field(OfAtMostAMonth, "How long: 30m, 12h, 2d")),
    account: ownerField
  }),
  positional: ["place"],
  output: wire({ place: Schema.String, until: Time, account: ownerOf }),
  before: ({ account = null, place }) => blockBefore(account, place),
  run: ({ account = null, for: seconds, place }) =>
    Effect.map(GuardAdmin.block(account, place, seconds * 1000), ({ until }) => ({
      place,
      until: new Date(until),
      account
    })),
  lines: ({ account, place, until }) => [
    `Sends ${ofOwner(account)} to ${place} are refused until ${until.toISOString()}; running servers apply this within seconds.`,
    ...doubtOfBlock(place)
  ]
})

const Allowed = wire({ number: Schema.String, until: Schema.NullOr(Time), account: ownerOf })

/** @param until in milliseconds since the epoch; null for no end */
const allowed = (account: Owner, number: string, until: number | null): typeof Allowed.Type => ({
  number,
  until: until === null ? null : new Date(until),
  account
})

const allowedLines =
  (passes: string) =>
  ({ account, until }: typeof Allowed.Type): ReadonlyArray<string> => [
    `Sends ${ofOwner(account)} to this number pass ${passes}, within five times the limits per number (twice the daily limits), ` +
      `until ${until === null ? "" : `${until.toISOString()} or `}\`guard remove\`.`
  ]

export const allow = Command.make({
  name: ["guard", "allow"],
  description: "Exempt a number from rules and blocks, within wider limits per number",
  role: "operator",
  input: wire({
    ...numberInput,
    for: Schema.optionalKey(
      as({ example: "12h" }, field(OfAtMostAMonth, "How long: 30m, 12h, 2d; until you remove it by default"))
    ),
    account: ownerField
  }),
  positional: ["number"],
  output: Allowed,
  before: ({ account = null, ...given }) =>
    Effect.flatMap(numberOf(given), (number) => exceptionBefore(account, number)),
  run: Effect.fnUntraced(function* ({ account = null, for: seconds = null, ...given }) {
    const number = yield* numberOf(given)
    return allowed(account, number, yield* GuardAdmin.allow(account, number, seconds && seconds * 1000))
  }),
  lines: allowedLines("all rules and blocks")
})

export const pass = Command.make({
  name: ["guard", "pass"],
  description: "Exempt a number from blocks, country rules and pumping rules for a day, within wider limits per number",
  role: "support",
  isLogged: true,
  input: wire({ ...numberInput, account: ownerField }),
  positional: ["number"],
  output: Allowed,
  before: ({ account = null, ...given }) =>
    Effect.flatMap(numberOf(given), (number) => anyExceptionBefore(account, number)),
  run: Effect.fnUntraced(function* ({ account = null, ...given }) {
    const number = yield* numberOf(given)
    const actor = yield* Acting
    return allowed(account, number, yield* GuardAdmin.pass(account, number, `${actor?.by} ${actor?.who}`))
  }),
  lines: allowedLines("blocks, country rules and pumping rules")
})

const Listed = wire({ account: ownerOf, action: Schema.NullOr(Schema.Literals(["record", "deny"])), ...setFields })

export const list = Command.make({
  name: ["guard", "list"],
  description: "List blocks, exemptions, and accounts with rules of their own",
  role: "support",
  input: wire({ account: ownerField }),
  output: wire({ guards: Schema.Array(Listed) }),
  run: Effect.fnUntraced(function* ({ account }) {
    const all = yield* listed(account === undefined ? yield* owners : [account])
    return { guards: all.map(({ rules, ...each }) => ({ ...each, action: rules === null ? null : actionOf(rules) })) }
  }),
  lines: ({ guards }) =>
    guards.length === 0
      ? ["No account has rules, and nothing is blocked."]
      : guards.flatMap(({ account, action, ...found }) => [
          `${ofOwner(account).replace("of ", "")}${action === null ? "" : `, whose rules ${action}`}:`,
          ...linesOf(found)
        ])
})

const isAccount = Schema.is(AccountId)

/**
 * The key of an entry: a number as people type it is converted to E.164 form. Without a country, what cannot be read as
 * a number is only an entry that is not there.
 */
const keyOf = ({ defaultCountry, entry }: Entry): Effect.Effect<string, BadRequest> => {
  if (isAccount(entry) || GuardSettings.isPlace(entry)) return Effect.succeed(entry)
  return defaultCountry === undefined
    ? Effect.succeed(parseInput(entry).number ?? entry)
    : numberOf({ number: entry, defaultCountry }, "entry")
}

interface Entry {
  readonly entry: string
  readonly defaultCountry?: string | undefined
}

const entryBefore = Effect.fnUntraced(function* (owner: Owner, entry: string) {
  if (isAccount(entry)) return yield* valueOf(entry, GuardSettings.rules)
  return (yield* blockBefore(owner, entry)) ?? (yield* anyExceptionBefore(owner, entry))
})

export const remove = Command.make({
  name: ["guard", "remove"],
  description: "Remove a block, an exemption, or an account's rules",
  role: "operator",
  input: wire({
    entry: as(
      { example: "PREFIX|NUMBER|ACCOUNT" },
      field(Schema.String, "A blocked prefix or country, an exempt number, or an account id to remove its rules")
    ),
    defaultCountry,
    account: ownerField
  }),
  positional: ["entry"],
  output: wire({ removed: Schema.String, account: ownerOf }),
  before: ({ account = null, ...given }) => Effect.flatMap(keyOf(given), (entry) => entryBefore(account, entry)),
  run: Effect.fnUntraced(function* ({ account = null, ...given }) {
    const entry = yield* keyOf(given)
    const removed = yield* isAccount(entry) ? GuardAdmin.removeRules(entry) : GuardAdmin.remove(account, entry)
    if (removed) return { removed: entry, account: isAccount(entry) ? entry : account }
    return yield* new BadRequest({ message: `There is no such rule, block or exemption ${ofOwner(account)}.` })
  }),
  lines: ({ removed }) => [`Removed ${removed}; running servers apply this within seconds.`]
})
