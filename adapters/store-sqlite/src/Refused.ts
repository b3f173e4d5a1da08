/**
 * The log of refused requests.
 */
import { masked } from "@watchword/schemas/PhoneNumber"
import {
  FORGOTTEN,
  type FoundRefused,
  type RefusedQuery,
  type RefusedRequest,
  type RefusedStore
} from "@watchword/store/Store"
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
import type { Database } from "better-sqlite3"

type Pruned = Parameters<RefusedStore["pruneRefused"]>[0]

/** Queries are made now and then, so their statements are not kept. */
export const make = (db: Database) => {
  const insert = db.prepare(insertRefused(sqliteRefused))
  const replace = db.prepare(forgetRefused(sqliteRefused))
  const remove = db.prepare(deleteRefused(sqliteRefused))
  const selectAny = db
    .prepare<[string, number], number>(
      `SELECT EXISTS (SELECT 1 FROM refused_requests WHERE id < ?)
         OR (SELECT max(n) FROM refused_requests) - (SELECT min(n) FROM refused_requests) >= ?`
    )
    .pluck()

  return {
    add: (rows: ReadonlyArray<RefusedRequest>): void => void insert.run(byPlace([JSON.stringify(encodeRefused(rows))])),
    list: (query: RefusedQuery): FoundRefused =>
      decodeRefused(
        query,
        db
          .prepare<[Places], RefusedRequest & { readonly request_id: string | null }>(
            selectRefused(query, sqliteRefused)
          )
          .all(byPlace(refusedParameters(query)))
          .map(({ request_id: requestId, ...row }) => ({ ...row, requestId }))
      ),
    /** Whether there are rows to prune. */
    isPrunable: (query: Pruned): boolean => {
      const [id, most] = pruneParameters(query)
      return selectAny.get(id, most) === 1
    },
    prune: (query: Pruned): number => remove.run(byPlace(pruneParameters(query))).changes,
    forget: (to: string): void => void replace.run(byPlace([FORGOTTEN, masked(to)]))
  }
}

/** Parameters by their numbers. */
type Places = Readonly<Record<number, string | number | null>>

const byPlace = (values: ReadonlyArray<string | number | null>): Places =>
  Object.fromEntries(values.map((value, place) => [place + 1, value]))
