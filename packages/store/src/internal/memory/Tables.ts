/**
 * The tables that steps read and write, as a snapshot and an `apply`.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import type { Sweep, Swept } from "../Requests.ts"
import type { RefRow } from "../../Snapshots.ts"
import type { Changes } from "../../step/Changes.ts"
import type { HeldClaim, Part, Snapshot, Unmatched } from "../../step/Snapshot.ts"
import * as Accounts from "./Accounts.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Events from "./Events.ts"
import * as Processes from "./Processes.ts"

export const make = (entryId: (at: number) => EntryId) => {
  const accounts = Accounts.make(entryId)
  const deliveries = Deliveries.make()
  const processes = Processes.make()
  const events = Events.make()
  const claims = new Map<string, HeldClaim>()
  const parts = new Map<string, Part>()
  const reporters = new Map<string, Set<string>>()
  let unmatched: ReadonlyArray<Unmatched> = []
  let kept = 0

  const part = (channel: Product, ref: string): Part | undefined => parts.get(partKey(channel, ref))

  const snapshot: Snapshot = {
    account: accounts.state,
    delivery: deliveries.get,
    claim: (account, mode, key) => claims.get(claimKey(account, mode, key)),
    part,
    referable: deliveries.referable,
    unmatched: (channel, refs) =>
      unmatched.filter(
        ({ report: { target } }) => target.channel === channel && target.refs.some((ref) => refs.includes(ref))
      ),
    reporters: (delivery, status) => [...(reporters.get(statusKey(delivery, status)) ?? [])]
  }

  const apply = (changes: Changes): void => {
    const { complete, opened, postings, replayed, reported, updated } = changes
    for (const { claims: taken, delivery, owner } of opened) {
      const { account, id, mode } = delivery
      deliveries.put(delivery)
      processes.own(owner, id)
      for (const claim of taken) claims.set(claimKey(account, mode, claim.key), { ...claim, delivery: id })
    }
    for (const { after } of updated) deliveries.put(after)
    for (const { at, delivery, kind } of postings) {
      accounts.post(delivery.account, { kind, amount: delivery.price, delivery: delivery.id, at })
    }
    for (const { channel, delivery, name, ref } of changes.parts) parts.set(partKey(channel, ref), { delivery, name })
    for (const { delivery, part, status } of reported) {
      const key = statusKey(delivery, status)
      reporters.set(key, (reporters.get(key) ?? new Set()).add(part))
    }
    for (const { delivery, status } of complete) reporters.delete(statusKey(delivery, status))
    if (changes.unmatched !== null) unmatched = [...unmatched, { n: ++kept, report: changes.unmatched }]
    if (replayed.length > 0) unmatched = unmatched.filter((each) => !replayed.includes(each))
    events.append(changes.events)
  }

  const sweep = ({ at, unmatchedBefore, unmatchedLimit }: Sweep): Swept => {
    for (const [key, { expiresAt }] of claims) if (expiresAt < at) claims.delete(key)
    const young = unmatched.filter(({ report }) => report.at >= unmatchedBefore)
    const places = new Map<Product, number>()
    const kept = new Set(
      young
        .toSorted((a, b) => b.report.at - a.report.at || b.n - a.n)
        .filter(({ report: { target } }) => {
          const place = (places.get(target.channel) ?? 0) + 1
          places.set(target.channel, place)
          return place <= unmatchedLimit
        })
    )
    unmatched = young.filter((each) => kept.has(each))
    const dropped = [...places].map(([channel, reports]) => [channel, reports - unmatchedLimit] as const)
    return { dropped: new Map(dropped.filter(([, reports]) => reports > 0)) }
  }

  const refs = (): ReadonlyArray<RefRow> =>
    [...parts.values()].flatMap(({ delivery }) => {
      const row = deliveries.get(delivery)
      return row === undefined ? [] : [{ delivery, channel: row.channel }]
    })

  const keepUnmatched = (condition: (report: Unmatched) => boolean): number => {
    const all = unmatched.length
    unmatched = unmatched.filter(condition)
    return all - unmatched.length
  }

  return {
    accounts,
    deliveries,
    processes,
    events,
    claims,
    parts,
    reporters,
    part,
    refs,
    snapshot,
    apply,
    sweep,
    keepUnmatched
  }
}

export type Tables = ReturnType<typeof make>

const claimKey = (account: AccountId, mode: Mode, key: string): string => `${account} ${mode} ${key}`
const partKey = (channel: Product, ref: string): string => `${channel} ${ref}`
const statusKey = (delivery: DeliveryId, status: string): string => `${delivery} ${status}`
