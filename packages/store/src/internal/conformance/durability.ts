import { nextDeliveryId, nextEntryId, nextKeyId, nextProcessId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import { type Signal, Store } from "../../Store.ts"
import { reopened, same, together } from "./Case.ts"
import {
  AT,
  PRICE,
  accepted,
  accountFor,
  atOnce,
  balance,
  balanceOf,
  closing,
  ending,
  kindsOf,
  ledgerOf,
  live,
  now,
  opened,
  opening,
  receipt,
  status,
  tally
} from "./Fixtures.ts"

const claims = [{ key: "a", fingerprint: "body", heldUntil: "expiry" as const, expiresAt: AT + 1_000 }]

const someKey = (account: ReturnType<typeof opening>["delivery"]["account"]) => ({
  id: nextKeyId(AT),
  account,
  mode: "live" as const,
  hash: "a hash",
  prefix: "sk_live_",
  lastFour: "aB3_",
  scopes: null,
  allow: ["192.0.2.0/24"],
  expiresAt: null,
  createdAt: AT,
  revokedAt: null,
  lastUsedAt: null
})

/** Cases for stores whose manifest says `durable`. */
export const durability = [
  reopened(
    "durable: accounts, keys, money and records are there when the store is opened again",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(3)
      const key = someKey(account)
      yield* store.createKey(key)
      const kept = yield* opened(account, { details: { text: "Codé 🔑" } })
      yield* store.close(closing(kept.id, "accepted"))
      const pending = yield* opened(account)
      const entries = yield* ledgerOf(account)
      return { account, key, entries, records: [yield* now(kept), pending], statement: yield* store.account(account) }
    }),
    ({ account, entries, key, records, statement }) =>
      Effect.gen(function* () {
        const store = yield* Store
        same("account", yield* store.account(account), statement)
        same("keys", yield* store.keys(account), [key])
        same("entries", yield* ledgerOf(account), entries)
        for (const record of records) same("record", yield* now(record), record)
        const question = { where: [], sort: { field: "id", direction: "ASC" }, offset: 0, limit: 10 } as const
        const page = yield* store.list({ account, mode: "live", channel: "sms", ...question })
        same("list", page, { total: 2, rows: records })
        const pending = yield* store.unresolved({
          phase: "pending",
          createdBefore: AT + 1,
          abandoned: false,
          limit: 10
        })
        same("pending", pending, records.slice(1))
        yield* opened(account)
        same("money", yield* balanceOf(account), balance(0, 2))
        same("ids", new Set((yield* ledgerOf(account)).map(({ id }) => id)).size, 5)
      })
  ),

  reopened(
    "durable: claims, refs and unmatched reports are there when the store is opened again",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(5)
      const holder = yield* opened(account, { reference: 1 }, { claims })
      const long = yield* accepted(account, ["a", "b"])
      yield* store.report(receipt(["a"]))
      yield* store.report(receipt(["early"]))
      const whole = yield* opened(account, {}, { close: ending("accepted", { refs: ["c"] }) })
      return { account, holder, long, whole }
    }),
    ({ account, holder, long, whole }) =>
      Effect.gen(function* () {
        const store = yield* Store
        same("claim", yield* store.open(opening(account, {}, { claims })), {
          _tag: "Claimed",
          claim: claims[0] ?? never(),
          sameFingerprint: true,
          by: holder
        })
        same("the first part again", (yield* store.report(receipt(["a"])))._tag, "Unchanged")
        same("the second part", (yield* store.report(receipt(["b"])))._tag, "Moved")
        same("status", (yield* live(account, long)).status, status.delivered)
        yield* store.close(closing(holder.id, "accepted", { refs: ["early"] }))
        same("in one step", yield* store.findByRef({ channel: "sms", ref: "c" }), Option.some(whole))
        same("the unmatched report", (yield* live(account, holder.id)).status, status.delivered)
      })
  )
]

const never = (): never => {
  throw new Error("there is a claim")
}

