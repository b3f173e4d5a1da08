/**
 * The operators' log.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import { FORGOTTEN, type LogEntry, type LogStore } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"

type Query<Name extends keyof LogStore> = Parameters<LogStore[Name]>[0]

export const make = (db: Database) => {
  const insert = db.prepare<[LogEntry]>(
    `INSERT OR IGNORE INTO operator_log (id, who, face, command, input, outcome, output)
     VALUES (@id, @who, @by, @command, @input, @outcome, @output)`
  )
  const update = db.prepare<[Query<"endLogEntry">]>(
    "UPDATE operator_log SET outcome = @outcome, output = @output WHERE id = @id"
  )
  const select = db.prepare<[{ since: string; before: string | null; limit: number }], LogEntry>(
    `SELECT id, who, face AS "by", command, input, outcome, output FROM operator_log
     WHERE id >= @since AND (@before IS NULL OR id < @before) ORDER BY id DESC LIMIT +@limit`
  )
  const deleteOld = db.prepare(
    "DELETE FROM operator_log WHERE id IN (SELECT id FROM operator_log WHERE id < ? ORDER BY id LIMIT +?)"
  )
  const replace = db.prepare(
    `UPDATE operator_log SET input = replace(input, @to, '${FORGOTTEN}'), output = replace(output, @to, '${FORGOTTEN}')
     WHERE instr(input, @to) OR instr(output, @to)`
  )

  return {
    begin: (entry: LogEntry): void => void insert.run(entry),
    end: (end: Query<"endLogEntry">): void => void update.run(end),
    list: ({ before, limit, since }: Query<"logEntries">): ReadonlyArray<LogEntry> =>
      select.all({ since: firstUlid(since), before, limit }),
    prune: ({ before, limit }: Query<"pruneLogEntries">): number => deleteOld.run(firstUlid(before), limit).changes,
    forget: (to: string): void => void replace.run({ to })
  }
}
