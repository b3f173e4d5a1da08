/**
 * The store in memory: for tests, for trying things out, and as the plainest reading of the port.
 * Everything is gone when the process ends.
 */
import type { Account } from "@watchword/schemas/Account"
import { type AccountId, type DeliveryId, type EntryId, type KeyId, nextEntryId } from "@watchword/schemas/Ids"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Balance, Entry, EntryKind, Key } from "./Account.ts"
import type { Delivery, Details, Status } from "./Delivery.ts"
import { pageOf } from "./Listing.ts"
import * as Postings from "./Postings.ts"
import {
  type Claim,
  type Close,
  type Closed,
  type Open,
  type Opened,
  type Report,
  type Reported,
  type Service,
  Store,
  type Target
} from "./Store.ts"

/** A store of its own; nothing is shared between two of them. */
export const make = (): Service => {
  const accounts = new Map<AccountId, { readonly account: Account; balance: Balance }>()
  const entries = new Map<AccountId, Array<Entry>>()
  const keys = new Map<KeyId, Key>()
  const deliveries = new Map<DeliveryId, Delivery>()
  /** By channel and ref. */
  const parts = new Map<string, { readonly delivery: DeliveryId; reported: boolean }>()
  let parked: Array<{ readonly report: Report; readonly target: Extract<Target, { readonly _tag: "Part" }> }> = []
  /** By account, mode and key. */
  const claims = new Map<string, { readonly claim: Claim; readonly delivery: DeliveryId }>()

  const ledgerOf = (account: AccountId): Array<Entry> => {
    const ledger = entries.get(account) ?? []
    entries.set(account, ledger)
    return ledger
  }

  /** Moves money and writes the entry; false when there is not enough. Nothing moves for nothing. */
  const post = (
    account: AccountId,
    kind: EntryKind,
    amount: MicroEuros,
    at: number,
    delivery: DeliveryId | null = null,
    id: EntryId = nextEntryId(at)
  ): boolean => {
    if (amount === 0) return true
    const row = accounts.get(account)
    if (row === undefined) return false
    const after = Postings.post(row.balance, kind, amount)
    if (Option.isNone(after)) return false
    row.balance = after.value
    ledgerOf(account).push({ id, account, delivery, kind, ...Postings.direction[kind], amount, at })
    return true
  }

  const availableOf = (account: AccountId): MicroEuros => accounts.get(account)?.balance.available ?? zero

  const credit: Service["credit"] = ({ id, account, amount, at }) =>
    Effect.sync(() => {
      const row = accounts.get(account)
      if (row === undefined) return Option.none()
      if (!ledgerOf(account).some((entry) => entry.id === id)) post(account, "credit", amount, at, null, id)
      return Option.some(row.balance)
    })

  const open = ({ at, claims: wanted, delivery }: Open): Opened => {
    const { account, id, mode, price } = delivery
    const existing = deliveries.get(id)
    if (existing !== undefined) return { _tag: "Opened", delivery: existing, available: availableOf(account) }
    if (!accounts.has(account)) return { _tag: "NoAccount" }
    const named = (claim: Claim) => `${account} ${mode} ${claim.key}`
    for (const claim of wanted) {
      const taken = claims.get(named(claim))
      const by = taken === undefined ? undefined : deliveries.get(taken.delivery)
      if (taken === undefined || by === undefined || taken.claim.expiresAt <= at) continue
      const sameFingerprint = taken.claim.fingerprint === claim.fingerprint
      if (by.phase === "rejected" && taken.claim.retryAfterRejection) continue
      return { _tag: "Claimed", claim, sameFingerprint, by }
    }
    if (!post(account, "hold", price, at, id)) return { _tag: "Insufficient", available: availableOf(account) }
    const opened: Delivery = { ...delivery, phase: "pending", createdAt: at, statusAt: at }
    deliveries.set(id, opened)
    for (const claim of wanted) claims.set(named(claim), { claim, delivery: id })
    return { _tag: "Opened", delivery: opened, available: availableOf(account) }
  }

  /** Moves a delivery's phase, and its price with it. */
  const move = (delivery: Delivery, phase: Close["outcome"], at: number): Delivery => {
    const moved = { ...delivery, phase }
    deliveries.set(delivery.id, moved)
    if (phase === "accepted") post(delivery.account, "settle", delivery.price, at, delivery.id)
    if (phase === "rejected") post(delivery.account, "release", delivery.price, at, delivery.id)
    return moved
  }

  /** Moves a delivery's status where the rank allows it. */
  const advance = (delivery: Delivery, status: Status, details: Details, at: number): Delivery => {
    if (status.rank <= delivery.status.rank) return delivery
    const advanced = { ...delivery, status, statusAt: at, details: { ...delivery.details, ...details } }
    deliveries.set(delivery.id, advanced)
    return advanced
  }

  const close = ({ at, details, id, outcome, refs, status }: Close): Closed => {
    const delivery = deliveries.get(id)
    if (delivery === undefined) return { _tag: "Missing" }
    const named = refs.map((ref) => partOf(delivery.channel, ref))
    for (const part of named) if (!parts.has(part)) parts.set(part, { delivery: id, reported: false })
    const moves = delivery.phase === "pending" || (delivery.phase === "unknown" && outcome !== "unknown")
    if (moves) {
      const closed = { ...move(delivery, outcome, at), details: { ...delivery.details, ...details } }
      deliveries.set(id, closed)
      advance(closed, status, {}, at)
    }
    const due = parked.filter(({ target }) => target.refs.some((ref) => named.includes(partOf(target.channel, ref))))
    parked = parked.filter((report) => !due.includes(report))
    for (const { report } of due) apply(report)
    const now = deliveries.get(id) ?? delivery
    return { _tag: moves ? "Closed" : "Unchanged", delivery: now, available: availableOf(delivery.account) }
  }

  const apply = (report: Report): Reported => {
    const { details, everyPart, status, target } = report
    if (target._tag === "Delivery") {
      const before = deliveries.get(target.id)
      if (before === undefined) return { _tag: "Missing" }
      return reported(before, advance(before, status, details, report.at))
    }
    const part = findPart(target)
    if (part === undefined) {
      parked.push({ report, target })
      return { _tag: "Parked" }
    }
    const found = deliveries.get(part.delivery)
    if (found === undefined) return { _tag: "Missing" }
    const open = found.phase === "pending" || found.phase === "unknown"
    const before = open ? move(found, "accepted", report.at) : found
    if (everyPart) {
      part.reported = true
      const done = [...parts.values()].filter((other) => other.delivery === found.id && other.reported).length
      if (done < found.parts) return { _tag: "Unchanged", delivery: before }
    }
    return reported(before, advance(before, status, details, report.at))
  }

  const findPart = (target: Extract<Target, { readonly _tag: "Part" }>) => {
    for (const ref of target.refs) {
      const part = parts.get(partOf(target.channel, ref))
      if (part !== undefined) return part
    }
    const { otherwise } = target
    const ref = target.refs[0]
    if (otherwise === null || ref === undefined) return undefined
    const candidates = [...deliveries.values()].filter(
      ({ channel, phase, reference, to }) =>
        channel === target.channel &&
        to === otherwise.to &&
        reference === otherwise.reference &&
        (phase === "pending" || phase === "unknown")
    )
    const [only] = candidates
    if (only === undefined || candidates.length > 1) return undefined
    const part = { delivery: only.id, reported: false }
    parts.set(partOf(target.channel, ref), part)
    return part
  }

  return Store.of({
    manifest: { name: "memory", durable: false, shared: false },
    ping: Effect.void,

    createAccount: (account) =>
      Effect.sync(() => {
        if (accounts.has(account.id)) return
        accounts.set(account.id, { account, balance: Postings.balance(zero, zero) })
      }),
    account: (id) => Effect.sync(() => Option.map(Option.fromUndefinedOr(accounts.get(id)), (row) => ({ ...row }))),
    accounts: Effect.sync(() => [...accounts.values()].map((row) => ({ ...row }))),

    createKey: (key) =>
      Effect.sync(() => {
        if (!accounts.has(key.account)) return false
        if (!keys.has(key.id)) keys.set(key.id, key)
        return true
      }),
    keyByHash: (hash) =>
      Effect.sync(() => {
        const key = [...keys.values()].find((candidate) => candidate.hash === hash)
        const row = key && accounts.get(key.account)
        return key && row ? Option.some({ key, account: row.account }) : Option.none()
      }),
    keys: (account) => Effect.sync(() => [...keys.values()].filter((key) => key.account === account)),
    revokeKey: (id, at) =>
      Effect.sync(() => {
        const key = keys.get(id)
        if (key === undefined) return false
        keys.set(id, { ...key, revokedAt: key.revokedAt ?? at })
        return true
      }),
    revokedSince: (at) =>
      Effect.sync(() =>
        [...keys.values()].filter((key) => key.revokedAt !== null && key.revokedAt >= at).map((key) => key.id)
      ),

    credit,
    entries: ({ account, after, limit }) =>
      Effect.sync(() => {
        const ledger = entries.get(account) ?? []
        const start = after === null ? 0 : ledger.findIndex((entry) => entry.id === after) + 1
        return ledger.slice(start, start + limit)
      }),

    open: (request) => Effect.sync(() => open(request)),
    close: (request) => Effect.sync(() => close(request)),
    report: (report) => Effect.sync(() => apply(report)),

    find: ({ account, channel, id, mode }) =>
      Effect.sync(() =>
        Option.fromUndefinedOr(deliveries.get(id)).pipe(
          Option.filter((row) => row.account === account && row.mode === mode && row.channel === channel)
        )
      ),
    list: (listing) =>
      Effect.sync(() => {
        const { account, channel, mode } = listing
        const own = [...deliveries.values()].filter(
          (row) => row.account === account && row.mode === mode && row.channel === channel
        )
        return pageOf(own, listing)
      }),
    unresolved: ({ createdBefore, limit, phase }) =>
      Effect.sync(() =>
        [...deliveries.values()]
          .filter((row) => row.phase === phase && row.createdAt < createdBefore)
          .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
      ),
    sweep: ({ at, parkedBefore }) =>
      Effect.sync(() => {
        for (const [name, { claim }] of claims) if (claim.expiresAt <= at) claims.delete(name)
        parked = parked.filter(({ report }) => report.at >= parkedBefore)
      })
  })
}

export const layer: Layer.Layer<Store> = Layer.sync(Store, make)

const partOf = (channel: string, ref: string): string => `${channel} ${ref}`

const reported = (before: Delivery, after: Delivery): Reported =>
  before === after ? { _tag: "Unchanged", delivery: after } : { _tag: "Moved", delivery: after }
