import { type EventId, firstUlid, timeOfUlid } from "@watchword/schemas/Ids"
import type { Event } from "../../Event.ts"
import type { EventBacklog, EventStore, EventSummary, KeptEvent, Settlement, TakenEvent } from "../EventStore.ts"
import { inTurns } from "../../step/Turns.ts"
import { compare } from "../../Listing.ts"

interface Row {
  readonly event: Event
  state: "waiting" | "taken" | "sent" | "failed"
  /** The end of the lease of a taken event. */
  dueAt: number
  attempts: number
  answer: { readonly answer: string; readonly at: number } | null
}

/** Events by their ids, and whether they are pending. */
export const make = () => {
  const rows = new Map<EventId, Row>()

  const append = (events: ReadonlyArray<Event>): void => {
    for (const event of events) {
      if (rows.has(event.id)) continue
      rows.set(event.id, { event, state: "waiting", dueAt: event.at, attempts: 0, answer: null })
    }
  }

  const take = ({ bounds, lease, limit, perEndpoint }: Parameters<EventStore["takeEvents"]>[0], now: number) => {
    const pending = Map.groupBy([...rows.values()].filter(isPending), ({ event }) => event.endpoint)
    const offered = [...pending].map(([endpoint, rows]) => ({
      bound: bounds?.get(endpoint) ?? perEndpoint,
      leases: rows.filter(({ dueAt, state }) => state === "taken" && dueAt > now).length,
      due: rows.filter(({ dueAt }) => dueAt <= now).map((row) => ({ row, id: row.event.id, dueAt: row.dueAt }))
    }))
    return inTurns(offered, limit).map(({ row }): TakenEvent => {
      row.state = "taken"
      row.attempts += 1
      row.dueAt = now + lease
      return { ...row.event, attempts: row.attempts, until: row.dueAt }
    })
  }

  const settle = ({ answer, id, outcome, until }: Settlement, now: number): void => {
    const row = rows.get(id)
    if (row?.state !== "taken" || row.dueAt !== until) return
    row.answer = { answer, at: now }
    row.state = outcome._tag === "Sent" ? "sent" : outcome._tag === "Failed" ? "failed" : "waiting"
    if (outcome._tag === "Retry") row.dueAt = now + outcome.after
  }

  const all = (): ReadonlyArray<Event> => [...rows.values()].map(({ event }) => event)

  const of = (endpoint: string): ReadonlyArray<Row> =>
    [...rows.values()].filter(({ event }) => event.endpoint === endpoint)

  const drop = (endpoint: string): number => {
    const pending = of(endpoint).filter(isPending)
    for (const { event } of pending) rows.delete(event.id)
    return pending.length
  }

  const replay = (endpoint: string, since: number, now: number): number => {
    const first = firstUlid(since)
    const again = of(endpoint).filter((row) => !isPending(row) && row.event.id >= first)
    for (const row of again) {
      row.state = "waiting"
      row.dueAt = now
      row.attempts = 0
    }
    return again.length
  }

  const replayOne = (endpoint: string, id: EventId, now: number): boolean => {
    const row = rows.get(id)
    if (row?.event.endpoint !== endpoint || row.state === "taken") return false
    if (row.state !== "waiting") row.attempts = 0
    row.state = "waiting"
    row.dueAt = now
    return true
  }

  const find = ({ endpoint, id }: Parameters<EventStore["event"]>[0]): KeptEvent | null => {
    const row = rows.get(id)
    return row?.event.endpoint === endpoint ? keptOf(row) : null
  }

  const inState = ({ endpoint, limit, state }: Parameters<EventStore["events"]>[0]): ReadonlyArray<KeptEvent> =>
    of(endpoint)
      .map(keptOf)
      .filter((event) => event.state === state)
      .sort((a, b) =>
        state === "pending"
          ? a.dueAt - b.dueAt || compare(a.id, b.id)
          : (b.lastAnswer?.at ?? 0) - (a.lastAnswer?.at ?? 0) || compare(b.id, a.id)
      )
      .slice(0, limit)

  const summary = (endpoint: string): EventSummary => {
    const all = of(endpoint)
    const pending = all.filter(isPending)
    const sent = all.filter(({ state }) => state === "sent")
    const answers = all.flatMap(({ answer }) => answer ?? []).toSorted((a, b) => b.at - a.at)
    return {
      pending: pending.length,
      oldestPending: oldestOf(pending),
      failed: all.filter(({ state }) => state === "failed").length,
      sentAt: sent.reduce<number | null>((last, { answer }) => Math.max(last ?? 0, answer?.at ?? 0), null),
      lastAnswer: answers[0] ?? null
    }
  }

  const backlog = (limit: number): EventBacklog => {
    const pending = [...rows.values()].filter(isPending).slice(0, limit)
    return { pending: pending.length, oldestPending: oldestOf(pending) }
  }

  const prune = (before: number): void => {
    const first = firstUlid(before)
    for (const [id, row] of rows) if (id < first && !isPending(row)) rows.delete(id)
  }

  return { all, append, take, settle, drop, replay, replayOne, find, inState, summary, backlog, prune }
}

const keptOf = (row: Row): KeptEvent => ({
  ...row.event,
  state: row.state === "sent" || row.state === "failed" ? row.state : "pending",
  attempts: row.attempts,
  dueAt: row.dueAt,
  lastAnswer: row.answer
})

const isPending = ({ state }: Row): boolean => state === "waiting" || state === "taken"

const oldestOf = (rows: ReadonlyArray<Row>): number | null => {
  const [oldest] = rows.map(({ event }) => event.id).toSorted(compare)
  return oldest === undefined ? null : timeOfUlid(oldest)
}
