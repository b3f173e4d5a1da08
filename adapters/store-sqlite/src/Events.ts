import { type EventId, firstUlid } from "@watchword/schemas/Ids"
import { EventSql } from "@watchword/store/sql"
import type { Event } from "@watchword/store/Event"
import type {
  EventBacklog,
  EventState,
  EventStore,
  EventSummary,
  KeptEvent,
  Settlement,
  TakenEvent
} from "@watchword/store/Store"
import { inTurns } from "@watchword/store/step"
import type { Database, Statement } from "better-sqlite3"

export type Events = ReturnType<typeof make>

type Taking = Parameters<EventStore["takeEvents"]>[0]

interface DueRow {
  readonly id: EventId
  readonly dueAt: number
}

/** The values of the parameters `?1`, `?2`, … by number. */
interface Values {
  readonly [n: number]: string | number
}

/** Events that are waiting for their endpoints, and events that were delivered. */
export const make = (db: Database) => {
  const insert = db.prepare<[Values]>(EventSql.append)
  const selectMayTake = db.prepare<[Values]>(EventSql.mayTake)
  const selectPending = db.prepare<[Values], { readonly endpoint: string; readonly leases: number }>(EventSql.pending)
  const selectDue = ([0, 1] as const).map((state) => db.prepare<[Values], DueRow>(EventSql.dueIn(state)))
  const updateTaken = db.prepare<[Values], EventSql.TakenRow>(EventSql.takeOne)
  const updateSettled = db.prepare<[Values]>(EventSql.settle)
  const deletePending = db.prepare<[Values]>(EventSql.drop)
  const updateReplayed = db.prepare<[Values]>(EventSql.replay)
  const updateReplayedOne = db.prepare<[Values]>(EventSql.replayOne)
  const selectKept: Readonly<Record<EventState, Statement<[Values], EventSql.KeptRow>>> = {
    pending: db.prepare(EventSql.kept.pending),
    sent: db.prepare(EventSql.kept.sent),
    failed: db.prepare(EventSql.kept.failed)
  }
  const selectKeptOne = db.prepare<[Values], EventSql.KeptRow>(EventSql.keptOne)
  const selectSummary = db.prepare<[Values], EventSql.SummaryRow>(EventSql.summary)
  const selectBacklog = db.prepare<[Values], EventSql.BacklogRow>(EventSql.backlog)
  const deleteEnded = db.prepare<[Values]>(EventSql.prune)

  const append = (events: ReadonlyArray<Event>): void => {
    if (events.length > 0) insert.run({ 1: JSON.stringify(EventSql.encodeEvents(events)) })
  }

  const mayTake = ({ bounds, perEndpoint }: Taking, now: number): boolean =>
    selectMayTake.get({ 1: now, 2: perEndpoint, 3: EventSql.encodeBounds(bounds) }) !== undefined

  const take = ({ bounds, lease, limit, perEndpoint }: Taking, now: number): ReadonlyArray<TakenEvent> => {
    const pending = selectPending
      .all({ 1: now })
      .map((row) => ({ ...row, bound: bounds?.get(row.endpoint) ?? perEndpoint }))
      .filter(({ bound, leases }) => leases < bound)
      .map(({ bound, endpoint, leases }) => ({
        leases,
        bound,
        due: selectDue.flatMap((select) => select.all({ 1: now, 2: bound, 3: endpoint }))
      }))
    return inTurns(pending, limit).flatMap(({ id }) =>
      updateTaken.all({ 1: now, 2: lease, 3: id }).map(EventSql.decodeTaken)
    )
  }

  const settle = (settlement: Settlement, now: number): void => {
    const { answer, id, until } = settlement
    updateSettled.run({
      1: now,
      2: id,
      3: until,
      4: EventSql.stateAfter(settlement),
      5: EventSql.dueAfter(settlement),
      6: answer
    })
  }

  const drop = (endpoint: string): number => deletePending.all({ 1: endpoint }).length

  const replay = (endpoint: string, since: number, now: number): number =>
    updateReplayed.all({ 1: now, 2: endpoint, 3: firstUlid(since) }).length

  const replayOne = (endpoint: string, id: EventId, now: number): boolean =>
    updateReplayedOne.all({ 1: now, 2: endpoint, 3: id }).length > 0

  const inState = ({ endpoint, limit, state }: Parameters<EventStore["events"]>[0]): ReadonlyArray<KeptEvent> =>
    selectKept[state].all({ 1: endpoint, 2: limit }).map(EventSql.decodeKept)

  const find = ({ endpoint, id }: Parameters<EventStore["event"]>[0]): KeptEvent | null => {
    const row = selectKeptOne.get({ 1: endpoint, 2: id })
    return row === undefined ? null : EventSql.decodeKept(row)
  }

  const summary = (endpoint: string): EventSummary => {
    const row = selectSummary.get({ 1: endpoint })
    if (row === undefined) throw new Error("a select without a table has one row")
    return EventSql.decodeSummary(row)
  }

  const backlog = (limit: number): EventBacklog => {
    const row = selectBacklog.get({ 1: limit })
    if (row === undefined) throw new Error("an aggregate has one row")
    return EventSql.decodeBacklog(row)
  }

  /** Deletes some ended events; returns their number. */
  const prune = (before: number, limit: number): number => deleteEnded.all({ 1: firstUlid(before), 2: limit }).length

  return { append, mayTake, take, settle, drop, replay, replayOne, inState, find, summary, backlog, prune }
}
