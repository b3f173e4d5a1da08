/**
 * Accounts, money and keys, for programs that run the service: promises out. All that the operator's command can do.
 */
import { Authenticator } from "@watchword/auth/Authenticator"
import { Keys } from "@watchword/auth/Keys"
import { Accounts, type NewAccount, type Statement } from "@watchword/ledger/Accounts"
import { type Adjusted as AdjustedBalance, Ledger, type Note } from "@watchword/ledger/Ledger"
import type { Account, Originators } from "@watchword/schemas/Account"
import { BadRequest } from "@watchword/schemas/Errors"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import * as Money from "@watchword/schemas/Money"
import type { Entry } from "@watchword/store/Account"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** Money in EUR, exact to six decimals. */
export interface BalanceInEuros {
  readonly balance: number
  readonly held: number
  readonly available: number
}

/** An account with its money in EUR. */
export interface AccountInEuros extends Account, BalanceInEuros {}

/** The balance after a credit or a debit. */
export interface Adjusted extends BalanceInEuros {
  /** Whether it was made before, so that this time nothing changed. */
  readonly repeated: boolean
}

/** An entry of a ledger: `euros` went from one place to the other. */
export interface EntryInEuros extends Omit<Entry, "amount"> {
  readonly euros: number
}

export interface Operator {
  /** Whether any account was ever opened. */
  readonly hasAccounts: () => Promise<boolean>
  /** Opens an account and resolves to its id. */
  readonly createAccount: (account?: NewAccount) => Promise<string>
  /** An account with its money. */
  readonly account: (account: string) => Promise<AccountInEuros>
  /** All accounts, oldest first. */
  readonly accounts: () => Promise<ReadonlyArray<AccountInEuros>>
  /**
   * Adds money, in EUR: a number or a decimal text with at most six decimals. The same credit again under the `id` of a
   * note changes nothing; another under that id is a conflict.
   */
  readonly credit: (account: string, euros: number | string, note?: Note) => Promise<Adjusted>
  /** Takes money that is available, for a reason. Repeats are told as those of credits. */
  readonly debit: (
    account: string,
    euros: number | string,
    note: Note & { readonly reason: string }
  ) => Promise<Adjusted>
  readonly balance: (account: string) => Promise<BalanceInEuros>
  /** The ledger of an account, oldest entry first. */
  readonly entries: (account: string) => Promise<ReadonlyArray<EntryInEuros>>
  /**
   * Stops an account: nothing of it is sent any more, at once and in all processes, and its keys are answered 403. Calls
   * that ring may be ended.
   */
  readonly suspendAccount: (account: string) => Promise<void>
  readonly resumeAccount: (account: string) => Promise<void>
  /**
   * Bounds the senders, callers and usernames of an account's live sends: with a list they use no other, with null any.
   * Lists that are left out stay. Running processes know within seconds.
   */
  readonly allow: (account: string, originators: Partial<Originators>) => Promise<void>
  /** Makes a key; `key` is the secret, which cannot be had again. */
  readonly createKey: (key: NewKey) => Promise<{ readonly keyId: string; readonly key: string }>
  /**
   * Makes a key with the rights of another one, which works beside it for `overlap` milliseconds: a day unless given, 0,
   * or 10 minutes at least.
   */
  readonly rotateKey: (
    keyId: string,
    options?: { readonly overlap?: number; readonly expires?: Date }
  ) => Promise<{ readonly keyId: string; readonly key: string }>
  readonly revokeKey: (keyId: string) => Promise<void>
}

export interface NewKey {
  readonly account: string
  readonly sandbox?: boolean
  /** For example `["sms:send"]`; everything when left out. */
  readonly scopes?: ReadonlyArray<string>
  /** Addresses and CIDR ranges the key may be used from; anywhere when left out. An empty list is refused. */
  readonly allow?: ReadonlyArray<string>
  readonly expires?: Date
}

