/**
 * The operators' log.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import { FORGOTTEN, type LogEntry, type LogStore } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, rowsOf } from "./Connection.ts"

export const make = (connection: Connection): LogStore => ({
  beginLogEntry: ({ by, command, id, input, outcome, output, who }) =>
    Effect.asVoid(
      connection.run(() => [
        {
          sql: `INSERT INTO operator_log (id, who, face, command, input, outcome, output)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING`,
          values: [id, who, by, command, input, outcome, output]
        }
      ])
    ),
  endLogEntry: ({ id, outcome, output }) =>
    Effect.asVoid(
      connection.run(() => [
        { sql: "UPDATE operator_log SET outcome = ?2, output = ?3 WHERE id = ?1", values: [id, outcome, output] }
      ])
    ),
  logEntries: ({ before, limit, since }) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `SELECT id, who, face AS "by", command, input, outcome, output FROM operator_log
            WHERE id >= ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3`,
          values: [firstUlid(since), before, limit]
        }
      ]),
      ([result]) => rowsOf<LogEntry>(result)
    ),
  pruneLogEntries: ({ before, limit }) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `DELETE FROM operator_log WHERE id IN (SELECT id FROM operator_log WHERE id < ?1 ORDER BY id LIMIT ?2)
            RETURNING 1`,
          values: [firstUlid(before), limit]
        }
      ]),
      ([result]) => rowsOf(result).length
    )
})

/** Takes a number out of the log. */
export const forget = (to: string): Statement => ({
  sql: `UPDATE operator_log SET input = replace(input, ?1, '${FORGOTTEN}'), output = replace(output, ?1, '${FORGOTTEN}')
    WHERE instr(input, ?1) OR instr(output, ?1)`,
  values: [to]
})
