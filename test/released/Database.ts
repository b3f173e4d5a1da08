/**
 * A kind of database whose releases are kept as SQL.
 */
import type { Snapshots } from "@watchword/store/Snapshots"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type * as Layer from "effect/Layer"

/** A database that is removed when its test or program ends. */
export interface Database {
  /** Runs statements. */
  readonly load: (sql: string) => Promise<void>
  /** The rows of all tables as statements, except the records of migrations. */
  readonly dump: () => Promise<string>
  /** Adds a column to every table, as an expanding migration may. */
  readonly expand: () => Promise<void>
  readonly store: Layer.Layer<Store, StoreError>
  /** Null if a database cannot be audited. */
  readonly snapshots: Layer.Layer<Snapshots, StoreError> | null
  readonly close: () => Promise<void>
}

export interface Kind {
  /** The folder with a subfolder for each release. */
  readonly folder: URL
  /** Creates a database without tables. */
  readonly open: () => Promise<Database>
  /** Whether its connections cache statement plans, which an expansion could break. */
  readonly keepsPlans: boolean
  /** The statements of the first migrations; of all migrations unless a number is given. */
  readonly schema: (migrations?: number) => string
}

/** A value of a row as SQL. */
export const literal = (value: unknown): string => {
  if (value === null) return "NULL"
  if (typeof value === "number") return String(value)
  if (typeof value === "string" && !value.includes("\n")) return `'${value.replaceAll("'", "''")}'`
  throw new TypeError(`a column has a value that is not dumped, of the type ${typeof value}`)
}

/** The statement that inserts rows into a table of SQLite, one row per line; empty if there are no rows. */
export const inserts = (
  table: string,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReadonlyArray<string> => {
  const [first] = rows
  if (first === undefined) return []
  const values = rows.map((row) => `(${Object.values(row).map(literal).join(", ")})`)
  return [`INSERT INTO ${table} (${Object.keys(first).join(", ")}) VALUES\n${values.join(",\n")};`]
}
