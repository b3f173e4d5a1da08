import { firstUlid } from "@watchword/schemas/Ids"
import * as Sql from "@watchword/store/sql/Events"
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
      Effect.map(ask<Sql.TakenRow>(Sql.take, null, lease, perEndpoint, limit, Sql.encodeBounds(bounds)), (rows) =>
        rows.map(Sql.decodeTaken)
      ),
    settleEvents: (settlements) =>
      settlements.length === 0 ? Effect.void : Effect.asVoid(connection.run(() => settlements.map(settle))),
    dropEvents: (endpoint) => Effect.map(ask(Sql.drop, endpoint), ({ length }) => length),
    replayEvents: ({ endpoint, since }) =>
      Effect.map(ask(Sql.replay, null, endpoint, firstUlid(since)), ({ length }) => length),
    replayEvent: ({ endpoint, id }) => Effect.map(ask(Sql.replayOne, null, endpoint, id), ({ length }) => length > 0),
    events: ({ endpoint, limit, state }) =>
      Effect.map(ask<Sql.KeptRow>(Sql.kept[state], endpoint, limit), (rows) => rows.map(Sql.decodeKept)),
    eventSummary: (endpoint) =>
      Effect.map(ask<Sql.SummaryRow>(Sql.summary, endpoint), ([row]) => {
        if (row === undefined) throw new Error("a select without a table has one row")
        return Sql.decodeSummary(row)
      }),
    eventBacklog: (limit) =>
      Effect.map(ask<Sql.BacklogRow>(Sql.backlog, limit), ([row]) => {
        if (row === undefined) throw new Error("an aggregate has one row")
        return Sql.decodeBacklog(row)
      }),
    pruneEvents: Effect.fnUntraced(function* (before) {
      let deleted = LIMIT
      while (deleted === LIMIT) deleted = (yield* ask(Sql.prune, firstUlid(before), LIMIT)).length
    })
  }
}

const settle = (settlement: Settlement): Statement => {
  const { answer, id, until } = settlement
  const after = [Sql.stateAfter(settlement), Sql.dueAfter(settlement), answer]
  return { sql: Sql.settle, values: [null, id, until, ...after] }
}

/** Writes events. */
export const append = (events: ReadonlyArray<Event>): Statement => ({
  sql: Sql.append,
  values: [JSON.stringify(Sql.encodeEvents(events))]
})
