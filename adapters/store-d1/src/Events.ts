import { firstUlid } from "@watchword/schemas/Ids"
import { EventSql } from "@watchword/store/sql"
import type { Event } from "@watchword/store/Event"
import type { EventStore, Settlement } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, type Value, rowsOf } from "./Connection.ts"

/** Of how many events a batch is rid at most. */
const LIMIT = 1_000

/** Events by D1's clock. */
export const make = (connection: Connection): EventStore => {
  const ask = <Row>(sql: string, ...values: ReadonlyArray<Value>) =>
    Effect.map(
      connection.run(() => [{ sql, values }]),
      ([result]) => rowsOf<Row>(result)
    )

  return {
    appendEvents: (events) => Effect.asVoid(connection.run(() => [append(events)])),
    takeEvents: ({ bounds, lease, limit, perEndpoint }) =>
      Effect.map(
        ask<EventSql.TakenRow>(EventSql.take, null, lease, perEndpoint, limit, EventSql.encodeBounds(bounds)),
        (rows) => rows.map(EventSql.decodeTaken)
      ),
    settleEvents: (settlements) =>
      settlements.length === 0 ? Effect.void : Effect.asVoid(connection.run(() => settlements.map(settle))),
    dropEvents: (endpoint) => Effect.map(ask(EventSql.drop, endpoint), ({ length }) => length),
    replayEvents: ({ endpoint, since }) =>
      Effect.map(ask(EventSql.replay, null, endpoint, firstUlid(since)), ({ length }) => length),
    replayEvent: ({ endpoint, id }) =>
      Effect.map(ask(EventSql.replayOne, null, endpoint, id), ({ length }) => length > 0),
    events: ({ endpoint, limit, state }) =>
      Effect.map(ask<EventSql.KeptRow>(EventSql.kept[state], endpoint, limit), (rows) => rows.map(EventSql.decodeKept)),
    event: ({ endpoint, id }) =>
      Effect.map(ask<EventSql.KeptRow>(EventSql.keptOne, endpoint, id), ([row]) =>
        row === undefined ? null : EventSql.decodeKept(row)
      ),
    eventSummary: (endpoint) =>
      Effect.map(ask<EventSql.SummaryRow>(EventSql.summary, endpoint), ([row]) => {
        if (row === undefined) throw new Error("a select without a table has one row")
        return EventSql.decodeSummary(row)
      }),
    eventBacklog: (limit) =>
      Effect.map(ask<EventSql.BacklogRow>(EventSql.backlog, limit), ([row]) => {
        if (row === undefined) throw new Error("an aggregate has one row")
        return EventSql.decodeBacklog(row)
      }),
    pruneEvents: Effect.fnUntraced(function* (before) {
      let deleted = LIMIT
      while (deleted === LIMIT) deleted = (yield* ask(EventSql.prune, firstUlid(before), LIMIT)).length
    })
  }
}

const settle = (settlement: Settlement): Statement => {
  const { answer, id, until } = settlement
  const after = [EventSql.stateAfter(settlement), EventSql.dueAfter(settlement), answer]
  return { sql: EventSql.settle, values: [null, id, until, ...after] }
}

/** Writes events. */
export const append = (events: ReadonlyArray<Event>): Statement => ({
  sql: EventSql.append,
  values: [JSON.stringify(EventSql.encodeEvents(events))]
})