type Run = <A, E>(effect: Effect.Effect<A, E, Accounts | Authenticator | Keys | Ledger>) => Promise<A>

/** @param run runs an effect with the service's own context */
export const make = (run: Run): Operator => ({
  hasAccounts: () => run(Accounts.use((accounts) => Effect.map(accounts.list, (all) => all.length > 0))),

  createAccount: (account = {}) =>
    run(Accounts.use((accounts) => Effect.map(accounts.create(account), ({ id }) => id))),

  account: (account) =>
    run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        return accountInEuros(yield* accounts.get(yield* accountId(account)))
      })
    ),

  accounts: () => run(Accounts.use((accounts) => Effect.map(accounts.list, (all) => all.map(accountInEuros)))),

  credit: (account, euros, note) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        return adjusted(yield* ledger.credit(yield* accountId(account), yield* amountOf(euros), note))
      })
    ),

  debit: (account, euros, note) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        return adjusted(yield* ledger.debit(yield* accountId(account), yield* amountOf(euros), note))
      })
    ),

  balance: (account) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        return inEuros(yield* ledger.balance(yield* accountId(account)))
      })
    ),

  entries: (account) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const entries = yield* Stream.runCollect(ledger.entries(yield* accountId(account)))
        return entries.map(({ amount, ...entry }): EntryInEuros => ({ ...entry, euros: Money.toEuros(amount) }))
      })
    ),

  suspendAccount: (account) => run(changing(account, (accounts, id) => accounts.suspend(id))),
  resumeAccount: (account) => run(changing(account, (accounts, id) => accounts.resume(id))),
  allow: (account, originators) => run(changing(account, (accounts, id) => accounts.allow(id, originators))),

  createKey: ({ account, sandbox = false, expires, ...rest }) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const { key, secret } = yield* keys.create({
          ...rest,
          account: yield* accountId(account),
          mode: sandbox ? "sandbox" : "live",
          expiresAt: expires?.getTime() ?? null
        })
        return { keyId: key.id, key: Redacted.value(secret) }
      })
    ),

  rotateKey: (keyId, { expires, ...options } = {}) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        const { key, secret } = yield* keys.rotate(yield* decodedKeyId(keyId), {
          ...options,
          expiresAt: expires?.getTime() ?? null
        })
        return { keyId: key.id, key: Redacted.value(secret) }
      })
    ),

  revokeKey: (keyId) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        yield* keys.revoke(yield* decodedKeyId(keyId))
      })
    )
})

/** Changes an account, and has this process look up its keys again. */
const changing = Effect.fnUntraced(function* <E>(
  account: string,
  change: (accounts: Accounts["Service"], id: AccountId) => Effect.Effect<Account, E>
) {
  const id = yield* accountId(account)
  const accounts = yield* Accounts
  const authenticator = yield* Authenticator
  // Also when the answer was lost: then the account may be changed.
  yield* Effect.ensuring(change(accounts, id), authenticator.forgetAccount(id))
})

const identifier = <A>(schema: Schema.ConstraintCodec<A, string>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (text: string) => Effect.mapError(decode(text), (error) => badRequest(error, "The identifier is not valid."))
}

const accountId = identifier(AccountId)
const decodedKeyId = identifier(KeyId)

const invalidAmount = () =>
  new BadRequest({
    message: "The amount is not valid.",
    issues: [{ path: "euros", message: "must be an amount in EUR with at most six decimals" }]
  })

const amountOf = (euros: number | string) => Effect.mapError(Effect.fromOption(Money.fromEuros(euros)), invalidAmount)

const accountInEuros = ({ account, balance }: Statement): AccountInEuros => ({ ...account, ...inEuros(balance) })

const adjusted = ({ balance, repeated }: AdjustedBalance): Adjusted => ({ ...inEuros(balance), repeated })

const inEuros = (balance: Statement["balance"]): BalanceInEuros => ({
  balance: Money.toEuros(balance.posted),
  held: Money.toEuros(balance.held),
  available: Money.toEuros(balance.available)
})
