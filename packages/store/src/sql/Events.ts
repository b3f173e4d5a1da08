/**
 * Events as rows, columns by which they are found and a JSON text of the rest; and in SQLite's dialect a table, and the
 * statements on it.
 *
 * - `state` is 0 waiting, 1 taken, 2 sent, 3 failed: below 2 an event is pending. `due_at` of a taken event is the end
 *   of its lease.
 * - `events_pending` leads to the due events of each endpoint, and to its leases, without a look at events that are due
 *   later; while nothing is pending it is empty. SQLite uses it where the condition of the index is written out.
 *
 * `now` of a statement is the time, null for the database's own.
 */
import { type AccountId, type EventId, timeOfUlid } from "@watchword/schemas/Ids"
import type { Mode } from "@watchword/schemas/Channel"
import type { Fact } from "../Event.ts"
import type { Bounds, EventBacklog, EventState } from "../internal/EventStore.ts"
import type { Event, EventSummary, KeptEvent, Settlement, TakenEvent } from "../Store.ts"

/** The number of a state; below 2 an event is pending. They are in databases: they never change. */
const states = { waiting: 0, taken: 1, sent: 2, failed: 3 } as const

/** The state that a settlement leaves an event in. */
export const stateAfter = ({ outcome }: Settlement): number =>
  outcome._tag === "Sent" ? states.sent : outcome._tag === "Failed" ? states.failed : states.waiting

/** In how many milliseconds an event is due after a settlement. */
export const dueAfter = ({ outcome }: Settlement): number => (outcome._tag === "Retry" ? outcome.after : 0)

/** Rows of new events: id, endpoint, time, and the rest. */
export const encodeEvents = (events: ReadonlyArray<Event>): ReadonlyArray<readonly [EventId, string, number, string]> =>
  events.map(({ account, at, endpoint, fact, id, mode }) => [
    id,
    endpoint,
    at,
    JSON.stringify({ account, mode, fact, at } satisfies Rest)
  ])

/** The bounds of endpoints, as an object of JSON. */
export const encodeBounds = (bounds: Bounds | undefined): string =>
  bounds === undefined ? "{}" : JSON.stringify(Object.fromEntries(bounds))

interface Rest {
  readonly account: AccountId
  readonly mode: Mode
  readonly fact: Fact
  readonly at: number
}

export interface TakenRow {
  readonly id: EventId
  readonly endpoint: string
  readonly due_at: number
  readonly attempts: number
  readonly event: string
}

export const decodeTaken = ({ attempts, due_at, endpoint, event, id }: TakenRow): TakenEvent => {
  const { account, at, fact, mode }: Rest = JSON.parse(event)
  return { id, endpoint, account, mode, fact, at, attempts, until: due_at }
}

export interface KeptRow extends TakenRow {
  readonly state: number
  readonly answer: string | null
  readonly answered_at: number | null
}

export const decodeKept = ({ answer, answered_at, state, ...row }: KeptRow): KeptEvent => {
  const { until, ...event } = decodeTaken(row)
  return {
    ...event,
    state: state === states.sent ? "sent" : state === states.failed ? "failed" : "pending",
    dueAt: until,
    lastAnswer: answer === null || answered_at === null ? null : { answer, at: answered_at }
  }
}

export interface SummaryRow {
  readonly pending: number
  readonly oldest: EventId | null
  readonly failed: number
  readonly sent_at: number | null
  readonly answer: string | null
  readonly answered_at: number | null
}

export type BacklogRow = Pick<SummaryRow, "pending" | "oldest">

export const decodeBacklog = ({ oldest, pending }: BacklogRow): EventBacklog => ({
  pending,
  oldestPending: oldest === null ? null : timeOfUlid(oldest)
})

export const decodeSummary = ({ answer, answered_at, failed, oldest, pending, sent_at }: SummaryRow): EventSummary => ({
  ...decodeBacklog({ oldest, pending }),
  failed,
  sentAt: sent_at,
  lastAnswer: answer === null || answered_at === null ? null : { answer, at: answered_at }
})

