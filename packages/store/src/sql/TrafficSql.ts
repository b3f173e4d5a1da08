/**
 * The traffic roll-up in SQL: its tables, the upserts of a flush, and the sums of a query.
 *
 * The primary keys begin with the hour, so that a query reads one range of each. A second table has the sums of whole
 * days in UTC, under their first hour, from which months are read: a row of it replaces as many as 24. Names are texts,
 * so that the tables can be read without another one.
 */
import {
  COUNTS,
  DELAYS,
  DIMENSIONS,
  type TrafficKey,
  type TrafficQuery,
  type TrafficRow,
  type TrafficSum,
  addedTraffic,
  nameOf
} from "../Traffic.ts"

export const TRAFFIC_TABLES = ["traffic", "traffic_days"] as const
type Table = (typeof TRAFFIC_TABLES)[number]

const DAY = 24

const AMOUNTS: ReadonlyArray<string> = [...COUNTS, ...DELAYS.map((_, i) => `delay_${i}`), `delay_${DELAYS.length}`]
const COLUMNS = [...DIMENSIONS, ...AMOUNTS]

/**
 * @param types the type names of texts and whole numbers
 * @param prefix of the names of tables
 */
export const createTrafficTables = (
  { integer, text }: { readonly integer: string; readonly text: string },
  prefix = "",
  suffix = ""
): ReadonlyArray<string> =>
  TRAFFIC_TABLES.map(
    (table) => `CREATE TABLE ${prefix}${table} (
  ${COLUMNS.map((column) => `${column} ${isText(column) ? text : integer} NOT NULL`).join(",\n  ")},
  PRIMARY KEY (${DIMENSIONS.join(", ")})
)${suffix}`
  )

const isText = (column: string): boolean => column !== "hour" && !AMOUNTS.includes(column)

/** The same for SQLite. */
export const sqliteTrafficTables = createTrafficTables(
  { integer: "INTEGER", text: "TEXT" },
  "",
  " STRICT, WITHOUT ROWID"
)

/**
 * Rows of hours, and of their days, each as the JSON text that an upsert reads, in the order of their keys: it prevents
 * deadlocks.
 */
export const encodeTraffic = (rows: ReadonlyArray<TrafficRow>): Readonly<Record<Table, string>> => ({
  traffic: encode(rows),
  traffic_days: encode(daysOf(rows))
})

const encode = (rows: ReadonlyArray<TrafficRow>): string =>
  JSON.stringify(
    rows
      .map(({ amounts, key }) => [...DIMENSIONS.map((dimension) => key[dimension]), ...amounts])
      .toSorted((a, b) => compare(a, b))
  )

const compare = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): number => {
  const place = DIMENSIONS.findIndex((_, i) => a[i] !== b[i])
  return place !== -1 && String(a[place]) < String(b[place]) ? -1 : place === -1 ? 0 : 1
}

const daysOf = (rows: ReadonlyArray<TrafficRow>): ReadonlyArray<TrafficRow> => {
  const days = new Map<string, TrafficRow>()
  for (const { amounts, key } of rows) {
    const day = { ...key, hour: Math.floor(key.hour / DAY) * DAY }
    const name = nameOf(day)
    days.set(name, addedTraffic(days.get(name), { key: day, amounts }))
  }
  return [...days.values()]
}

/**
 * The upsert of a flush into one of the tables.
 *
 * @param from the rows of the JSON text, as `value`
 * @param member the member of `value` at a place, as a text or a whole number
 */
export const addTraffic = (table: string, from: string, member: (place: number, isText: boolean) => string): string =>
  `INSERT INTO ${table} AS t (${COLUMNS.join(", ")})
   SELECT ${COLUMNS.map((column, place) => member(place, isText(column))).join(", ")} FROM ${from} WHERE true
   ON CONFLICT (${DIMENSIONS.join(", ")})
   DO UPDATE SET ${AMOUNTS.map((column) => `${column} = t.${column} + excluded.${column}`).join(", ")}`

/** The same for SQLite, whose one parameter is the JSON text. */
export const sqliteAddTraffic = (table: Table): string =>
  addTraffic(table, "json_each(?1)", (place) => `value ->> ${place}`)

/**
 * The first whole day of a query and the day after its last one, as hours. Rows that keep hours apart are of no day.
 */
const wholeDays = ({ by, since, until }: TrafficQuery): readonly [from: number, until: number] => {
  const from = Math.ceil(since / DAY) * DAY
  const end = Math.floor(until / DAY) * DAY
  return by.includes("hour") || from >= end ? [until, until] : [from, end]
}

/** The parameters of {@link selectTraffic}. */
export const trafficParameters = (
  query: TrafficQuery
): [since: number, daysFrom: number, daysUntil: number, until: number, account: string | null] => [
  query.since,
  ...wholeDays(query),
  query.until,
  query.account
]

/** The sums of a query, each as one JSON list that {@link decodeTraffic} reads. */
export const selectTraffic = (
  by: TrafficQuery["by"],
  {
    account,
    list,
    parameter,
    prefix = "",
    sum
  }: {
    /** How a list is made. */
    readonly list: string
    readonly parameter: (n: number) => string
    readonly sum: (column: string) => string
    /** The fifth parameter with its type. */
    readonly account: string
    /** Of the names of tables. */
    readonly prefix?: string
  }
): string => {
  const apart = DIMENSIONS.filter((dimension) => by.includes(dimension))
  const grouped =
    apart.length === 0 ? "HAVING count(*) > 0" : `GROUP BY ${apart.join(", ")} ORDER BY ${apart.join(", ")}`
  const columns = [...apart, ...AMOUNTS].join(", ")
  const part = (table: Table, from: number) =>
    `SELECT ${columns} FROM ${prefix}${table}
     WHERE hour >= ${parameter(from)} AND hour < ${parameter(from + 1)} AND (${account} IS NULL OR account = ${account})`
  return `SELECT ${list}(${[...apart, ...AMOUNTS.map(sum)].join(", ")}) AS sums
    FROM (${part("traffic", 1)} UNION ALL ${part("traffic_days", 2)} UNION ALL ${part("traffic", 3)}) AS t ${grouped}`
}

/** The same for SQLite. */
export const sqliteSelectTraffic = (by: TrafficQuery["by"]): string =>
  selectTraffic(by, {
    list: "json_array",
    parameter: (n) => `?${n}`,
    sum: (column) => `sum(${column})`,
    account: "?5"
  })

/** Deletes rows before the first hour that is kept; a day goes once all of its hours have. */
export const deleteTraffic = (table: Table, parameter: string, prefix = ""): string =>
  `DELETE FROM ${prefix}${table} WHERE hour < ${parameter}${table === "traffic_days" ? ` - ${DAY - 1}` : ""}`

/** A list of {@link selectTraffic} with its names. */
export const decodeTraffic =
  (by: TrafficQuery["by"]) =>
  (sums: ReadonlyArray<never>): TrafficSum => {
    const apart = DIMENSIONS.filter((dimension) => by.includes(dimension))
    const key: Partial<TrafficKey> = Object.fromEntries(apart.map((dimension, place) => [dimension, sums[place]]))
    return { key, amounts: sums.slice(apart.length) }
  }
