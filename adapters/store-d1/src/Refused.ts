/**
 * The log of refused requests.
 */
import { masked } from "@watchword/schemas/PhoneNumber"
import { FORGOTTEN, type RefusedRequest, type RefusedStore } from "@watchword/store/Store"
import {
  decodeRefused,
  deleteRefused,
  encodeRefused,
  forgetRefused,
  insertRefused,
  pruneParameters,
  refusedParameters,
  selectRefused,
  sqliteRefused
} from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, rowsOf } from "./Connection.ts"

type Row = Omit<RefusedRequest, "requestId"> & { readonly request_id: string | null }

export const make = (connection: Connection): RefusedStore => ({
  addRefused: (rows) =>
    Effect.asVoid(
      connection.run(() => [{ sql: insertRefused(sqliteRefused), values: [JSON.stringify(encodeRefused(rows))] }])
    ),
  refused: (query) =>
    Effect.map(
      connection.run(() => [{ sql: selectRefused(query, sqliteRefused), values: refusedParameters(query) }]),
      ([result]) =>
        decodeRefused(
          query,
          rowsOf<Row>(result).map(({ request_id: requestId, ...row }) => ({ ...row, requestId }))
        )
    ),
  pruneRefused: (query) =>
    Effect.map(
      connection.run(() => [{ sql: `${deleteRefused(sqliteRefused)} RETURNING 1`, values: pruneParameters(query) }]),
      ([result]) => rowsOf(result).length
    )
})

/** Takes a number out of the log. */
export const forget = (to: string): Statement => ({
  sql: forgetRefused(sqliteRefused),
  values: [FORGOTTEN, masked(to)]
})