export const eventTables: ReadonlyArray<string> = [
  `CREATE TABLE events (
  id TEXT PRIMARY KEY,
  endpoint TEXT NOT NULL,
  state INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  answer TEXT,
  answered_at INTEGER,
  event TEXT NOT NULL
) STRICT, WITHOUT ROWID`,
  "CREATE INDEX events_pending ON events (endpoint, state, due_at, id) WHERE state < 2",
  "CREATE INDEX events_ended ON events (endpoint, state, answered_at) WHERE state > 1"
]

const NOW = "coalesce(?1, CAST(unixepoch('subsec') * 1000 AS INTEGER))"

/** `?1` the events, see `encodeEvents`. */
export const append = `INSERT INTO events (id, endpoint, state, due_at, attempts, event)
  SELECT value ->> 0, value ->> 1, 0, value ->> 2, 0, value ->> 3 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`

/** How many events of the endpoint of `w` may be under leases. @param bounds an object of the bounds that differ */
const boundOf = (bounds: string, perEndpoint: string): string =>
  `coalesce((SELECT value FROM json_each(${bounds}) WHERE key = w.endpoint), ${perEndpoint})`

/** Pending events of the endpoint of `w` in a state that are due, oldest first. */
const due = (state: number): string => `SELECT * FROM (
      SELECT id, due_at FROM events
      WHERE endpoint = w.endpoint AND state = ${state} AND state < 2 AND due_at <= ${NOW} ORDER BY due_at, id LIMIT max(?3, (SELECT coalesce(max(value), 0) FROM json_each(?5)))
    )`

/** Whether an event of the endpoint of `w` in a state is due. */
const first = (state: number): string => `(
    SELECT 1 FROM events WHERE endpoint = w.endpoint AND state = ${state} AND state < 2 AND due_at <= ${NOW}
  )`

/** The endpoints with pending events. */
const waiting = `WITH RECURSIVE waiting (endpoint) AS (
    SELECT min(endpoint) FROM events WHERE state < 2
    UNION ALL
    SELECT (SELECT min(e.endpoint) FROM events e WHERE e.state < 2 AND e.endpoint > w.endpoint)
    FROM waiting w WHERE w.endpoint IS NOT NULL
  )`

/** How many events of the endpoint of `w` are under leases. */
const leases = `(
      SELECT count(*) FROM events t
      WHERE t.endpoint = w.endpoint AND t.state = 1 AND t.state < 2 AND t.due_at > ${NOW}
    )`

/** The events that are due: `place` counts the endpoint's earlier events, under leases or offered. */
const offered = `${waiting}, offered AS (
    SELECT o.value AS id, o.key + ${leases} AS place, ${boundOf("?5", "?3")} AS bound
    FROM waiting w CROSS JOIN json_each((
      SELECT json_group_array(d.id ORDER BY d.due_at, d.id) FROM (${due(1)} UNION ALL ${due(0)}) d
    )) o WHERE w.endpoint IS NOT NULL
  )`

/** The event of the endpoint `?1` in a state that was answered last. */
const lastIn = (state: number): string => `SELECT answer, answered_at FROM events
    WHERE endpoint = ?1 AND state = ${state} AND state > 1 ORDER BY answered_at DESC LIMIT 1`

/** Whether any may be taken. `?1` now, `?2` how many of an endpoint, `?3` the bounds that differ. */
export const mayTake = `${waiting} SELECT 1 FROM waiting w
  WHERE w.endpoint IS NOT NULL AND (EXISTS ${first(0)} OR EXISTS ${first(1)}) AND ${leases} < ${boundOf("?3", "?2")} LIMIT 1`

const lease = `UPDATE events SET state = 1, due_at = ${NOW} + ?2, attempts = attempts + 1`
const taken = "RETURNING id, endpoint, due_at, attempts, event"

/**
 * The step of a take in one statement, which costs as much as thirty of {@link takeOne}: SQLite makes tables for what
 * it joins. `?1` now, `?2` the lease, `?3` how many of an endpoint, `?4` how many in all, `?5` the bounds that differ.
 */
export const take = `${offered}
  ${lease} WHERE id IN (SELECT id FROM offered WHERE place < bound ORDER BY place, id LIMIT ?4) ${taken}`

/** The endpoints with pending events, and how many of each are under leases. `?1` now. */
export const pending = `${waiting} SELECT endpoint, ${leases} AS leases FROM waiting w WHERE w.endpoint IS NOT NULL`

