/**
 * The log of refused requests.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import type { RefusedRequest, RefusedStore } from "@watchword/store/Store"
import type { Database } from "./Database.ts"
import { transact } from "./Transaction.ts"

export const refusedOf = (database: Database): RefusedStore => {
  const { all, run } = database
  const does = transact(database)
  return {
    addRefused: (rows) =>
      does(() => {
        for (const row of rows) {
          run("INSERT OR IGNORE INTO refused_requests (id, request) VALUES (?, ?)", row.id, JSON.stringify(row))
        }
      }),
    refused: ({ account, before, code, limit, mode, operation, reach, since, status, until }) =>
      does(() => {
        const near = all<RefusedRequest>(
          `SELECT request FROM refused_requests WHERE id >= ? AND id < ? AND (? IS NULL OR id < ?)
             AND (? IS NULL OR request ->> 'account' = ?) ORDER BY id DESC LIMIT ?`,
          firstUlid(since),
          firstUlid(until),
          before,
          before,
          account,
          account,
          reach + 1
        )
        const rows = near
          .slice(0, reach)
          .filter(
            (row) =>
              (mode ?? row.mode) === row.mode &&
              (status ?? row.status) === row.status &&
              (code ?? row.code) === row.code &&
              (operation ?? row.operation) === row.operation
          )
          .slice(0, limit)
        const last = rows.length === limit ? rows.at(-1) : near.length > reach ? near.at(reach - 1) : undefined
        return { rows, next: last?.id ?? null }
      }),
    pruneRefused: ({ before, limit, most }) =>
      does(() =>
        run(
          `DELETE FROM refused_requests WHERE n IN (
             SELECT n FROM (SELECT n FROM refused_requests WHERE id < ? ORDER BY id LIMIT ?)
             UNION ALL SELECT n FROM (
               SELECT n FROM refused_requests WHERE n <= (SELECT max(n) FROM refused_requests) - ? ORDER BY n LIMIT ?
             )
           )`,
          firstUlid(before),
          limit,
          most,
          limit
        )
      )
  }
}
