/**
 * The operators' log.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import type { Operation, OperationStore } from "@watchword/store/internal/OperationStore"
import { FORGOTTEN } from "@watchword/store/internal/RetentionStore"
import type { Database } from "better-sqlite3"

export type Operations = ReturnType<typeof make>

type Query<Name extends keyof OperationStore> = Parameters<OperationStore[Name]>[0]

export const make = (db: Database) => {
  const insert = db.prepare<[Operation]>(
    `INSERT OR IGNORE INTO operations (id, who, face, command, input, outcome, output)
     VALUES (@id, @who, @by, @command, @input, @outcome, @output)`
  )
  const update = db.prepare<[Query<"endOperation">]>(
    "UPDATE operations SET outcome = @outcome, output = @output WHERE id = @id"
  )
  const select = db.prepare<[{ since: string; before: string | null; limit: number }], Operation>(
    `SELECT id, who, face AS "by", command, input, outcome, output FROM operations
     WHERE id >= @since AND (@before IS NULL OR id < @before) ORDER BY id DESC LIMIT +@limit`
  )
  const deleteOld = db.prepare(
    "DELETE FROM operations WHERE id IN (SELECT id FROM operations WHERE id < ? ORDER BY id LIMIT +?)"
  )
  const replace = db.prepare(
    `UPDATE operations SET input = replace(input, @to, '${FORGOTTEN}'), output = replace(output, @to, '${FORGOTTEN}')
     WHERE instr(input, @to) OR instr(output, @to)`
  )

  return {
    begin: (operation: Operation): void => void insert.run(operation),
    end: (end: Query<"endOperation">): void => void update.run(end),
    list: ({ before, limit, since }: Query<"operations">): ReadonlyArray<Operation> =>
      select.all({ since: firstUlid(since), before, limit }),
    prune: ({ before, limit }: Query<"pruneOperations">): number => deleteOld.run(firstUlid(before), limit).changes,
    forget: (to: string): void => void replace.run({ to })
  }
}
