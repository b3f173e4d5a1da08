/**
 * Accounts, money and keys, for programs that run the service: promises out.
 */
import { Keys } from "@watchword/auth/Keys"
import { Accounts, type NewAccount, type Statement } from "@watchword/ledger/Accounts"
import { Ledger } from "@watchword/ledger/Ledger"
import { BadRequest } from "@watchword/schemas/Errors"
import { AccountId, KeyId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import * as Money from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** Money in EUR, exact to six decimals. */
export interface BalanceInEuros {
  readonly balance: number
  readonly held: number
  readonly available: number
}

export interface Operator {
  /** Whether any account was ever opened. */
  readonly hasAccounts: () => Promise<boolean>
  /** Opens an account and resolves to its id. */
  readonly createAccount: (account?: NewAccount) => Promise<string>
  /** Adds money, in EUR: a number or a decimal text with at most six decimals. */
  readonly credit: (account: string, euros: number | string) => Promise<BalanceInEuros>
  readonly balance: (account: string) => Promise<BalanceInEuros>
  /** Makes a key; `key` is the secret, which cannot be had again. */
  readonly createKey: (key: NewKey) => Promise<{ readonly keyId: string; readonly key: string }>
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

type Run = <A, E>(effect: Effect.Effect<A, E, Accounts | Keys | Ledger>) => Promise<A>

/** @param run runs an effect with the service's own context */
export const make = (run: Run): Operator => ({
  hasAccounts: () => run(Accounts.use((accounts) => Effect.map(accounts.list, (all) => all.length > 0))),

  createAccount: (account = {}) =>
    run(Accounts.use((accounts) => Effect.map(accounts.create(account), ({ id }) => id))),

  credit: (account, euros) =>
    run(
      Effect.gen(function* () {
        const amount = yield* Effect.mapError(Effect.fromOption(Money.fromEuros(euros)), invalidAmount)
        const ledger = yield* Ledger
        return inEuros(yield* ledger.credit(yield* accountId(account), amount))
      })
    ),

  balance: (account) =>
    run(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        return inEuros(yield* ledger.balance(yield* accountId(account)))
      })
    ),

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

  revokeKey: (keyId) =>
    run(
      Effect.gen(function* () {
        const keys = yield* Keys
        yield* keys.revoke(yield* decodedKeyId(keyId))
      })
    )
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

const inEuros = (balance: Statement["balance"]): BalanceInEuros => ({
  balance: Money.toEuros(balance.posted),
  held: Money.toEuros(balance.held),
  available: Money.toEuros(balance.available)
})
