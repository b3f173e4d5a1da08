/**
 * Events that are waiting for their endpoints, and events that were delivered; see sql/events.ts.
 */
import { type EventId, firstUlid } from "@watchword/schemas/Ids"
import { EventSql } from "@watchword/store/sql"
import type { EventState, EventStore } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { encodeEvents } from "./Changes.ts"
import type { Connections } from "./Connections.ts"
import { json, writable } from "./Rows.ts"
import { NOW } from "./sql/shape.ts"

/** The number of events that one call removes. */
const LIMIT = 1_000

type Taken = ReadonlyArray<readonly [id: EventId, endpoint: string, until: number, attempts: number, event: string]>

export const make = ({ ask }: Connections, s: string): EventStore => {
  /** The most recently answered event of an endpoint in the state sent or failed. */
  const lastIn = (state: number): string => `(SELECT answer, answered_at FROM ${s}.events
    WHERE endpoint = $1 AND state = ${state} ORDER BY answered_at DESC LIMIT 1)`

  const some = (state: number, order: string): string =>
    `(SELECT * FROM ${s}.events WHERE endpoint = $1 AND state = ${state} ORDER BY ${order} LIMIT $2)`

  const keptIn = (state: EventState): string => {
    const order = state === "pending" ? "due_at, id" : "answered_at DESC, id DESC"
    const rows =
      state === "pending" ? `${some(0, order)} UNION ALL ${some(1, order)}` : some(state === "sent" ? 2 : 3, order)
    return `SELECT ${KEPT} FROM (${rows}) e ORDER BY ${order} LIMIT $2`
  }

  return {
    appendEvents: (events) => Effect.asVoid(ask(`SELECT ${s}.append_events($1)`, [json(encodeEvents(events))])),

    takeEvents: ({ bounds, lease, limit, perEndpoint }) =>
      Effect.map(
        ask<[taken: Taken]>(`SELECT ${s}.take_events($1, $2, $3, $4)`, [
          lease,
          limit,
          perEndpoint,
          EventSql.encodeBounds(bounds)
        ]),
        ([row]) =>
          (row?.[0] ?? []).map(([id, endpoint, due_at, attempts, event]) =>
            EventSql.decodeTaken({ id, endpoint, due_at, attempts, event })
          )
      ),

    settleEvents: (settlements) => {
      const rows = settlements.map((settlement) => {
        const { answer, id, until } = settlement
        return [id, until, EventSql.stateAfter(settlement), EventSql.dueAfter(settlement), writable(answer)] as const
      })
      return Effect.asVoid(
        ask(
          `UPDATE ${s}.events e SET state = (r ->> 2)::smallint, due_at = ${NOW} + (r ->> 3)::bigint, answer = r ->> 4,
             answered_at = ${NOW}
           FROM json_array_elements($1::json) r WHERE e.id = r ->> 0 AND e.state = 1 AND e.due_at = (r ->> 1)::bigint`,
          [json(rows)]
        )
      )
    },

    dropEvents: (endpoint) =>
      Effect.map(
        ask(`DELETE FROM ${s}.events WHERE endpoint = $1 AND state < 2 RETURNING 1`, [endpoint]),
        ({ length }) => length
      ),

    replayEvents: ({ endpoint, since }) =>
      Effect.map(
        ask(
          `UPDATE ${s}.events SET state = 0, due_at = ${NOW}, attempts = 0
           WHERE id >= $2 AND endpoint = $1 AND state > 1 RETURNING 1`,
          [endpoint, firstUlid(since)]
        ),
        ({ length }) => length
      ),

    replayEvent: ({ endpoint, id }) =>
      Effect.map(
        ask(
          `UPDATE ${s}.events SET state = 0, due_at = ${NOW}, attempts = CASE WHEN state > 1 THEN 0 ELSE attempts END
           WHERE id = $2 AND endpoint = $1 AND state <> 1 RETURNING 1`,
          [endpoint, id]
        ),
        ({ length }) => length > 0
      ),

    events: ({ endpoint, limit, state }) =>
      Effect.map(ask<[event: EventSql.KeptRow]>(keptIn(state), [endpoint, limit]), (rows) =>
        rows.map(([row]) => EventSql.decodeKept(row))
      ),

    event: ({ endpoint, id }) =>
      Effect.map(
        ask<[event: EventSql.KeptRow]>(`SELECT ${KEPT} FROM ${s}.events WHERE id = $2 AND endpoint = $1`, [
          endpoint,
          id
        ]),
        ([row]) => (row === undefined ? null : EventSql.decodeKept(row[0]))
      ),

    eventSummary: (endpoint) =>
      Effect.map(
        ask<[summary: EventSql.SummaryRow]>(
          `WITH pending AS (
             SELECT id, answer, answered_at FROM ${s}.events WHERE endpoint = $1 AND state < 2
           ), last AS (
             SELECT answer, answered_at FROM (
               SELECT answer, answered_at FROM pending WHERE answered_at IS NOT NULL
               UNION ALL ${lastIn(2)} UNION ALL ${lastIn(3)}
             ) answered ORDER BY answered_at DESC LIMIT 1
           )
           SELECT json_build_object(
             'pending', (SELECT count(*) FROM pending),
             'oldest', (SELECT min(id) FROM pending),
             'failed', (SELECT count(*) FROM ${s}.events WHERE endpoint = $1 AND state = 3),
             'sent_at', (SELECT answered_at FROM ${lastIn(2)} sent),
             'answer', (SELECT answer FROM last),
             'answered_at', (SELECT answered_at FROM last))`,
          [endpoint]
        ),
        ([row]) => {
          if (row === undefined) throw new Error("a select without a table has one row")
          return EventSql.decodeSummary(row[0])
        }
      ),

    eventBacklog: (limit) =>
      Effect.map(
        ask<[backlog: EventSql.BacklogRow]>(
          `SELECT json_build_object('pending', count(*), 'oldest', min(id))
           FROM (SELECT id FROM ${s}.events WHERE state < 2 LIMIT $1) pending`,
          [limit]
        ),
        ([row]) => {
          if (row === undefined) throw new Error("an aggregate has one row")
          return EventSql.decodeBacklog(row[0])
        }
      ),

    pruneEvents: Effect.fnUntraced(function* (before) {
      let removed = LIMIT
      while (removed >= LIMIT) {
        const rows = yield* ask(`SELECT ${s}.prune_events($1, $2)`, [firstUlid(before), LIMIT])
        removed = Number(rows[0]?.[0])
      }
    })
  }
}

/** A row of an event as it is read. */
const KEPT = `json_build_object('id', id, 'endpoint', endpoint, 'state', state, 'due_at', due_at, 'attempts', attempts,
  'answer', answer, 'answered_at', answered_at, 'event', event)`
