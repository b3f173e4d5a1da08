/**
 * The operators' log.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import type { LogEntry, LogStore } from "@watchword/store/Store"
import type { Database } from "./Database.ts"
import { transact } from "./Transaction.ts"

export const logOf = (database: Database): LogStore => {
  const { all, one, run } = database
  const does = transact(database)
  return {
    beginLogEntry: (entry) =>
      does(() => {
        run("INSERT OR IGNORE INTO operator_log (id, entry) VALUES (?, ?)", entry.id, JSON.stringify(entry))
      }),
    endLogEntry: (end) =>
      does(() => {
        const before = one<LogEntry>("SELECT entry FROM operator_log WHERE id = ?", end.id)
        run("UPDATE operator_log SET entry = ? WHERE id = ?", JSON.stringify({ ...before, ...end }), end.id)
      }),
    logEntries: ({ before, limit, since }) =>
      does(() =>
        all<LogEntry>(
          "SELECT entry FROM operator_log WHERE id >= ? AND (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?",
          firstUlid(since),
          before,
          before,
          limit
        )
      ),
    pruneLogEntries: ({ before, limit }) =>
      does(() =>
        run(
          "DELETE FROM operator_log WHERE id IN (SELECT id FROM operator_log WHERE id < ? ORDER BY id LIMIT ?)",
          firstUlid(before),
          limit
        )
      )
  }
}
