/**
 * The contents of a schema, and the migrations that create them.
 */
import type * as Migrator from "@watchword/store/Migrator"
import { createRefused, createTrafficTables } from "@watchword/store/sql"
import { counters } from "./sql/counters.ts"
import { engine } from "./sql/engine.ts"
import { appendEvents, events, takeEvents } from "./sql/events.ts"
import { retention } from "./sql/retention.ts"
import { tables } from "./sql/tables.ts"
import { upkeep } from "./sql/upkeep.ts"

/** Brings a schema from one version to the next. Statements are functions of the schema's quoted name. */
export type Migration = InTransaction | Indexes

/**
 * Statements that run in one transaction. A long lock would stop sends, so they change definitions, not rows.
 */
export interface InTransaction extends Migrator.Migration {
  readonly _tag: "InTransaction"
  readonly sql: (schema: string) => string
}

/** Indexes that are built without a lock on their table, one after the other. An unfinished index is built again. */
export interface Indexes extends Migrator.Migration {
  readonly _tag: "Indexes"
  readonly indexes: ReadonlyArray<{
    /** Lower-case, not quoted. */
    readonly name: string
    /** The part after the table's name in `CREATE INDEX name ON table`. */
    readonly table: string
    readonly definition: string
  }>
}

const contents = (s: string): string =>
  [tables, upkeep, counters, events, engine, retention].map((part) => part(s)).join("")

/** The traffic roll-up, and the operators' log with an erasure that covers it. */
const trafficAndLog = (s: string): string =>
  [
    ...createTrafficTables({ integer: "bigint", text: 'text COLLATE "C"' }, `${s}.`).map((sql) => `${sql};\n`),
    log(s),
    replacing(retention(s))
  ].join("")

const log = (s: string): string => `
CREATE TABLE ${s}.operator_log (
  id text COLLATE "C" PRIMARY KEY,
  who text NOT NULL,
  face text NOT NULL,
  command text NOT NULL,
  input text NOT NULL,
  outcome text,
  output text
);
`

/** Replaces the function that takes events with a version that has bounds for individual endpoints. */
const boundsOfEndpoints = (s: string): string => replacing(takeEvents(s))

/** Drops the functions that decided plain steps in the database, so that only the step engine's transaction remains. */
const oneEngine = (s: string): string => `
DROP FUNCTION IF EXISTS ${s}.steps, ${s}.open_all, ${s}.close_all, ${s}.report_all, ${s}.check_named, ${s}.facts(json);
${replacing(appendEvents(s) + engine(s))}`

const replacing = (functions: string): string => functions.replaceAll("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")

const refusedRequests = (s: string): string =>
  createRefused(
    "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    { id: 'text COLLATE "C"', integer: "integer" },
    `${s}.`
  )
    .map((sql) => `${sql};\n`)
    .join("")

export const migrations: ReadonlyArray<Migration> = [
  { _tag: "InTransaction", name: "tables", sql: contents },
  { _tag: "InTransaction", name: "traffic and log", sql: trafficAndLog },
  { _tag: "InTransaction", name: "bounds of endpoints", sql: boundsOfEndpoints },
  { _tag: "InTransaction", name: "one engine", sql: oneEngine, floor: 4 },
  { _tag: "InTransaction", name: "refused requests", sql: refusedRequests }
]
