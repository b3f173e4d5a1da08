/**
 * The operators' log.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import type { Operation, OperationStore } from "@watchword/store/internal/OperationStore"
import { FORGOTTEN } from "@watchword/store/internal/RetentionStore"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, rowsOf } from "./Connection.ts"

export const make = (connection: Connection): OperationStore => ({
  beginOperation: ({ by, command, id, input, outcome, output, who }) =>
    Effect.asVoid(
      connection.run(() => [
        {
          sql: `INSERT INTO operations (id, who, face, command, input, outcome, output)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING`,
          values: [id, who, by, command, input, outcome, output]
        }
      ])
    ),
  endOperation: ({ id, outcome, output }) =>
    Effect.asVoid(
      connection.run(() => [
        { sql: "UPDATE operations SET outcome = ?2, output = ?3 WHERE id = ?1", values: [id, outcome, output] }
      ])
    ),
  operations: ({ before, limit, since }) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `SELECT id, who, face AS "by", command, input, outcome, output FROM operations
            WHERE id >= ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3`,
          values: [firstUlid(since), before, limit]
        }
      ]),
      ([result]) => rowsOf<Operation>(result)
    ),
  pruneOperations: ({ before, limit }) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `DELETE FROM operations WHERE id IN (SELECT id FROM operations WHERE id < ?1 ORDER BY id LIMIT ?2)
            RETURNING 1`,
          values: [firstUlid(before), limit]
        }
      ]),
      ([result]) => rowsOf(result).length
    )
})

/** Takes a number out of the log. */
export const forget = (to: string): Statement => ({
  sql: `UPDATE operations SET input = replace(input, ?1, '${FORGOTTEN}'), output = replace(output, ?1, '${FORGOTTEN}')
    WHERE instr(input, ?1) OR instr(output, ?1)`,
  values: [to]
})
