/**
 * The log of refused requests in SQL: the same statements for all databases.
 *
 * Rows have a number, `n`, in the order in which they were added, so that the excess is found without a count, and an
 * id of their time, by which they are listed. An index has the rows of each account.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import {
  type FoundRefused,
  type RefusedQuery,
  type RefusedRequest,
  type RefusedStore,
  foundRefused,
  refusedIds
} from "../internal/RefusedStore.ts"

/** How a database writes the parts of statements that differ. */
export interface RefusedDialect {
  /** The prefix of tables, such as a schema with its dot. */
  readonly prefix: string
  readonly parameter: (place: number, type: "integer" | "text") => string
  /** A table of one column `value` with the elements of a JSON array in parameter 1. */
  readonly elements: string
  readonly integer: (text: string) => string
}

/** For SQLite and D1. */
export const sqliteRefused: RefusedDialect = {
  prefix: "",
  parameter: (place) => `?${place}`,
  elements: "json_each(?1)",
  integer: (text) => text
}

const TABLE = "refused_requests"

const COLUMNS = "id, account, mode, key, operation, status, code, reason, request_id, client, number, count"

/** The names of a {@link RefusedRequest}, in the order of the columns that {@link selectRefused} answers. */
export const REFUSED_COLUMNS = [
  "id",
  "account",
  "mode",
  "key",
  "operation",
  "status",
  "code",
  "reason",
  "requestId",
  "client",
  "number",
  "count"
] as const satisfies ReadonlyArray<keyof RefusedRequest>

const INTEGERS: ReadonlySet<string> = new Set(["status", "count"])

/** The table and its indexes. @param n the type of the column `n`, which numbers rows by itself */
export const createRefused = (
  n: string,
  { id = "TEXT", integer = "INTEGER", options = "" } = {},
  prefix = ""
): ReadonlyArray<string> => [
  `CREATE TABLE ${prefix}${TABLE} (
  n ${n},
  id ${id} NOT NULL UNIQUE,
  account ${id},
  mode TEXT,
  key TEXT,
  operation TEXT NOT NULL,
  status ${integer} NOT NULL,
  code TEXT NOT NULL,
  reason TEXT,
  request_id TEXT,
  client TEXT,
  number TEXT,
  count ${integer} NOT NULL
)${options}`,
  `CREATE INDEX refused_requests_of_account ON ${prefix}${TABLE} (account, id) WHERE account IS NOT NULL`
]

/** Adds the rows that {@link encodeRefused} writes as parameter 1. */
export const insertRefused = ({ elements, integer, prefix }: RefusedDialect): string => {
  const values = REFUSED_COLUMNS.map((name, place) =>
    INTEGERS.has(name) ? integer(`(value ->> ${place})`) : `value ->> ${place}`
  )
  return `INSERT INTO ${prefix}${TABLE} (${COLUMNS}) SELECT ${values.join(", ")} FROM ${elements} WHERE true
    ON CONFLICT (id) DO NOTHING`
}

export const encodeRefused = (rows: ReadonlyArray<RefusedRequest>): ReadonlyArray<ReadonlyArray<unknown>> =>
  rows.map((row) => REFUSED_COLUMNS.map((name) => row[name]))

/**
 * Selects the rows of a query, in any order, and with a `count` of 0 the last row that was looked at, if there are
 * further ones. {@link refusedParameters} has its parameters.
 */
export const selectRefused = (
  { account }: Pick<RefusedQuery, "account">,
  { parameter, prefix }: RefusedDialect
): string => {
  const text = (place: number) => parameter(place, "text")
  const reach = parameter(4, "integer")
  const is = (column: string, place: number, type: "integer" | "text") =>
    `(${parameter(place, type)} IS NULL OR ${column} = ${parameter(place, type)})`
  const nulls = COLUMNS.split(", ").slice(1, -1).map(nothing)
  return `WITH looked AS MATERIALIZED (
      SELECT ${COLUMNS} FROM ${prefix}${TABLE} WHERE id >= ${text(1)} AND id < ${text(2)}
        AND ${account === null ? `${text(3)} IS NULL` : `account = ${text(3)}`}
      ORDER BY id DESC LIMIT ${reach} + 1
    ), near AS MATERIALIZED (SELECT ${COLUMNS} FROM looked ORDER BY id DESC LIMIT ${reach})
    SELECT ${COLUMNS} FROM (
      SELECT ${COLUMNS} FROM near
      WHERE ${is("mode", 5, "text")} AND ${is("status", 6, "integer")} AND ${is("code", 7, "text")}
        AND ${is("operation", 8, "text")}
      ORDER BY id DESC LIMIT ${parameter(9, "integer")}
    ) found
    UNION ALL
    SELECT min(id), ${nulls.join(", ")}, 0 FROM near HAVING (SELECT count(*) FROM looked) > ${reach}`
}

/** The values of the column of no row, of its type. */
const nothing = (column: string): string =>
  column === "status" ? "0" : column === "operation" || column === "code" ? "''" : "NULL"

export const refusedParameters = (query: RefusedQuery): ReadonlyArray<string | number | null> => {
  const { end, first } = refusedIds(query)
  const { account, code, limit, mode, operation, reach, status } = query
  return [first, end, account, reach, mode, status, code, operation, limit]
}

/** The answer of a query, from the rows that {@link selectRefused} found. */
export const decodeRefused = (query: RefusedQuery, rows: ReadonlyArray<RefusedRequest>): FoundRefused => {
  const last = rows.find(({ count }) => count === 0)?.id ?? null
  const found = rows.filter(({ count }) => count > 0).toSorted((a, b) => (a.id > b.id ? -1 : 1))
  return foundRefused(query, found, last)
}

/** Deletes old rows and the excess. {@link pruneParameters} has its parameters. */
export const deleteRefused = ({ parameter, prefix }: RefusedDialect): string => {
  const limit = parameter(3, "integer")
  return `DELETE FROM ${prefix}${TABLE} WHERE n IN (
      SELECT n FROM (SELECT n FROM ${prefix}${TABLE} WHERE id < ${parameter(1, "text")} ORDER BY id LIMIT ${limit}) old
      UNION ALL
      SELECT n FROM (
        SELECT n FROM ${prefix}${TABLE}
        WHERE n <= (SELECT max(n) FROM ${prefix}${TABLE}) - ${parameter(2, "integer")} ORDER BY n LIMIT ${limit}
      ) excess
    )`
}

export const pruneParameters = ({
  before,
  limit,
  most
}: Parameters<RefusedStore["pruneRefused"]>[0]): readonly [string, number, number] => [firstUlid(before), most, limit]

/** Replaces a masked number, parameter 2, by parameter 1. */
export const forgetRefused = ({ parameter, prefix }: RefusedDialect): string =>
  `UPDATE ${prefix}${TABLE} SET number = ${parameter(1, "text")} WHERE number = ${parameter(2, "text")}`
