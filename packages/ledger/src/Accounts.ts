/**
 * Accounts, for operators of the service: open one, look at it, list all, suspend one, restrict its originators.
 */
import { type Account, type Originators, anyOriginators } from "@watchword/schemas/Account"
import { BadRequest, type Issue, NotFound, badRequest } from "@watchword/schemas/Errors"
import { type AccountId, nextAccountId } from "@watchword/schemas/Ids"
import { Lists, permits } from "@watchword/schemas/Originators"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import type { Balance } from "@watchword/store/Account"
import type { AccountChange } from "@watchword/store/step"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

export { ARRIVING, MOVE, mayCredit, notUnderWay } from "./internal/Moving.ts"

/** The SMS sender of an account that was given no sender. */
const DEFAULT_SENDER = "Watchword"

const seconds = (otherwise: number) =>
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 }, { message: "must be 1 to 60 whole seconds" })).pipe(
    Schema.withDecodingDefault(Effect.succeed(otherwise))
  )

/** Settings of a new account; all of them are optional. */
export const NewAccount = Schema.Struct({
  name: Schema.String.check(
    Schema.isPattern(/^[^\p{Cc}\p{Surrogate}]{1,100}$/u, {
      message: "must have 1 to 100 characters and no control characters"
    })
  ).pipe(Schema.withDecodingDefault(Effect.succeed("unnamed"))),
  caller: Schema.NullOr(E164).pipe(Schema.withDecodingDefault(Effect.succeed(null))),
  smsSender: Schema.NullOr(Sender).pipe(Schema.withDecodingDefault(Effect.succeed(DEFAULT_SENDER))),
  senderUsername: Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(/^@?[A-Za-z][A-Za-z0-9_]{3,31}$/, {
        message: "must be a username of 4 to 32 letters, digits and underscores"
      })
    )
  ).pipe(Schema.withDecodingDefault(Effect.succeed(null))),
  minRing: seconds(5),
  maxRing: seconds(15),
  storeText: Schema.Boolean.pipe(Schema.withDecodingDefault(Effect.succeed(false)))
}).check(
  Schema.makeFilter(({ minRing, maxRing }) =>
    minRing <= maxRing ? undefined : { path: ["minRing"], issue: "must not be more than the longest ring time" }
  )
)

/** The same, as programs pass it. */
export interface NewAccount {
  /** Its name in lists, of 1 to 100 characters. */
  readonly name?: string | undefined
  /** The default caller of its flash calls, in E.164. */
  readonly caller?: string | null | undefined
  /** The default sender of its texts: 1 to 11 letters and digits, or a number. */
  readonly smsSender?: string | null | undefined
  /** The default username of its chat-gateway codes. */
  readonly senderUsername?: string | null | undefined
  /** The default shortest time that its calls ring, in seconds: 1 to 60, and 5 unless given. */
  readonly minRing?: number | undefined
  /** The default longest time that its calls ring, in seconds: 1 to 60, and 15 unless given. */
  readonly maxRing?: number | undefined
  /** Whether texts, which hold codes, are kept with their records; false unless given. */
  readonly storeText?: boolean | undefined
}

/** An account with its money. */
export interface Statement {
  readonly account: Account
  readonly balance: Balance
}

export interface Service {
  /** Opens an account with an empty balance. Fails with `BadRequest`, naming each field that is wrong. */
  readonly create: (account: NewAccount) => Effect.Effect<Account, BadRequest | StoreError>

  readonly get: (id: AccountId) => Effect.Effect<Statement, NotFound | StoreError>

  /**
   * Stops an account: from now on no process opens its sends, and its keys are refused within seconds. Receipts of
   * earlier sends still count, and ringing calls may be ended. Repeating it changes nothing.
   */
  readonly suspend: (id: AccountId) => Effect.Effect<Account, NotFound | StoreError>

  /** Resumes a stopped account. Repeating it changes nothing. */
  readonly resume: (id: AccountId) => Effect.Effect<Account, NotFound | StoreError>

  /**
   * Replaces an account's lists of originators: with a list, its live sends use no other originator; with null, they
   * use any. Omitted lists stay as they are. Fails with `BadRequest` if an entry is not valid, if a list is empty, or
   * if a list lacks one of the account's own defaults.
   */
  readonly allow: (
    id: AccountId,
    originators: Partial<Originators>
  ) => Effect.Effect<Account, BadRequest | NotFound | StoreError>

  /** All accounts, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<Statement>, StoreError>
}

export class Accounts extends Context.Service<Accounts, Service>()("@watchword/ledger/Accounts") {}

const decode = Schema.decodeUnknownEffect(NewAccount, { errors: "all", onExcessProperty: "error" })
const decodeLists = Schema.decodeUnknownEffect(Lists, { errors: "all", onExcessProperty: "error" })

const LISTS = "The lists of the account are not valid."

const noAccount = () => new NotFound({ message: "There is no such account." })

/** Lists that would refuse the account's own defaults. They may refuse the sender of accounts without their own. */
const issuesOf = (account: Account, originators: Partial<Originators>): ReadonlyArray<Issue> => {
  const lists = { ...anyOriginators, ...originators }
  const own = [
    ["senders", account.smsSender === DEFAULT_SENDER ? null : account.smsSender],
    ["callers", account.caller],
    ["usernames", account.senderUsername]
  ] as const
  return own.flatMap(([kind, originator]) =>
    originator === null || permits(lists, kind, originator)
      ? []
      : [{ path: kind, message: `must contain ${originator}, which the account uses unless a send names another` }]
  )
}

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const create = Effect.fnUntraced(function* (wanted: NewAccount) {
    const given = yield* Effect.mapError(decode(wanted), (error) => badRequest(error, "The account is not valid."))
    const createdAt = yield* Clock.currentTimeMillis
    const account: Account = {
      ...given,
      id: nextAccountId(createdAt),
      originators: anyOriginators,
      suspendedAt: null,
      createdAt
    }
    yield* store.createAccount(account)
    return account
  })

  const get = Effect.fnUntraced(function* (id: AccountId) {
    const found = yield* store.account(id)
    return yield* Effect.mapError(Effect.fromOption(found), noAccount)
  })

  const change = Effect.fnUntraced(function* (account: AccountId, changes: Omit<AccountChange, "account">) {
    const found = yield* store.changeAccount({ ...changes, account })
    return yield* Effect.mapError(Effect.fromOption(found), noAccount)
  })

  const allow = Effect.fnUntraced(function* (id: AccountId, originators: Partial<Originators>) {
    const { account } = yield* get(id)
    const given = Object.fromEntries(Object.entries(originators).filter(([, list]) => list !== null))
    yield* Effect.mapError(decodeLists(given), (error) => badRequest(error, LISTS))
    const issues = issuesOf(account, originators)
    if (issues.length > 0) return yield* new BadRequest({ message: LISTS, issues })
    return yield* change(id, { originators })
  })

  return Accounts.of({
    create,
    get,
    suspend: (id) => change(id, { suspended: true }),
    resume: (id) => change(id, { suspended: false }),
    allow,
    list: store.accounts
  })
})

export const layer: Layer.Layer<Accounts, never, Store> = Layer.effect(Accounts, make)
