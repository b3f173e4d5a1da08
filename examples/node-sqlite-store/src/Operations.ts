/**
 * The operators' log.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import type { Operation, OperationStore } from "@watchword/store/Store"
import type { Database } from "./Database.ts"
import { transact } from "./Transaction.ts"

export const operationsOf = (database: Database): OperationStore => {
  const { all, one, run } = database
  const does = transact(database)
  return {
    beginOperation: (operation) =>
      does(() => {
        run("INSERT OR IGNORE INTO operations (id, operation) VALUES (?, ?)", operation.id, JSON.stringify(operation))
      }),
    endOperation: (end) =>
      does(() => {
        const before = one<Operation>("SELECT operation FROM operations WHERE id = ?", end.id)
        run("UPDATE operations SET operation = ? WHERE id = ?", JSON.stringify({ ...before, ...end }), end.id)
      }),
    operations: ({ before, limit, since }) =>
      does(() =>
        all<Operation>(
          "SELECT operation FROM operations WHERE id >= ? AND (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?",
          firstUlid(since),
          before,
          before,
          limit
        )
      ),
    pruneOperations: ({ before, limit }) =>
      does(() =>
        run(
          "DELETE FROM operations WHERE id IN (SELECT id FROM operations WHERE id < ? ORDER BY id LIMIT ?)",
          firstUlid(before),
          limit
        )
      )
  }
}
