/**
 * The operators' log.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import type { LogStore } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { Connections } from "./Connections.ts"
import { writable } from "./Rows.ts"

const writableOrNull = (text: string | null): string | null => (text === null ? null : writable(text))

type Row = [
  id: string,
  who: string,
  by: string,
  command: string,
  input: string,
  outcome: string | null,
  output: string | null
]

export const make = ({ ask }: Connections, s: string): LogStore => ({
  beginLogEntry: ({ by, command, id, input, outcome, output, who }) =>
    Effect.asVoid(
      ask(
        `INSERT INTO ${s}.operator_log (id, who, face, command, input, outcome, output)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
        [id, writable(who), by, command, writable(input), outcome, writableOrNull(output)]
      )
    ),
  endLogEntry: ({ id, outcome, output }) =>
    Effect.asVoid(
      ask(`UPDATE ${s}.operator_log SET outcome = $2, output = $3 WHERE id = $1`, [id, outcome, writableOrNull(output)])
    ),
  logEntries: ({ before, limit, since }) =>
    Effect.map(
      ask<Row>(
        `SELECT id, who, face, command, input, outcome, output FROM ${s}.operator_log
         WHERE id >= $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
        [firstUlid(since), before, limit]
      ),
      (rows) =>
        rows.map(([id, who, by, command, input, outcome, output]) => ({ id, who, by, command, input, outcome, output }))
    ),
  pruneLogEntries: ({ before, limit }) =>
    Effect.map(
      ask<[id: string]>(
        `DELETE FROM ${s}.operator_log WHERE id IN (
           SELECT id FROM ${s}.operator_log WHERE id < $1 ORDER BY id LIMIT $2
         ) RETURNING id`,
        [firstUlid(before), limit]
      ),
      ({ length }) => length
    )
})
