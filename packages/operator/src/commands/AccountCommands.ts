/**
 * The operator's commands on accounts: open one, look at it, list all, suspend one, bound its originators.
 */
import { Authenticator } from "@watchword/auth/Authenticator"
import { Accounts, type Statement, notUnderWay } from "@watchword/ledger/Accounts"
import { Ledger } from "@watchword/ledger/Ledger"
import { amountOf, balanceFields, inEuros } from "./MoneyCommands.ts"
import type { Account } from "@watchword/schemas/Account"
import { optional } from "@watchword/schemas/Field"
import type { AccountId } from "@watchword/schemas/Ids"
import { getCallers } from "@watchword/send/pipeline"
import { poolFields, pooled } from "./CallersCommand.ts"
import { amounts } from "../command/Amounts.ts"
import * as Command from "../command/Command.ts"
import { Euros, Moment, Texts as TextList, account, accountOf, as, wire } from "../command/Wire.ts"
import { Defaults } from "@watchword/verify/operator"
import { Templates } from "@watchword/verify/operator"
import { TestNumbers } from "@watchword/verify/operator"
import { Texts } from "@watchword/verify/operator"
import { written } from "./StepsInLine.ts"
import { defaultFields } from "./VerifyCommands.ts"
import { Workflows } from "@watchword/verify/operator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const text = (example: string, description: string) => as({ example }, optional(Schema.String, description))

const seconds = (description: string) => optional(Schema.Int, `${description}, seconds`)

export const create = Command.make({
  name: ["account", "create"],
  description: "Open an account",
  role: "admin",
  input: wire({
    name: text("NAME", "The account's display name, and the brand in verification texts until account verify sets one"),
    balance: as({ example: "100" }, optional(Euros, "A first credit, in EUR")),
    caller: text("+…", "Default caller id of flash calls, E.164"),
    smsSender: text("SENDER", "Default sender of SMS; Watchword unless given"),
    senderUsername: text("USERNAME", "Default sender of chat-gateway codes"),
    minRing: seconds("Shortest default ring time"),
    maxRing: seconds("Longest default ring time"),
    storeText: optional(Schema.Boolean, "Keep message texts, which contain codes, in their records")
  }),
  localFields: ["balance"],
  output: wire({ account: accountOf }),
  run: Effect.fnUntraced(function* ({ balance, ...wanted }) {
    const { id } = yield* Accounts.use((accounts) => accounts.create(wanted))
    if (balance !== undefined) {
      const first = yield* amountOf(balance)
      yield* Ledger.use((ledger) => ledger.credit(id, first))
    }
    return { account: id }
  }),
  lines: Effect.fnUntraced(function* ({ account }) {
    const opened = yield* Accounts.use((accounts) => accounts.get(account))
    const { message } = yield* Texts.check(opened.account)
    return [`Account ${account} is open.`, message]
  })
})

const orNull = Schema.NullOr(Schema.String)

const originators = {
  senders: Schema.NullOr(TextList),
  callers: Schema.NullOr(TextList),
  usernames: Schema.NullOr(TextList)
}

const statement = {
  account: accountOf,
  name: Schema.String,
  ...balanceFields,
  caller: orNull,
  smsSender: orNull,
  senderUsername: orNull,
  minRing: Schema.Int,
  maxRing: Schema.Int,
  storeText: Schema.Boolean,
  ...originators,
  suspendedAt: Schema.NullOr(Moment),
  createdAt: Moment
}

const stated = ({ account: { id, originators, ...account }, balance }: Statement) => ({
  account: id,
  ...account,
  ...inEuros(balance),
  ...originators
})

const Shown = wire({
  ...statement,
  ...poolFields,
  ...defaultFields,
  workflows: TextList,
  templates: TextList,
  testNumbers: TextList
})

export const show = Command.make({
  name: ["account", "show"],
  description: "Show an account, its balance, its rules and its settings",
  role: "support",
  input: wire({ account }),
  positional: ["account"],
  output: Shown,
  run: Effect.fnUntraced(function* ({ account }) {
    return {
      ...stated(yield* Accounts.use((accounts) => accounts.get(account))),
      ...pooled(yield* getCallers(account)),
      ...(yield* Defaults.get(account)),
      workflows: [...(yield* Workflows.list(account))].map(([name, steps]) => `${name} ${written(steps)}`),
      templates: (yield* Templates.list(account)).map(({ locale, name }) => `${name} ${locale}`),
      testNumbers: (yield* TestNumbers.listNumbers(account)).filter(({ ended }) => !ended).map(({ number }) => number)
    }
  }),
  lines: (shown) =>
    Effect.map(Effect.orDie(encodeShown(shown)), (fields) =>
      Object.entries(fields).map(([field, value]) => `${field.padEnd(16)} ${valueOf(value)}`)
    )
})

