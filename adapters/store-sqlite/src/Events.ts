import { firstUlid } from "@watchword/schemas/Ids"
import * as Rows from "@watchword/store-sql/EventRows"
import * as Sql from "@watchword/store-sql/EventSql"
import type { Event } from "@watchword/store/Event"
import type { EventBacklog, EventStore, EventSummary, Settlement, TakenEvent } from "@watchword/store/EventStore"
import type { Database } from "better-sqlite3"

export type Events = ReturnType<typeof make>

type Taking = Parameters<EventStore["takeEvents"]>[0]

/** The values of the parameters `?1`, `?2`, … by their names. */
interface Values {
  readonly [n: number]: string | number
}

/** Events that endpoints have not taken yet, and those that they have. */
export const make = (db: Database) => {
  const insert = db.prepare<[Values]>(Sql.append)
  const selectMayTake = db.prepare<[Values]>(Sql.mayTake)
  const updateTaken = db.prepare<[Values], Rows.TakenRow>(Sql.take)
  const updateSettled = db.prepare<[Values]>(Sql.settle)
  const deletePending = db.prepare<[Values]>(Sql.drop)
  const updateReplayed = db.prepare<[Values]>(Sql.replay)
  const selectSummary = db.prepare<[Values], Rows.SummaryRow>(Sql.summary)
  const selectBacklog = db.prepare<[Values], Rows.BacklogRow>(Sql.backlog)
  const deleteEnded = db.prepare<[Values]>(Sql.prune)

  const append = (events: ReadonlyArray<Event>): void => {
    if (events.length > 0) insert.run({ 1: JSON.stringify(Rows.encodeEvents(events)) })
  }

  const mayTake = ({ perEndpoint }: Taking, now: number): boolean =>
    selectMayTake.get({ 1: now, 2: perEndpoint }) !== undefined

  const take = ({ lease, limit, perEndpoint }: Taking, now: number): ReadonlyArray<TakenEvent> =>
    updateTaken.all({ 1: now, 2: perEndpoint, 3: limit, 4: lease }).map(Rows.decodeTaken)

  const settle = (settlement: Settlement, now: number): void => {
    const { answer, id, until } = settlement
    updateSettled.run({
      1: now,
      2: id,
      3: until,
      4: Rows.stateAfter(settlement),
      5: Rows.dueAfter(settlement),
      6: answer
    })
  }

  const drop = (endpoint: string): number => deletePending.all({ 1: endpoint }).length

  const replay = (endpoint: string, since: number, now: number): number =>
    updateReplayed.all({ 1: now, 2: endpoint, 3: firstUlid(since) }).length

  const summary = (endpoint: string): EventSummary => {
    const row = selectSummary.get({ 1: endpoint })
    if (row === undefined) throw new Error("a select without a table has one row")
    return Rows.decodeSummary(row)
  }

  const backlog = (limit: number): EventBacklog => {
    const row = selectBacklog.get({ 1: limit })
    if (row === undefined) throw new Error("an aggregate has one row")
    return Rows.decodeBacklog(row)
  }

  /** Deletes some ended events; answers how many. */
  const prune = (before: number, limit: number): number => deleteEnded.all({ 1: firstUlid(before), 2: limit }).length

  return { append, mayTake, take, settle, drop, replay, summary, backlog, prune }
}
