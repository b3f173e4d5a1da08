/**
 * The commands on accounts: those on their money and on their rules are in files of their own.
 */
import { Accounts, type Statement } from "@watchword/ledger/Accounts"
import { Ledger } from "@watchword/ledger/Ledger"
import { zero } from "@watchword/schemas/Money"
import * as AccountCallers from "@watchword/send/internal/AccountCallers"
import * as Defaults from "@watchword/verify/internal/operator/Defaults"
import * as Templates from "@watchword/verify/internal/operator/Templates"
import * as TestNumbers from "@watchword/verify/internal/operator/TestNumbers"
import * as Workflows from "@watchword/verify/internal/operator/Workflows"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import * as Texts from "../Texts.ts"
import { callers, described as describedCallers } from "./accountCallers.ts"
import { credit, debit, entries } from "./accountMoney.ts"
import { allow, resume, suspend } from "./accountRules.ts"
import { testNumber } from "./accountTestNumbers.ts"
import { described as describedDefaults, verify } from "./accountVerify.ts"
import { workflow, written as writtenSteps } from "./accountWorkflows.ts"
import { accountArgument, amountOf, explained, inEuros, print } from "./root.ts"

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const create = Command.make(
  "create",
  {
    name: text("name", "What people call it, and what texts of verifications name until account verify sets a brand"),
    balance: text("balance", "A first credit, in EUR"),
    caller: text("caller", "Default caller id of flash calls, E.164"),
    smsSender: text("sms-sender", "Default sender of SMS; Watchword unless given"),
    senderUsername: text("sender-username", "Default sender of chat-gateway codes"),
    minRing: Flag.Int("min-ring").pipe(
      Flag.withDescription("Shortest default ring time, seconds"),
      Flag.withDefault(5)
    ),
    maxRing: Flag.Int("max-ring").pipe(
      Flag.withDescription("Longest default ring time, seconds"),
      Flag.withDefault(15)
    ),
    storeText: Flag.Boolean("store-text").pipe(
      Flag.withDescription("Keep the texts of messages, which hold codes, with their records"),
      Flag.withDefault(false)
    )
  },
  ({ balance, ...flags }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const ledger = yield* Ledger
      const first = Option.isSome(balance) ? yield* amountOf("--balance", balance.value) : zero
      const account = yield* accounts.create({
        ...flags,
        name: Option.getOrUndefined(flags.name),
        caller: Option.getOrUndefined(flags.caller),
        smsSender: Option.getOrUndefined(flags.smsSender),
        senderUsername: Option.getOrUndefined(flags.senderUsername)
      })
      if (first > 0) yield* ledger.credit(account.id, first)
      const { message } = yield* Texts.check(account)
      yield* print({ account_id: account.id }, [`Account ${account.id} is open.`, message])
    }).pipe(Effect.provide(Database.creatingLayer), explained)
).pipe(Command.withDescription("Open an account"))

const show = Command.make("show", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const statement = yield* accounts.get(id)
    const shown = {
      ...describe(statement),
      ...describedCallers(yield* AccountCallers.get(id)),
      ...describedDefaults(yield* Defaults.get(id)),
      workflows: [...(yield* Workflows.list(id))].map(([name, steps]) => `${name} ${writtenSteps(steps)}`),
      templates: (yield* Templates.list(id)).map(({ locale, name }) => `${name} ${locale}`),
      test_numbers: (yield* TestNumbers.listNumbers(id)).filter(({ ended }) => !ended).map(({ number }) => number)
    }
    yield* print(
      shown,
      Object.entries(shown).map(([field, value]) => `${field.padEnd(16)} ${written(value)}`)
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Show an account, its balance, its rules and its settings"))

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const all = (yield* accounts.list).map(describe)
    yield* print(
      { accounts: all },
      all.length === 0
        ? ["There is no account."]
        : all.map(({ account_id, available, name, suspended_at }) =>
            [account_id, `${String(available).padStart(12)} EUR`, name, suspended_at === null ? "" : "suspended"]
              .join("  ")
              .trimEnd()
          )
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List all accounts"))

/** `watchword account …` */
export const account = Command.make("account").pipe(
  Command.withDescription("Accounts, their money and their rules"),
  Command.withSubcommands([
    create,
    show,
    list,
    credit,
    debit,
    entries,
    suspend,
    resume,
    allow,
    callers,
    verify,
    workflow,
    testNumber
  ])
)

const written = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.join(", ")
  return String(value ?? "-")
}

const describe = ({ account, balance }: Statement) => ({
  account_id: account.id,
  name: account.name,
  ...inEuros(balance),
  caller: account.caller,
  sms_sender: account.smsSender,
  sender_username: account.senderUsername,
  min_ring: account.minRing,
  max_ring: account.maxRing,
  store_text: account.storeText,
  ...account.originators,
  suspended_at: account.suspendedAt === null ? null : new Date(account.suspendedAt).toISOString(),
  created_at: new Date(account.createdAt).toISOString()
})
