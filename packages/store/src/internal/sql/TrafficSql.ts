/**
 * The traffic roll-up in SQL: its table, the upsert of a flush, and the sums of a query.
 *
 * The primary key begins with the hour, so that a query reads one range of it. Names are texts, so that the table can be read
 * without another one.
 */
import {
  COUNTS,
  DELAYS,
  DIMENSIONS,
  type TrafficQuery,
  type TrafficRow,
  type TrafficKey,
  type TrafficSum
} from "../Traffic.ts"

const AMOUNTS: ReadonlyArray<string> = [...COUNTS, ...DELAYS.map((_, i) => `delay_${i}`), `delay_${DELAYS.length}`]
const COLUMNS = [...DIMENSIONS, ...AMOUNTS]

/** @param types the names of the types of texts and whole numbers */
export const createTrafficTable = (
  { integer, text }: { readonly integer: string; readonly text: string },
  table = "traffic"
): string => `CREATE TABLE ${table} (
  ${COLUMNS.map((column) => `${column} ${isText(column) ? text : integer} NOT NULL`).join(",\n  ")},
  PRIMARY KEY (${DIMENSIONS.join(", ")})
)`

const isText = (column: string): boolean => column !== "hour" && !AMOUNTS.includes(column)

/** The same for SQLite. */
export const sqliteTrafficTable = `${createTrafficTable({ integer: "INTEGER", text: "TEXT" })} STRICT, WITHOUT ROWID`

/** Rows as the JSON text that an upsert reads, in the order of their keys: it prevents deadlocks. */
export const encodeTraffic = (rows: ReadonlyArray<TrafficRow>): string =>
  JSON.stringify(
    rows
      .map(({ amounts, key }) => [...DIMENSIONS.map((dimension) => key[dimension]), ...amounts])
      .toSorted((a, b) => compare(a, b))
  )

const compare = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): number => {
  const place = DIMENSIONS.findIndex((_, i) => a[i] !== b[i])
  return place !== -1 && String(a[place]) < String(b[place]) ? -1 : place === -1 ? 0 : 1
}

/**
 * The upsert of a flush.
 *
 * @param from the rows of the JSON text, as `value`
 * @param member the member of `value` at a place, as a text or a whole number
 */
export const addTraffic = (
  from: string,
  member: (place: number, isText: boolean) => string,
  table = "traffic"
): string =>
  `INSERT INTO ${table} AS t (${COLUMNS.join(", ")})
   SELECT ${COLUMNS.map((column, place) => member(place, isText(column))).join(", ")} FROM ${from} WHERE true
   ON CONFLICT (${DIMENSIONS.join(", ")})
   DO UPDATE SET ${AMOUNTS.map((column) => `${column} = t.${column} + excluded.${column}`).join(", ")}`

/** The same for SQLite, whose one parameter is the JSON text. */
export const sqliteAddTraffic = addTraffic("json_each(?1)", (place) => `value ->> ${place}`)

/**
 * The sums of a query, each as one JSON list that {@link decodeTraffic} reads. Its parameters are the first hour, the hour
 * after the last, and the account or null.
 */
export const selectTraffic = (
  by: TrafficQuery["by"],
  {
    account,
    list,
    parameter,
    sum
  }: {
    /** How a list is made. */
    readonly list: string
    readonly parameter: (n: number) => string
    readonly sum: (column: string) => string
    /** The third parameter with its type. */
    readonly account: string
  },
  table = "traffic"
): string => {
  const apart = DIMENSIONS.filter((dimension) => by.includes(dimension))
  const grouped =
    apart.length === 0 ? "HAVING count(*) > 0" : `GROUP BY ${apart.join(", ")} ORDER BY ${apart.join(", ")}`
  return `SELECT ${list}(${[...apart, ...AMOUNTS.map(sum)].join(", ")}) AS sums FROM ${table}
    WHERE hour >= ${parameter(1)} AND hour < ${parameter(2)} AND (${account} IS NULL OR account = ${account}) ${grouped}`
}

/** The same for SQLite. */
export const sqliteSelectTraffic = (by: TrafficQuery["by"]): string =>
  selectTraffic(by, {
    list: "json_array",
    parameter: (n) => `?${n}`,
    sum: (column) => `sum(${column})`,
    account: "?3"
  })

/** A list of {@link selectTraffic} with its names. */
export const decodeTraffic =
  (by: TrafficQuery["by"]) =>
  (sums: ReadonlyArray<never>): TrafficSum => {
    const apart = DIMENSIONS.filter((dimension) => by.includes(dimension))
    const key: Partial<TrafficKey> = Object.fromEntries(apart.map((dimension, place) => [dimension, sums[place]]))
    return { key, amounts: sums.slice(apart.length) }
  }
