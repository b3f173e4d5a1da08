/**
 * The store in memory: for tests, for trying things out, and as the plainest reading of the port.
 * Everything is gone when the process ends.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Delivery } from "./Delivery.ts"
import * as Accounts from "./memory/Accounts.ts"
import * as Deliveries from "./memory/Deliveries.ts"
import * as Parts from "./memory/Parts.ts"
import * as Processes from "./memory/Processes.ts"
import {
  type Claim,
  type Close,
  type Closed,
  type Manifest,
  type Open,
  type Opened,
  type Report,
  type Reported,
  type Service,
  Store
} from "./Store.ts"
import * as Transitions from "./Transitions.ts"

export const manifest: Manifest = { name: "memory", durable: false, shared: false, cluster: false }

/** A store of its own; nothing is shared between two of them. */
export const make = (): Service => {
  const accounts = Accounts.make()
  const deliveries = Deliveries.make()
  const parts = Parts.make()
  const processes = Processes.make()
  const claims = new Map<string, { readonly claim: Claim; readonly delivery: DeliveryId }>()

  const open = (request: Open): Opened => {
    const { at, claims: wanted, close: end, delivery, owner } = request
    const { account, id, price } = delivery
    const repeated = deliveries.get(id)
    if (repeated !== undefined) return { _tag: "Opened", delivery: repeated, available: accounts.available(account) }
    if (Option.isNone(accounts.find(account))) return { _tag: "NoAccount" }
    for (const claim of wanted) {
      const held = claims.get(claimName(delivery, claim))
      const by = held && deliveries.get(held.delivery)
      if (held === undefined || by === undefined || held.claim.expiresAt <= at) continue
      if (by.phase === "rejected" && held.claim.retryAfterRejection) continue
      return { _tag: "Claimed", claim, sameFingerprint: held.claim.fingerprint === claim.fingerprint, by }
    }
    if (!accounts.post({ account, kind: "hold", amount: price, delivery: id, at })) {
      return { _tag: "Insufficient", available: accounts.available(account) }
    }
    const opened = Transitions.opened(request)
    deliveries.put(opened)
    processes.own(owner, id)
    for (const claim of wanted) claims.set(claimName(delivery, claim), { claim, delivery: id })
    if (end !== undefined) close({ ...end, id, at })
    return { _tag: "Opened", delivery: deliveries.get(id) ?? opened, available: accounts.available(account) }
  }

  /** Writes what a step makes of a delivery, and moves its price. */
  const write = ({ delivery, posting }: Transitions.Transition, at: number): Delivery => {
    const { account, id, price } = delivery
    deliveries.put(delivery)
    if (posting !== null) accounts.post({ account, kind: posting, amount: price, delivery: id, at })
    return delivery
  }

  const close = (request: Close): Closed => {
    const { at, id, refs } = request
    const before = deliveries.get(id)
    if (before === undefined) return { _tag: "Missing" }
    const after = write(Transitions.closed(before, request), at)
    parts.add(before.channel, id, refs)
    for (const parked of parts.unpark(before, refs)) report(parked)
    return {
      _tag: after === before ? "Unchanged" : "Closed",
      delivery: deliveries.get(id) ?? after,
      available: accounts.available(before.account)
    }
  }

  const report = (request: Report): Reported => {
    const { at, everyPart, status, target } = request
    if (target._tag === "Delivery") {
      const before = deliveries.get(target.id)
      if (before === undefined) return { _tag: "Missing" }
      return moved(before, Transitions.advanced(write(Transitions.paid(before, request), at), request))
    }
    const part = meant(target)
    const found = part && deliveries.get(part.delivery)
    if (part === undefined || found === undefined) {
      parts.park({ ...request, target })
      return { _tag: "Parked" }
    }
    const paid = write(Transitions.paid(found, request), at)
    const waits = everyPart && status !== null && paid.parts > 1 && parts.note(part, status.name) < paid.parts
    return moved(found, waits ? paid : Transitions.advanced(paid, request))
  }

  /** The part that a report is about. */
  const meant = (target: Parts.Parked["target"]): Parts.Part | undefined => {
    const { channel, message, refs } = target
    let perhaps: Parts.Part | undefined
    for (const [index, ref] of refs.entries()) {
      const part = parts.find(channel, ref)
      const delivery = part && deliveries.get(part.delivery)
      const fit = delivery ? Transitions.fit(delivery, message, index === 0) : "not"
      if (fit === "exactly") return part
      if (fit === "perhaps") perhaps ??= part
    }
    return openPart(target) ?? perhaps
  }

  /** The part of the one open delivery to the number and with the reference that the report names. */
  const openPart = ({ channel, message, refs }: Parts.Parked["target"]): Parts.Part | undefined => {
    const { reference, to } = message
    const only = to !== null && reference !== null ? deliveries.onlyOpen(channel, to, reference) : undefined
    return only ? parts.addOne(channel, only.id, refs) : undefined
  }

  const moved = (before: Delivery, after: Delivery): Reported => {
    deliveries.put(after)
    return { _tag: Transitions.isMoved(before, after) ? "Moved" : "Unchanged", delivery: after }
  }

  const sweep = ({ at, parkedBefore }: { readonly at: number; readonly parkedBefore: number }): void => {
    for (const [name, { claim }] of claims) if (claim.expiresAt < at) claims.delete(name)
    parts.sweep(parkedBefore)
  }

  return Store.of({
    manifest,
    ping: Effect.void,
    createAccount: (account) => Effect.sync(() => accounts.create(account)),
    account: (id) => Effect.sync(() => accounts.find(id)),
    accounts: Effect.sync(accounts.list),
    createKey: (key) => Effect.sync(() => accounts.createKey(key)),
    keyByHash: (hash) => Effect.sync(() => accounts.keyByHash(hash)),
    keys: (account) => Effect.sync(() => accounts.keysOf(account)),
    revokeKey: (id, at) => Effect.sync(() => accounts.revokeKey(id, at)),
    revokedSince: (at) => Effect.sync(() => accounts.revokedSince(at)),
    credit: (credit) => Effect.sync(() => accounts.credit(credit)),
    entries: ({ account, after, limit }) => Effect.sync(() => accounts.entries(account, after, limit)),
    open: (request) => Effect.sync(() => open(request)),
    close: (request) => Effect.sync(() => close(request)),
    report: (request) => Effect.sync(() => report(request)),
    find: (key) =>
      Effect.sync(() => Option.filter(Option.fromUndefinedOr(deliveries.get(key.id)), Deliveries.belongsTo(key))),
    list: (listing) => Effect.sync(() => deliveries.list(listing)),
    findByRef: ({ channel, ref }) =>
      Effect.sync(() => {
        const part = parts.find(channel, ref)
        return Option.fromUndefinedOr(part && deliveries.get(part.delivery))
      }),
    unresolved: ({ abandonedAt, createdBefore, limit, phase }) =>
      Effect.sync(() =>
        deliveries.unresolved(phase, createdBefore).filter(processes.isAbandoned(abandonedAt)).slice(0, limit)
      ),
    abandoned: ({ at, channel, limit, status }) =>
      Effect.sync(() => deliveries.inStatus(channel, status).filter(processes.isAbandoned(at)).slice(0, limit)),
    alive: ({ at, process, until }) => Effect.sync(() => processes.alive(process, at, until)),
    signal: () => Effect.void,
    signals: () => Effect.void,
    sweep: (before) => Effect.sync(() => sweep(before))
  })
}

export const layer: Layer.Layer<Store> = Layer.sync(Store, make)

const claimName = ({ account, mode }: Open["delivery"], { key }: Claim): string => `${account} ${mode} ${key}`
