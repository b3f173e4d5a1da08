/**
 * The contents of a schema, and the migrations that lead to them.
 */
import type * as Migrator from "@watchword/store/Migrator"
import { createTrafficTables } from "@watchword/store/sql"
import { batch } from "./sql/batch.ts"
import { closeAll } from "./sql/closes.ts"
import { counters } from "./sql/counters.ts"
import { engine } from "./sql/engine.ts"
import { events, takeEvents } from "./sql/events.ts"
import { openAll } from "./sql/opens.ts"
import { reportAll } from "./sql/reports.ts"
import { retention } from "./sql/retention.ts"
import { tables } from "./sql/tables.ts"
import { upkeep } from "./sql/upkeep.ts"

/** Brings a schema from one version to the next. SQL is written for the name of a schema, quoted already. */
export type Migration = InTransaction | Indexes

/** Statements that run in one transaction. What they lock for long stops sends, so they change definitions, not rows. */
export interface InTransaction extends Migrator.Migration {
  readonly _tag: "InTransaction"
  readonly sql: (schema: string) => string
}

/** Indexes that are built without a lock on their table, one after the other. One that was left unfinished is built anew. */
export interface Indexes extends Migrator.Migration {
  readonly _tag: "Indexes"
  readonly indexes: ReadonlyArray<{
    /** Lower-case, not quoted. */
    readonly name: string
    /** What follows the table's name in `CREATE INDEX name ON table`. */
    readonly table: string
    readonly definition: string
  }>
}

const contents = (s: string): string =>
  [tables, upkeep, counters, events, engine, openAll, closeAll, reportAll, batch, retention]
    .map((part) => part(s))
    .join("")

/**
 * The roll-up of traffic with answers of steps that say how a record was before them, which programs from before pass over, and
 * the operators' log with an erasure that knows it.
 */
const trafficAndLog = (s: string): string =>
  [
    ...createTrafficTables({ integer: "bigint", text: 'text COLLATE "C"' }, `${s}.`).map((sql) => `${sql};\n`),
    log(s),
    ...[closeAll, reportAll, retention].map((part) =>
      part(s).replaceAll("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    )
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

/** A take with the bounds of endpoints. */
const boundsOfEndpoints = (s: string): string => takeEvents(s).replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")

export const migrations: ReadonlyArray<Migration> = [
  { _tag: "InTransaction", name: "tables", sql: contents },
  { _tag: "InTransaction", name: "traffic and log", sql: trafficAndLog },
  { _tag: "InTransaction", name: "bounds of endpoints", sql: boundsOfEndpoints }
]
