import { type EventId, firstUlid } from "@watchword/schemas/Ids"
import * as Sql from "@watchword/store/sql/Events"
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

/** The values of the parameters `?1`, `?2`, … by their names. */
interface Values {
  readonly [n: number]: string | number
}

/** Events that endpoints have not taken yet, and those that they have. */
export const make = (db: Database) => {
  const insert = db.prepare<[Values]>(Sql.append)
  const selectMayTake = db.prepare<[Values]>(Sql.mayTake)
  const selectPending = db.prepare<[Values], { readonly endpoint: string; readonly leases: number }>(Sql.pending)
  const selectDue = ([0, 1] as const).map((state) => db.prepare<[Values], DueRow>(Sql.dueIn(state)))
  const updateTaken = db.prepare<[Values], Sql.TakenRow>(Sql.takeOne)
  const updateSettled = db.prepare<[Values]>(Sql.settle)
  const deletePending = db.prepare<[Values]>(Sql.drop)
  const updateReplayed = db.prepare<[Values]>(Sql.replay)
  const updateReplayedOne = db.prepare<[Values]>(Sql.replayOne)
  const selectKept: Readonly<Record<EventState, Statement<[Values], Sql.KeptRow>>> = {
    pending: db.prepare(Sql.kept.pending),
    sent: db.prepare(Sql.kept.sent),
    failed: db.prepare(Sql.kept.failed)
  }
  const selectSummary = db.prepare<[Values], Sql.SummaryRow>(Sql.summary)
  const selectBacklog = db.prepare<[Values], Sql.BacklogRow>(Sql.backlog)
  const deleteEnded = db.prepare<[Values]>(Sql.prune)

  const append = (events: ReadonlyArray<Event>): void => {
    if (events.length > 0) insert.run({ 1: JSON.stringify(Sql.encodeEvents(events)) })
  }

  const mayTake = ({ bounds, perEndpoint }: Taking, now: number): boolean =>
    selectMayTake.get({ 1: now, 2: perEndpoint, 3: Sql.encodeBounds(bounds) }) !== undefined

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
      updateTaken.all({ 1: now, 2: lease, 3: id }).map(Sql.decodeTaken)
    )
  }

  const settle = (settlement: Settlement, now: number): void => {
    const { answer, id, until } = settlement
    updateSettled.run({
      1: now,
      2: id,
      3: until,
      4: Sql.stateAfter(settlement),
      5: Sql.dueAfter(settlement),
      6: answer
    })
  }

  const drop = (endpoint: string): number => deletePending.all({ 1: endpoint }).length

  const replay = (endpoint: string, since: number, now: number): number =>
    updateReplayed.all({ 1: now, 2: endpoint, 3: firstUlid(since) }).length

  const replayOne = (endpoint: string, id: EventId, now: number): boolean =>
    updateReplayedOne.all({ 1: now, 2: endpoint, 3: id }).length > 0

  const inState = ({ endpoint, limit, state }: Parameters<EventStore["events"]>[0]): ReadonlyArray<KeptEvent> =>
    selectKept[state].all({ 1: endpoint, 2: limit }).map(Sql.decodeKept)

  const summary = (endpoint: string): EventSummary => {
    const row = selectSummary.get({ 1: endpoint })
    if (row === undefined) throw new Error("a select without a table has one row")
    return Sql.decodeSummary(row)
  }

  const backlog = (limit: number): EventBacklog => {
    const row = selectBacklog.get({ 1: limit })
    if (row === undefined) throw new Error("an aggregate has one row")
    return Sql.decodeBacklog(row)
  }

  /** Deletes some ended events; answers how many. */
  const prune = (before: number, limit: number): number => deleteEnded.all({ 1: firstUlid(before), 2: limit }).length

  return { append, mayTake, take, settle, drop, replay, replayOne, inState, summary, backlog, prune }
}
