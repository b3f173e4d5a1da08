/**
 * Accounts, for operators of the service: open one, look at it, list all.
 */
import type { Account } from "@watchword/schemas/Account"
import { type BadRequest, NotFound } from "@watchword/schemas/Errors"
import { type AccountId, nextAccountId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import type { Balance } from "@watchword/store/Account"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const seconds = (otherwise: number) =>
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 }, { message: "must be 1 to 60 whole seconds" })).pipe(
    Schema.withDecodingDefault(Effect.succeed(otherwise))
  )

/** Settings of a new account; all may be left out. */
export const NewAccount = Schema.Struct({
  name: Schema.String.check(
    Schema.isPattern(/^[^\p{Cc}\p{Surrogate}]{1,100}$/u, {
      message: "must have 1 to 100 characters and no control characters"
    })
  ).pipe(Schema.withDecodingDefault(Effect.succeed("unnamed"))),
  /** Default caller id of flash calls. */
  caller: Schema.NullOr(E164).pipe(Schema.withDecodingDefault(Effect.succeed(null))),
  /** Default sender of SMS. */
  smsSender: Schema.NullOr(Sender).pipe(Schema.withDecodingDefault(Effect.succeed("Watchword"))),
  /** Default sender of chat-gateway codes. */
  senderUsername: Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(/^@?[A-Za-z][A-Za-z0-9_]{3,31}$/, {
        message: "must be a username of 4 to 32 letters, digits and underscores"
      })
    )
  ).pipe(Schema.withDecodingDefault(Effect.succeed(null))),
  minRing: seconds(5),
  maxRing: seconds(15),
  /** Whether texts, which hold codes, are kept with their records. */
  storeText: Schema.Boolean.pipe(Schema.withDecodingDefault(Effect.succeed(false)))
}).check(
  Schema.makeFilter(({ minRing, maxRing }) =>
    minRing <= maxRing ? undefined : { path: ["minRing"], issue: "must not be more than maxRing" }
  )
)
export type NewAccount = typeof NewAccount.Encoded

/** An account with its money. */
export interface Statement {
  readonly account: Account
  readonly balance: Balance
}

export interface Service {
  /** Opens an account with an empty balance. Fails with `BadRequest`, naming each field that is wrong. */
  readonly create: (account: NewAccount) => Effect.Effect<Account, BadRequest | StoreError>

  readonly get: (id: AccountId) => Effect.Effect<Statement, NotFound | StoreError>

  /** All accounts, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<Statement>, StoreError>
}

export class Accounts extends Context.Service<Accounts, Service>()("@watchword/ledger/Accounts") {}

const decode = Schema.decodeUnknownEffect(NewAccount, { errors: "all" })

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const create = Effect.fnUntraced(function* (wanted: NewAccount) {
    const given = yield* Effect.mapError(decode(wanted), (error) => badRequest(error, "The account is not valid."))
    const createdAt = yield* Clock.currentTimeMillis
    const account: Account = { ...given, id: nextAccountId(createdAt), createdAt }
    yield* store.createAccount(account)
    return account
  })

  const get = Effect.fnUntraced(function* (id: AccountId) {
    const found = yield* store.account(id)
    return yield* Effect.mapError(
      Effect.fromOption(found),
      () => new NotFound({ message: "There is no such account." })
    )
  })

  return Accounts.of({ create, get, list: store.accounts })
})

export const layer: Layer.Layer<Accounts, never, Store> = Layer.effect(Accounts, make)
