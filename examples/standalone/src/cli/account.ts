/**
 * The commands on accounts.
 */
import { Accounts, type Statement } from "@watchword/ledger/Accounts"
import { Ledger } from "@watchword/ledger/Ledger"
import { fromEuros, toEuros, zero } from "@watchword/schemas/Money"
import type { Balance, Entry } from "@watchword/store/Account"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Database from "../Database.ts"
import { accountArgument, explained, mistake, print } from "./root.ts"

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const create = Command.make(
  "create",
  {
    name: text("name", "What people call it"),
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
      const credit = Option.isSome(balance) ? yield* amountOf("--balance", balance.value) : zero
      const account = yield* accounts.create({
        ...flags,
        name: Option.getOrUndefined(flags.name),
        caller: Option.getOrUndefined(flags.caller),
        smsSender: Option.getOrUndefined(flags.smsSender),
        senderUsername: Option.getOrUndefined(flags.senderUsername)
      })
      if (credit > 0) yield* ledger.credit(account.id, credit)
      yield* print({ account_id: account.id }, [`Account ${account.id} is open.`])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Open an account"))

const credit = Command.make(
  "credit",
  {
    id: accountArgument,
    amount: Argument.String("amount").pipe(Argument.withDescription("EUR, for example 25 or 0.50"))
  },
  ({ id, amount }) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const balance = yield* ledger.credit(id, yield* amountOf("amount", amount))
      yield* print({ account_id: id, ...money(balance) }, [`Account ${id} now has ${toEuros(balance.available)} EUR.`])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Add money to an account's balance"))

const show = Command.make("show", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const shown = describe(yield* accounts.get(id))
    yield* print(
      shown,
      Object.entries(shown).map(([field, value]) => `${field.padEnd(16)} ${value ?? "-"}`)
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Show an account and its balance"))

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const all = (yield* accounts.list).map(describe)
    yield* print(
      { accounts: all },
      all.map((account) => `${account.account_id}  ${String(account.available).padStart(12)} EUR  ${account.name}`)
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List all accounts"))

const entries = Command.make("entries", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const ledger = yield* Ledger
    yield* accounts.get(id)
    const all = (yield* Stream.runCollect(ledger.entries(id))).map(toWire)
    yield* print(
      { entries: all },
      all.map(({ at, kind, amount, from, to, delivery }) =>
        [at, kind.padEnd(7), String(amount).padStart(12), `EUR  ${from} → ${to}`, delivery ?? ""].join("  ").trimEnd()
      )
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Show an account's ledger, oldest entry first"))

/** `watchword account …` */
export const account = Command.make("account").pipe(
  Command.withDescription("Accounts and their money"),
  Command.withSubcommands([create, credit, show, list, entries])
)

const amountOf = (name: string, amount: string) =>
  Effect.mapError(Effect.fromOption(Option.filter(fromEuros(amount), (micro) => micro > 0)), () =>
    mistake(`${name} must be an amount in EUR, more than 0, with at most six decimals.`)
  )

const money = (balance: Balance) => ({
  balance: toEuros(balance.posted),
  held: toEuros(balance.held),
  available: toEuros(balance.available)
})

const describe = ({ account, balance }: Statement) => ({
  account_id: account.id,
  name: account.name,
  ...money(balance),
  caller: account.caller,
  sms_sender: account.smsSender,
  sender_username: account.senderUsername,
  min_ring: account.minRing,
  max_ring: account.maxRing,
  store_text: account.storeText,
  created_at: new Date(account.createdAt).toISOString()
})

const toWire = (entry: Entry) => ({
  id: entry.id,
  at: new Date(entry.at).toISOString(),
  kind: entry.kind,
  amount: toEuros(entry.amount),
  from: entry.from,
  to: entry.to,
  delivery: entry.delivery
})
