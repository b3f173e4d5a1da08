/**
 * The commands on guards: rules of accounts, blocks and exceptions.
 */
import * as GuardAdmin from "@watchword/guards/internal/GuardAdmin"
import { isNone } from "@watchword/guards/DefaultRules"
import * as Durations from "@watchword/guards/internal/Durations"
import { UsualRules, ofInstallation } from "@watchword/guards/internal/UsualRules"
import { Accounts } from "@watchword/ledger/Accounts"
import { AccountId } from "@watchword/schemas/Ids"
import type { Owner } from "@watchword/store/Settings"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Database from "../Database.ts"
import * as Settings from "../settings/Settings.ts"
import { readJson } from "./jsonFile.ts"
import { accountArgument, accountFlag, explainedWith, mistake, print } from "./root.ts"

/** Fields of rules are no flags. */
const explained = explainedWith([
  "action",
  "countries",
  "limits",
  "number",
  "numbers",
  "place",
  "pumping",
  "sandbox_under_way"
])

const ownerFlag = accountFlag.pipe(
  Flag.withDescription("For the sends of this account only; all accounts unless given"),
  Flag.optional
)

const ownerOf = (account: Option.Option<AccountId>): Owner => Option.getOrNull(account)

const of = (owner: Owner): string => (owner === null ? "all accounts" : `account ${owner}`)

const set = Command.make(
  "set",
  {
    id: accountArgument,
    file: Argument.String("file").pipe(
      Argument.withDescription("A file with the rules as JSON; - for standard input, none for no rules at all")
    )
  },
  ({ file, id }) =>
    Effect.gen(function* () {
      const rules = yield* GuardAdmin.set(id, file === "none" ? file : yield* readJson(file))
      yield* print({ account_id: id, rules }, [
        isNone(rules)
          ? `Running servers guard nothing of account ${id} within seconds; \`guard remove ${id}\` undoes it.`
          : `Running servers guard account ${id} by these rules within seconds: they ${rules.action ?? "record"}.`
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Set the rules of an account"))

const show = Command.make("show", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    yield* Accounts.use((accounts) => accounts.get(id))
    const shown = yield* GuardAdmin.show(id)
    const { inForce, rules } = shown
    yield* print({ account_id: id, rules, in_force: inForce, ...described(shown) }, [
      isNone(inForce.rules)
        ? `Account ${id} is under no rules: ${none[inForce.from]}.`
        : `Account ${id} is under ${some[inForce.from]}:\n${JSON.stringify(inForce.rules, null, 2)}`,
      ...linesOf(shown)
    ])
  }).pipe(Effect.provideServiceEffect(UsualRules, usual), Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Show the rules, blocks and exceptions of an account"))

const some = {
  account: "rules of its own",
  installation: "the rules of GUARDS",
  default: "the default rules, because it has none of its own and GUARDS is not set"
}

const none = { account: "its own say so", installation: "GUARDS says so", default: "there are no default ones" }

/** The rules of GUARDS, as a server has them that is started with this environment. */
const usual = Effect.map(
  Effect.suspend(() => Effect.fromResult(Settings.parts.guards(process.env))),
  Option.match({ onNone: UsualRules.defaultValue, onSome: ofInstallation })
)

const block = Command.make(
  "block",
  {
    place: Argument.String("prefix").pipe(
      Argument.withDescription("First digits such as +2348, or a country such as NG")
    ),
    duration: Flag.String("for").pipe(Flag.withDescription("How long: 30m, 12h, 2d")),
    account: ownerFlag
  },
  ({ account, duration, place }) =>
    Effect.gen(function* () {
      if (!Durations.isDuration(duration))
        return yield* mistake("--for must be a time of at most 30 days, such as 12h.")
      const owner = ownerOf(account)
      const { until } = yield* GuardAdmin.block(owner, place, Durations.toDuration(duration))
      const end = new Date(until).toISOString()
      yield* print({ place, until: end, account_id: owner }, [
        `Nothing of ${of(owner)} is sent to ${place} until ${end}; running servers know within seconds.`
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Send nothing to a prefix or a country for a time"))

const allow = Command.make(
  "allow",
  {
    number: Argument.String("number").pipe(Argument.withDescription("A phone number in E.164 form")),
    account: ownerFlag
  },
  ({ account, number }) =>
    Effect.gen(function* () {
      const owner = ownerOf(account)
      yield* GuardAdmin.allow(owner, number)
      yield* print({ number, account_id: owner }, [
        `Sends of ${of(owner)} to this number pass all rules and blocks, until \`guard remove\`.`
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Let a number pass whatever the rules and blocks say"))

const list = Command.make("list", { account: ownerFlag }, ({ account }) =>
  Effect.gen(function* () {
    const owners = Option.isSome(account)
      ? [account.value]
      : [null, ...(yield* Accounts.use((accounts) => accounts.list)).map((each) => each.account.id)]
    const all = yield* Effect.forEach(owners, (owner) =>
      Effect.map(GuardAdmin.show(owner), (shown) => ({ owner, shown }))
    )
    const some = all.filter(({ shown }) => shown.rules !== null || shown.blocks.size + shown.exceptions.length > 0)
    yield* print(
      {
        guards: some.map(({ owner, shown }) => ({
          account_id: owner,
          action: shown.rules === null ? null : (shown.rules.action ?? "record"),
          ...described(shown)
        }))
      },
      some.length === 0
        ? ["No account has rules, and nothing is blocked."]
        : some.flatMap(({ owner, shown }) => [
            `${of(owner)}${shown.rules === null ? "" : `, whose rules ${shown.rules.action ?? "record"}`}:`,
            ...linesOf(shown)
          ])
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List blocks, exceptions, and the accounts that have rules"))

const isAccount = Schema.is(AccountId)

const remove = Command.make(
  "remove",
  {
    entry: Argument.String("entry").pipe(
      Argument.withDescription("A blocked prefix or country, a number that was allowed, or an account: its rules")
    ),
    account: ownerFlag
  },
  ({ account, entry }) =>
    Effect.gen(function* () {
      const owner = ownerOf(account)
      const removed = yield* isAccount(entry) ? GuardAdmin.removeRules(entry) : GuardAdmin.remove(owner, entry)
      if (!removed) return yield* mistake(`There is no such rule, block or exception of ${of(owner)}.`)
      yield* print({ removed: entry, account_id: isAccount(entry) ? entry : owner }, [
        `Removed ${entry}; running servers know within seconds.`
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Take away a block, an exception, or the rules of an account"))

const described = ({ blocks, exceptions }: GuardAdmin.Shown) => ({
  blocks: [...blocks].map(([place, { by, until }]) => ({ place, until: new Date(until).toISOString(), by })),
  allowed: exceptions
})

const linesOf = ({ blocks, exceptions }: GuardAdmin.Shown): ReadonlyArray<string> => [
  ...[...blocks].map(([place, { by, until }]) => `blocked  ${place} until ${new Date(until).toISOString()} (${by})`),
  ...exceptions.map((number) => `allowed  ${number}`)
]

export const guard = Command.make("guard").pipe(
  Command.withDescription("Rules against pumping and flooding, blocks and exceptions"),
  Command.withSubcommands([set, show, block, allow, list, remove])
)