/** Cases for stores whose manifest says `shared`. */
export const sharing = [
  together("shared: each sees what the other has done", (one, other) =>
    Effect.gen(function* () {
      const account = yield* accountFor(2)
      const key = someKey(account)
      yield* other.createKey(key)
      yield* one.revokeKey(key.id)
      same("revoked", yield* other.keysChangedWithin(60_000), [key.id])
      const request = opening(account, {}, { claims })
      const { delivery } = request
      yield* other.open(request)
      same("claim", (yield* one.open(opening(account, {}, { claims })))._tag, "Claimed")
      same("report before its close", (yield* one.report(receipt(["a"])))._tag, "Unmatched")
      const closed = yield* other.close(closing(delivery.id, "accepted", { refs: ["a"] }))
      same("close", closed._tag === "Closed" ? closed.delivery.status : null, status.delivered)
      yield* one.report(receipt(["b"]))
      const whole = yield* other.open(opening(account, {}, { close: ending("accepted", { refs: ["b"] }) }))
      same("open with close", whole._tag === "Opened" ? whole.delivery.status : null, status.delivered)
      same(
        "record",
        Option.map(yield* one.find(delivery), (row) => row.status),
        Option.some(status.delivered)
      )
      const after = yield* one.credit({ id: nextEntryId(AT), account, amount: PRICE, at: AT })
      same("money", after, { _tag: "Adjusted", balance: balance(1, 0) })
      same("entries", yield* kindsOf(account), "credit hold settle hold settle credit")
    })
  ),

  together("shared: what one suspends the other opens no more", (one, other) =>
    Effect.gen(function* () {
      const account = yield* accountFor(10)
      same("before", (yield* other.open(opening(account)))._tag, "Opened")
      yield* one.changeAccount({ account, suspended: true })
      const refused = yield* atOnce(10, () => other.open(opening(account)))
      same("suspended", tally(refused), { Suspended: 10 })
      yield* one.changeAccount({ account, suspended: false })
      same("resumed", (yield* other.open(opening(account)))._tag, "Opened")
      same("entries", yield* kindsOf(account), "credit hold hold")
    })
  ),

  together("shared: of a hundred opens in both on a balance for ten, ten are let through", (one, other) =>
    Effect.gen(function* () {
      const account = yield* accountFor(10)
      const answers = yield* atOnce(100, (index) => (index % 2 === 0 ? one : other).open(opening(account)))
      same("answers", tally(answers), { Opened: 10, Insufficient: 90 })
      same("balance", yield* balanceOf(account), balance(0, 10))
    })
  ),

  together("shared: of many with one claim, and many closes, in both, one counts", (one, other) =>
    Effect.gen(function* () {
      const account = yield* accountFor(50)
      const attempts = yield* atOnce(50, (index) =>
        (index % 2 === 0 ? one : other).open(opening(account, {}, { claims }))
      )
      same("opens", tally(attempts), { Opened: 1, Claimed: 49 })
      const { id } = yield* opened(account)
      const ends = yield* atOnce(20, (index) => (index % 2 === 0 ? one : other).close(closing(id, "accepted")))
      same("closes", tally(ends), { Closed: 1, Unchanged: 19 })
      same("entries", yield* kindsOf(account), "credit hold hold settle")
    })
  )
]

/** Cases for stores whose manifest says `cluster`. */
export const clustering = [
  together("cluster: the first lease of a process leaves those of others", (one, other) =>
    Effect.gen(function* () {
      const [mine, yours] = [nextProcessId(AT), nextProcessId(AT)]
      const account = yield* accountFor(1)
      yield* one.renewLease({ process: mine, duration: 60_000 })
      yield* one.open(opening(account, {}, { owner: mine }))
      yield* other.renewLease({ process: yours, duration: 60_000 })
      const abandoned = Effect.map(
        other.unresolved({ phase: "pending", createdBefore: AT + 1, abandoned: true, limit: 9 }),
        ({ length }) => length
      )
      same("before its time is over", yield* abandoned, 0)
      yield* one.renewLease({ process: mine, duration: 0 })
      same("when its time is over", yield* abandoned, 1)
    })
  ),

  together("cluster: a signal reaches those that listen, until they end", (one, other) =>
    Effect.gen(function* () {
      const heard = yield* Queue.unbounded<Signal>()
      const [first, last] = [nextDeliveryId(AT), nextDeliveryId(AT)]
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* other.signals((signal) => Effect.asVoid(Queue.offer(heard, signal)))
          yield* one.signal({ topic: "hangup", delivery: first })
          same("signal", yield* Queue.take(heard), { topic: "hangup", delivery: first })
        })
      )
      yield* one.signal({ topic: "hangup", delivery: last })
      yield* one.ping
      same("after the end", yield* Queue.size(heard), 0)
    })
  )
]
