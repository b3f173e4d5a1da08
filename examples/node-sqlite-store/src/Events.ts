/**
 * Events for endpoints: taken under leases, settled, replayed.
 */
import { type EventId, firstUlid, timeOfUlid } from "@watchword/schemas/Ids"
import type { EventStore, EventSummary, KeptEvent, TakenEvent } from "@watchword/store/Store"
import { append } from "./Changes.ts"
import type { Database } from "./Database.ts"
import { NOW, transact } from "./Transaction.ts"

const PENDING = "state IN ('waiting', 'taken')"

export const eventsOf = (database: Database): EventStore => {
  const { all, one, run } = database
  const does = transact(database)
  const takeOne = (id: string, lease: number): ReadonlyArray<TakenEvent> => {
    run(`UPDATE events SET state = 'taken', due_at = ${NOW} + ?, attempts = attempts + 1 WHERE id = ?`, lease, id)
    return all("SELECT json_set(event, '$.attempts', attempts, '$.until', due_at) FROM events WHERE id = ?", id)
  }
  return {
    appendEvents: (events) => does(() => append(database, events)),
    takeEvents: ({ bounds, lease, limit, perEndpoint }) =>
      does(() => {
        const due = all<{ readonly id: string; readonly place: number }>(
          `SELECT json_object('id', id, 'place', place) FROM (
             SELECT id, due_at, coalesce((SELECT value FROM json_each(?) WHERE key = endpoint), ?) AS bound,
               row_number() OVER (PARTITION BY endpoint ORDER BY due_at > ${NOW} DESC, due_at, id) AS place
             FROM events WHERE ${PENDING} AND (state = 'taken' OR due_at <= ${NOW})
           ) WHERE due_at <= ${NOW} AND place <= bound ORDER BY place, id LIMIT ?`,
          JSON.stringify(Object.fromEntries(bounds ?? [])),
          perEndpoint,
          limit
        )
        return due.flatMap(({ id }) => takeOne(id, lease))
      }),
    settleEvents: (settlements) =>
      does(() => {
        for (const { answer, id, outcome, until } of settlements) {
          const state = outcome._tag === "Sent" ? "sent" : outcome._tag === "Failed" ? "failed" : "waiting"
          run(
            `UPDATE events SET state = ?, due_at = ${NOW} + ?, answer = ?, answered_at = ${NOW}
             WHERE id = ? AND state = 'taken' AND due_at = ?`,
            state,
            outcome._tag === "Retry" ? outcome.after : 0,
            answer,
            id,
            until
          )
        }
      }),
    dropEvents: (endpoint) => does(() => run(`DELETE FROM events WHERE endpoint = ? AND ${PENDING}`, endpoint)),
    replayEvents: ({ endpoint, since }) =>
      does(() =>
        run(
          `UPDATE events SET state = 'waiting', due_at = ${NOW}, attempts = 0
           WHERE endpoint = ? AND id >= ? AND NOT ${PENDING}`,
          endpoint,
          firstUlid(since)
        )
      ),
    replayEvent: ({ endpoint, id }) =>
      does(
        () =>
          run(
            `UPDATE events SET attempts = iif(${PENDING}, attempts, 0), state = 'waiting', due_at = ${NOW}
             WHERE endpoint = ? AND id = ? AND state <> 'taken'`,
            endpoint,
            id
          ) === 1
      ),
    events: ({ endpoint, limit, state }) =>
      does(() =>
        all<KeptEvent>(
          `SELECT json_set(event, '$.state', ?, '$.attempts', attempts, '$.dueAt', due_at, '$.lastAnswer',
             json(iif(answer IS NULL, 'null', json_object('answer', answer, 'at', answered_at))))
           FROM events WHERE endpoint = ? AND ${state === "pending" ? PENDING : "state = ?"}
           ORDER BY ${state === "pending" ? "due_at, id" : "answered_at DESC, id DESC"} LIMIT ?`,
          state,
          endpoint,
          ...(state === "pending" ? [] : [state]),
          limit
        )
      ),
    event: ({ endpoint, id }) =>
      does(
        () =>
          one<KeptEvent>(
            `SELECT json_set(event, '$.state', iif(${PENDING}, 'pending', state), '$.attempts', attempts, '$.dueAt', due_at,
               '$.lastAnswer', json(iif(answer IS NULL, 'null', json_object('answer', answer, 'at', answered_at))))
             FROM events WHERE id = ? AND endpoint = ?`,
            id,
            endpoint
          ) ?? null
      ),
    eventSummary: (endpoint) =>
      does(() => {
        const oldest = one<EventId>(
          `SELECT json_quote(id) FROM events WHERE endpoint = ? AND ${PENDING} ORDER BY id LIMIT 1`,
          endpoint
        )
        const counts = one<Pick<EventSummary, "pending" | "failed" | "sentAt">>(
          `SELECT json_object('pending', count(*) FILTER (WHERE ${PENDING}), 'failed', count(*) FILTER (WHERE state = 'failed'),
             'sentAt', max(answered_at) FILTER (WHERE state = 'sent')) FROM events WHERE endpoint = ?`,
          endpoint
        )
        const lastAnswer = one<EventSummary["lastAnswer"]>(
          `SELECT json_object('answer', answer, 'at', answered_at) FROM events
           WHERE endpoint = ? AND answered_at IS NOT NULL ORDER BY answered_at DESC LIMIT 1`,
          endpoint
        )
        return {
          ...(counts ?? { pending: 0, failed: 0, sentAt: null }),
          oldestPending: oldest === undefined ? null : timeOfUlid(oldest),
          lastAnswer: lastAnswer ?? null
        }
      }),
    eventBacklog: (limit) =>
      does(() => {
        const ids = all<EventId>(`SELECT json_quote(id) FROM events WHERE ${PENDING} LIMIT ?`, limit)
        const [oldest] = ids.toSorted()
        return { pending: ids.length, oldestPending: oldest === undefined ? null : timeOfUlid(oldest) }
      }),
    pruneEvents: (before) =>
      does(() => {
        run(`DELETE FROM events WHERE id < ? AND NOT ${PENDING}`, firstUlid(before))
      })
  }
}
