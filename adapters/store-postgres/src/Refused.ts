/**
 * The log of refused requests.
 */
import type { RefusedRequest, RefusedStore } from "@watchword/store/Store"
import {
  type RefusedDialect,
  decodeRefused,
  deleteRefused,
  encodeRefused,
  insertRefused,
  pruneParameters,
  refusedParameters,
  selectRefused
} from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import type { Connections } from "./Connections.ts"
import { json } from "./Rows.ts"

/** @param s the schema's quoted name */
export const dialect = (s: string): RefusedDialect => ({
  prefix: `${s}.`,
  parameter: (place, type) => `$${place}::${type}`,
  elements: "json_array_elements($1::json) AS each(value)",
  integer: (text) => `${text}::integer`
})

type Row = [
  id: string,
  account: RefusedRequest["account"],
  mode: RefusedRequest["mode"],
  key: RefusedRequest["key"],
  operation: string,
  status: number,
  code: string,
  reason: string | null,
  requestId: string | null,
  client: string | null,
  number: string | null,
  count: number
]

export const make = ({ ask }: Connections, s: string): RefusedStore => {
  const sql = dialect(s)
  return {
    addRefused: (rows) => Effect.asVoid(ask(insertRefused(sql), [json(encodeRefused(rows))])),
    refused: (query) =>
      Effect.map(ask<Row>(selectRefused(query, sql), refusedParameters(query)), (rows) =>
        decodeRefused(query, rows.map(decode))
      ),
    pruneRefused: (query) =>
      Effect.map(ask<[n: number]>(`${deleteRefused(sql)} RETURNING n`, pruneParameters(query)), ({ length }) => length)
  }
}

const decode = (row: Row): RefusedRequest => {
  const [id, account, mode, key, operation, status, code, reason, requestId, client, number, count] = row
  return { id, account, mode, key, operation, status, code, reason, requestId, client, number, count }
}
