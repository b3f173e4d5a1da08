/**
 * The changes of a transaction, as the function `apply` takes them.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Event } from "@watchword/store/Event"
import type { PartReport } from "@watchword/store/step"
import {
  EventSql,
  FINE_WIDTH,
  type Partitions,
  WIDTH,
  bucketOf,
  heldUntilCode,
  kindCode,
  modeCode,
  phaseCode
} from "@watchword/store/sql"
import type { Facts } from "./Facts.ts"
import type { Written } from "./WorkingSet.ts"

type Encoded = Readonly<Record<string, ReadonlyArray<unknown>>>

/** Only what there is to write; null when that is nothing. */
export const encodeChanges = (partitions: Partitions, written: Written, facts: Facts): Encoded | null => {
  const { codeOf } = partitions
  const { claims, complete, events, opened, parts, replayed, reported, unmatched, updated } = written
  const changes: Encoded = {
    opened: opened.map(({ delivery, owner }) => ({ ...recordOf(partitions, delivery), owner })),
    updated: updated.map(({ after }) => stateOf(after)),
    counts: countsOf(partitions, written),
    ...moneyOf(written),
    claims: claims.map(({ expiresAt, heldUntil, mode, ...claim }) => ({
      ...claim,
      mode: modeCode(mode),
      held_until: heldUntilCode(heldUntil),
      expires_at: expiresAt
    })),
    parts: parts.map((part) => ({ ...part, channel: codeOf(part.channel) })),
    reported,
    complete,
    unmatched: unmatched.map((report) => unmatchedOf(partitions, report)),
    replayed: replayed.map(({ n }) => n),
    events: encodeEvents(events),
    // Placeholders may be left under these.
    refs: [
      ...facts.refs,
      ...replayed.flatMap(({ report: { target } }) => target.refs.map((ref) => [codeOf(target.channel), ref] as const))
    ]
  }
  const given = Object.entries(changes).filter(([, { length }]) => length > 0)
  return given.length === 0 ? null : { ...Object.fromEntries(given), waiting: facts.waiting }
}

const recordOf = (partitions: Partitions, delivery: Delivery): object => {
  const { account, channel, createdAt, from, mode, parts, price, reference, to } = delivery
  return {
    account,
    mode: modeCode(mode),
    channel: partitions.codeOf(channel),
    recipient: to,
    sender: from,
    price,
    parts,
    reference,
    created_at: createdAt,
    ...stateOf(delivery)
  }
}

const stateOf = ({ details, dueAt, id, named, phase, status, statusAt, watch }: Delivery): object => ({
  id,
  phase: phaseCode(phase),
  named,
  status: status.name,
  rank: status.rank,
  status_at: statusAt,
  due_at: dueAt,
  details,
  watch
})

/** The entries, each with its place among the new ones of its account, and the accounts' balances after them. */
const moneyOf = ({ postings }: Written): Pick<Encoded, "entries" | "balances"> => {
  const balances = new Map<string, { readonly account: string; available: number; held: number; places: number }>()
  const entries = postings.map(({ at, balance: { available, held }, delivery: { account, id, price }, kind }) => {
    const places = (balances.get(account)?.places ?? 0) + 1
    balances.set(account, { account, available, held, places })
    return { account, place: places, delivery: id, kind: kindCode(kind), amount: price, at }
  })
  return { entries, balances: [...balances.values()] }
}

/** By how much each count changes. */
const countsOf = ({ codeOf, listedAt }: Partitions, { opened, updated }: Written): ReadonlyArray<object> => {
  const counts = new Map<string, { change: number }>()
  const count = (delivery: Delivery, change: number): void => {
    const { account, channel, mode, status } = delivery
    for (const width of [WIDTH, FINE_WIDTH]) {
      const bucket = bucketOf(listedAt(delivery), width)
      const cell = { account, mode: modeCode(mode), channel: codeOf(channel), width, bucket, status: status.name }
      const key = JSON.stringify(cell)
      counts.set(key, { ...cell, change: (counts.get(key)?.change ?? 0) + change })
    }
  }
  for (const { delivery } of opened) count(delivery, 1)
  for (const { after, before } of updated) {
    count(before, -1)
    count(after, 1)
  }
  return [...counts.values()].filter(({ change }) => change !== 0)
}

const unmatchedOf = (partitions: Partitions, report: PartReport): object => {
  const { at, details, everyPart, refund, status, target, when } = report
  return {
    channel: partitions.codeOf(target.channel),
    refs: target.refs,
    recipient: target.message.to,
    reference: target.message.reference,
    status: status?.name ?? null,
    rank: status?.rank ?? null,
    details,
    conditions: when,
    every_part: everyPart,
    refund,
    at
  }
}

/** Events as the function `append_events` takes them. */
export const encodeEvents = (events: ReadonlyArray<Event>): ReadonlyArray<object> =>
  EventSql.encodeEvents(events).map(([id, endpoint, at, event]) => ({ id, endpoint, at, event }))