/** Events of an endpoint in a state that are due. `?1` now, `?2` at most so many, `?3` the endpoint. */
export const dueIn = (state: 0 | 1): string => `SELECT id, due_at AS dueAt FROM events
  WHERE endpoint = ?3 AND state = ${state} AND state < 2 AND due_at <= ${NOW} ORDER BY due_at, id LIMIT ?2`

/** `?1` now, `?2` the lease, `?3` the id. */
export const takeOne = `${lease} WHERE id = ?3 ${taken}`

/**
 * `?1` now, `?2` the id, `?3` the end of the lease, `?4` the state, `?5` milliseconds until it is due, `?6` the answer.
 */
export const settle = `UPDATE events SET state = ?4, due_at = ${NOW} + ?5, answer = ?6, answered_at = ${NOW}
  WHERE id = ?2 AND state = 1 AND due_at = ?3`

/** `?1` the endpoint. Answers a row for each. */
export const drop = "DELETE FROM events WHERE endpoint = ?1 AND state IN (0, 1) AND state < 2 RETURNING 1"

/** `?1` now, `?2` the endpoint, `?3` the least id. Answers a row for each. */
export const replay = `UPDATE events SET state = 0, due_at = ${NOW}, attempts = 0
  WHERE id >= ?3 AND endpoint = ?2 AND state > 1 RETURNING 1`

/** `?1` now, `?2` the endpoint, `?3` the id. Answers a row where it is done. */
export const replayOne = `UPDATE events SET state = 0, due_at = ${NOW}, attempts = iif(state > 1, 0, attempts)
  WHERE id = ?3 AND endpoint = ?2 AND state <> 1 RETURNING 1`

/** Events of an endpoint in a state, in the order of an index. */
const keptIn = (state: number, order: string): string => `SELECT * FROM (
    SELECT id, endpoint, state, due_at, attempts, answer, answered_at, event FROM events
    WHERE endpoint = ?1 AND state = ${state} AND state ${state < 2 ? "< 2" : "> 1"} ORDER BY ${order} LIMIT ?2
  )`

const SOONEST = "due_at, id"
const LAST_ANSWERED = "answered_at DESC, id DESC"

/** `?1` the endpoint, `?2` the event. */
export const keptOne = `SELECT id, endpoint, state, due_at, attempts, answer, answered_at, event FROM events
  WHERE id = ?2 AND endpoint = ?1`

/** `?1` the endpoint, `?2` how many. */
export const kept: Readonly<Record<EventState, string>> = {
  pending: `${keptIn(0, SOONEST)} UNION ALL ${keptIn(1, SOONEST)} ORDER BY ${SOONEST} LIMIT ?2`,
  sent: keptIn(2, LAST_ANSWERED),
  failed: keptIn(3, LAST_ANSWERED)
}

/** `?1` the endpoint. */
export const summary = `WITH pending AS (
    SELECT id, answer, answered_at FROM events WHERE endpoint = ?1 AND state IN (0, 1) AND state < 2
  ), answered AS (
    SELECT answer, answered_at FROM pending WHERE answered_at IS NOT NULL
    UNION ALL SELECT * FROM (${lastIn(2)})
    UNION ALL SELECT * FROM (${lastIn(3)})
  ), last AS (SELECT answer, answered_at FROM answered ORDER BY answered_at DESC LIMIT 1)
  SELECT (SELECT count(*) FROM pending) AS pending, (SELECT min(id) FROM pending) AS oldest,
    (SELECT count(*) FROM events WHERE endpoint = ?1 AND state = 3 AND state > 1) AS failed,
    (SELECT answered_at FROM (${lastIn(2)})) AS sent_at,
    (SELECT answer FROM last) AS answer, (SELECT answered_at FROM last) AS answered_at`

/** `?1` how many are counted. */
export const backlog = `SELECT count(*) AS pending, min(id) AS oldest FROM (
    SELECT id FROM events INDEXED BY events_pending WHERE state < 2 LIMIT ?1
  )`

/** `?1` the least id that stays, `?2` how many. Answers a row for each. */
export const prune = `DELETE FROM events WHERE id IN (
    SELECT id FROM events WHERE id < ?1 AND state > 1 ORDER BY id LIMIT ?2
  ) RETURNING 1`