const encodeShown = Schema.encodeEffect(Shown)

const valueOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.join(", ")
  return String(value ?? "-")
}

export const list = Command.make({
  name: ["account", "list"],
  description: "List all accounts",
  role: "support",
  input: wire({}),
  output: wire({ accounts: Schema.Array(wire(statement)) }),
  run: () => Accounts.use(({ list }) => Effect.map(list, (all) => ({ accounts: all.map(stated) }))),
  lines: ({ accounts }) => {
    if (accounts.length === 0) return ["There is no account."]
    const available = amounts.inColumn(accounts.map((account) => account.available))
    return accounts.map(({ account, name, suspendedAt }, place) =>
      [account, `${available[place]?.padStart(12)} EUR`, name, suspendedAt === null ? "" : "suspended"]
        .join("  ")
        .trimEnd()
    )
  }
})

/** Changes an account, and has this process look up its keys again. */
const changing = Effect.fnUntraced(function* <E>(
  id: AccountId,
  change: (accounts: Accounts["Service"]) => Effect.Effect<Account, E>
) {
  const authenticator = yield* Authenticator
  // Also when the answer was lost: then the account may be changed.
  return yield* Effect.ensuring(Accounts.use(change), authenticator.forgetAccount(id))
})

const accountNow = (id: AccountId) => Accounts.use((accounts) => Effect.map(accounts.get(id), ({ account }) => account))

/** Suspends an account, or lets it act again. */
const suspending = (word: "suspend" | "resume", description: string, line: (account: AccountId) => string) =>
  Command.make({
    name: ["account", word],
    description,
    role: "admin",
    input: wire({ account }),
    positional: ["account"],
    output: wire({ account: accountOf, suspended: Schema.Boolean }),
    before: ({ account }) =>
      Effect.map(accountNow(account), ({ suspendedAt }) => ({ suspended: suspendedAt !== null })),
    run: ({ account }) =>
      Effect.as(
        Effect.andThen(
          word === "resume" ? notUnderWay(account) : Effect.void,
          changing(account, (accounts) => accounts[word](account))
        ),
        { account, suspended: word === "suspend" }
      ),
    lines: ({ account }) => [line(account)]
  })

export const suspend = suspending(
  "suspend",
  "Stop an account's sends and refuse its keys",
  (account) => `Account ${account} is suspended: its sends stop, and its keys are refused within seconds.`
)

export const resume = suspending(
  "resume",
  "Resume a suspended account",
  (account) => `Account ${account} may send again.`
)

const kinds = ["senders", "callers", "usernames"] as const

const bound = (example: string, description: string) =>
  as({ example }, optional(Schema.NullOr(TextList), `${description}, separated by commas`))

export const allow = Command.make({
  name: ["account", "allow"],
  description: "Restrict the senders, callers and usernames of an account's live sends",
  role: "admin",
  input: wire({
    account,
    senders: bound("A,B", "The senders allowed for its live SMS"),
    callers: bound("+…,+…-+…", "The callers allowed for its live calls: numbers, and ranges such as +4930…00-+4930…99"),
    usernames: bound("A,B", "The usernames allowed for its live chat-gateway codes")
  }),
  positional: ["account"],
  clear: "Lists to remove, so that any value is allowed again",
  needs: "Nothing would change: give --senders, --callers, --usernames or --clear.",
  output: wire({ account: accountOf, ...originators }),
  before: ({ account }) => Effect.map(accountNow(account), ({ originators }) => originators),
  run: ({ account, ...lists }) =>
    Effect.map(
      changing(account, (accounts) => accounts.allow(account, lists)),
      ({ originators }) => ({ account, ...originators })
    ),
  lines: ({ account, ...lists }) => [
    `Running servers restrict account ${account} within seconds:`,
    ...kinds.map((kind) => `${kind.padEnd(10)} ${lists[kind]?.join(", ") ?? "any"}`)
  ]
})
