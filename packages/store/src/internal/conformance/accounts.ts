import type { Account, Originators } from "@watchword/schemas/Account"
import { nextAccountId, nextKeyId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Key } from "../../Account.ts"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import { AT, accountFor, balance, balanceOf, someAccount } from "./Fixtures.ts"

const someKey = (account: Key["account"], fields: Partial<Key> = {}): Key => {
  const id = nextKeyId(AT)
  return {
    id,
    account,
    mode: "live",
    hash: `hash of ${id}`,
    prefix: "sk_live_",
    lastFour: "aB3_",
    scopes: null,
    allow: [],
    expiresAt: null,
    createdAt: AT,
    revokedAt: null,
    lastUsedAt: null,
    ...fields
  }
}

/** An account that may not send, and is bound to lists. */
const limited: Partial<Account> = {
  suspendedAt: AT - 1,
  originators: { senders: ["Zürich", "it's"], callers: ["+4930901820000-+4930901820099"], usernames: [] }
}

export const accounts = [
  check(
    "ping: answers",
    Effect.flatMap(Store, (store) => store.ping)
  ),

  check(
    "createAccount: stores every field, with an empty balance",
    Effect.gen(function* () {
      const store = yield* Store
      const plain = someAccount({ caller: null, smsSender: null, senderUsername: "codes", storeText: true, ...limited })
      const other = someAccount({ name: "Robert'); DROP TABLE accounts; --" })
      for (const account of [plain, other]) {
        yield* store.createAccount(account)
        same("account", yield* store.account(account.id), Option.some({ account, balance: balance(0, 0) }))
      }
    })
  ),

  check(
    "createAccount: repeating it with the same id changes nothing",
    Effect.gen(function* () {
      const store = yield* Store
      const id = yield* accountFor(2)
      const before = yield* store.account(id)
      yield* store.createAccount(someAccount({ id, name: "another name" }))
      same("account", yield* store.account(id), before)
    })
  ),

  check(
    "account: is none for an unknown id",
    Effect.gen(function* () {
      const store = yield* Store
      yield* accountFor(0)
      same("account", yield* store.account(nextAccountId(AT)), Option.none())
    })
  ),

  check(
    "accounts: lists all with their money, oldest first",
    Effect.gen(function* () {
      const store = yield* Store
      same("accounts of an empty store", yield* store.accounts, [])
      const younger = someAccount({ createdAt: AT + 2 })
      const oldest = someAccount({ createdAt: AT - 1 })
      yield* store.createAccount(younger)
      yield* store.createAccount(oldest)
      const middle = yield* accountFor(3)
      const all = yield* store.accounts
      same(
        "order",
        all.map(({ account }) => account.id),
        [oldest.id, middle, younger.id]
      )
      same(
        "money",
        all.map((row) => row.balance),
        [balance(0, 0), balance(3, 0), balance(0, 0)]
      )
    })
  ),

  check(
    "changeAccount: suspends and resumes, and the first suspension counts",
    Effect.gen(function* () {
      const store = yield* Store
      const account = someAccount()
      yield* store.createAccount(account)
      const change = (suspended: boolean) => store.changeAccount({ account: account.id, suspended })
      const suspended = Option.getOrThrow(yield* change(true))
      const { suspendedAt } = suspended
      same("suspended", suspended, { ...account, suspendedAt: suspendedAt ?? never() })
      same("suspended again", yield* Effect.delay(change(true), 5), Option.some(suspended))
      same("found", yield* store.account(account.id), Option.some({ account: suspended, balance: balance(0, 0) }))
      same("resumed", yield* change(false), Option.some(account))
      same("resumed again", yield* change(false), Option.some(account))
      const anew = Option.getOrThrow(yield* change(true))
      same("suspended anew", (anew.suspendedAt ?? never()) > (suspendedAt ?? never()), true)
    })
  ),

  check(
    "changeAccount: replaces the lists that are given and leaves all else",
    Effect.gen(function* () {
      const store = yield* Store
      const account = someAccount(limited)
      const other = someAccount()
      yield* store.createAccount(account)
      yield* store.createAccount(other)
      const allow = (originators: Partial<Originators>) => store.changeAccount({ account: account.id, originators })
      const senders = { ...account, originators: { ...account.originators, senders: ["A"] } }
      same("one list", yield* allow({ senders: ["A"] }), Option.some(senders))
      const originators: Originators = { senders: ["A"], callers: null, usernames: ["codes"] }
      const both = { ...account, originators }
      same("two lists", yield* allow({ callers: null, usernames: ["codes"] }), Option.some(both))
      same("no list", yield* store.changeAccount({ account: account.id }), Option.some(both))
      same("found", yield* store.account(account.id), Option.some({ account: both, balance: balance(0, 0) }))
      same("another", yield* store.account(other.id), Option.some({ account: other, balance: balance(0, 0) }))
    })
  ),

  check(
    "changeAccount: is none when the account does not exist",
    Effect.gen(function* () {
      const store = yield* Store
      const change = { account: nextAccountId(AT), suspended: true }
      same("answer", yield* store.changeAccount(change), Option.none())
    })
  ),

  check(
    "createKey: stores every field, and keyByHash finds it with its account",
    Effect.gen(function* () {
      const store = yield* Store
      const owner = someAccount()
      yield* store.createAccount(owner)
      const open = someKey(owner.id)
      const narrow = someKey(owner.id, {
        mode: "sandbox",
        prefix: "sk_test_",
        scopes: ["sms:send", "call:report"],
        allow: ["192.0.2.0/24", "2001:db8::1"],
        expiresAt: AT + 1
      })
      const none = someKey(owner.id, { scopes: [] })
      for (const key of [open, narrow, none]) {
        same("createKey", yield* store.createKey(key), true)
        same("keyByHash", yield* store.keyByHash(key.hash), Option.some({ key, account: owner }))
        same("key", yield* store.key(key.id), Option.some(key))
      }
      same("an unknown hash", yield* store.keyByHash("no key has this"), Option.none())
      same("an unknown id", yield* store.key(nextKeyId(AT)), Option.none())
    })
  ),

  onAccount("createKey: repeating it with the same id changes nothing", { sends: 0 }, function* ({ account, store }) {
    const key = someKey(account)
    yield* store.createKey(key)
    same("createKey", yield* store.createKey({ ...key, lastFour: "zzzz", hash: "another" }), true)
    same("keys", yield* store.keys(account), [key])
    same("the other hash", yield* store.keyByHash("another"), Option.none())
  }),

  check(
    "createKey: is false when the account does not exist, and stores nothing",
    Effect.gen(function* () {
      const store = yield* Store
      const key = someKey(nextAccountId(AT))
      same("createKey", yield* store.createKey(key), false)
      same("keyByHash", yield* store.keyByHash(key.hash), Option.none())
      same("keys", yield* store.keys(key.account), [])
    })
  ),

  onAccount("keyByHash: finds revoked and expired keys too", { sends: 0 }, function* ({ account, store }) {
    const key = someKey(account, { expiresAt: AT - 1 })
    yield* store.createKey(key)
    yield* store.revokeKey(key.id)
    const found = Option.getOrThrow(yield* store.keyByHash(key.hash))
    same("key", found.key, { ...key, revokedAt: found.key.revokedAt ?? never() })
  }),

  onAccount("keys: lists an account's own, oldest first", { sends: 0 }, function* ({ account, store }) {
    const other = yield* accountFor(0)
    const second = someKey(account, { createdAt: AT + 1 })
    const first = someKey(account, { createdAt: AT })
    for (const key of [second, first, someKey(other)]) yield* store.createKey(key)
    same("keys", yield* store.keys(account), [first, second])
  }),

  onAccount("expireKey: lets a key expire, the sooner of two times", { sends: 0 }, function* ({ account, store }) {
    const key = someKey(account)
    yield* store.createKey(key)
    const expiries: Array<number | null> = []
    for (const at of [AT + 9, AT + 5, AT + 7]) {
      same("expireKey", yield* store.expireKey(key.id, at), true)
      const found = Option.getOrThrow(yield* store.key(key.id))
      expiries.push(found.expiresAt)
    }
    same("expiries", expiries, [AT + 9, AT + 5, AT + 5])
    same("keys", yield* store.keys(account), [{ ...key, expiresAt: AT + 5 }])
    same("an unknown key", yield* store.expireKey(nextKeyId(AT), AT), false)
  }),

  onAccount("useKey: notes a use, one a minute", { sends: 0 }, function* ({ account, store }) {
    const [used, other] = [someKey(account), someKey(account, { createdAt: AT + 1 })]
    for (const key of [used, other]) yield* store.createKey(key)
    const noted: Array<number | null> = []
    for (const after of [0, 59_999, 60_000, 60_001, 30_000, 500_000]) {
      yield* store.useKey(used.id, AT + after)
      const found = Option.getOrThrow(yield* store.key(used.id))
      noted.push(found.lastUsedAt === null ? null : found.lastUsedAt - AT)
    }
    same("noted", noted, [0, 0, 60_000, 60_000, 60_000, 500_000])
    same("keys", yield* store.keys(account), [{ ...used, lastUsedAt: AT + 500_000 }, other])
    yield* store.useKey(nextKeyId(AT), AT)
  }),

  onAccount("revokeKey: marks a key, and the first time counts", { sends: 0 }, function* ({ account, store }) {
    const key = someKey(account)
    yield* store.createKey(key)
    same("the first time", yield* store.revokeKey(key.id), true)
    const { revokedAt } = Option.getOrThrow(yield* store.key(key.id))
    same("again", yield* Effect.delay(store.revokeKey(key.id), 5), true)
    same("keys", yield* store.keys(account), [{ ...key, revokedAt: revokedAt ?? never() }])
    same("an unknown key", yield* store.revokeKey(nextKeyId(AT)), false)
  }),

  onAccount("keysChangedWithin: names the keys revoked within a time", { sends: 0 }, function* ({ account, store }) {
    const keys = [someKey(account), someKey(account)]
    for (const key of [...keys, someKey(account)]) yield* store.createKey(key)
    const ids = keys.map(({ id }) => id)
    same("before", yield* changedWithin(MINUTE), [])
    for (const id of ids) yield* store.revokeKey(id)
    same("within a minute", yield* changedWithin(MINUTE), ids)
    const later = yield* Effect.repeat(Effect.delay(changedWithin(50), 50), { until: ({ length }) => length === 0 })
    same("later", later, [])
    same("within a minute still", yield* changedWithin(MINUTE), ids)
    same("money", yield* balanceOf(account), balance(0, 0))
  }),

  onAccount(
    "keysChangedWithin: names the keys of accounts changed within a time",
    { sends: 0 },
    function* ({ account, store }) {
      const other = yield* accountFor(0)
      const keys = [someKey(account), someKey(account)]
      for (const key of [...keys, someKey(other)]) yield* store.createKey(key)
      const ids = keys.map(({ id }) => id)
      same("before", yield* changedWithin(MINUTE), [])
      yield* store.changeAccount({ account, originators: { senders: ["A"] } })
      same("within a minute", yield* changedWithin(MINUTE), ids)
      const later = yield* Effect.repeat(Effect.delay(changedWithin(50), 50), { until: ({ length }) => length === 0 })
      same("later", later, [])
      yield* store.changeAccount({ account, suspended: true })
      for (const id of ids) yield* store.revokeKey(id)
      same("revoked too", yield* changedWithin(MINUTE), ids)
    }
  )
]

const MINUTE = 60_000

/** Ids of changed keys, in their order. */
const changedWithin = (duration: number) =>
  Effect.map(
    Store.use((store) => store.keysChangedWithin(duration)),
    (ids) => ids.toSorted()
  )

const never = (): never => {
  throw new Error("the store notes the time")
}
