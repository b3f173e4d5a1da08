/**
 * The contents of the database. Each of {@link migrations} brings a schema from one version to the next; one that has
 * been released is never edited.
 */
import { batch } from "./sql/batch.ts"
import { closeAll } from "./sql/closes.ts"
import { counters } from "./sql/counters.ts"
import { engine } from "./sql/engine.ts"
import { events } from "./sql/events.ts"
import { openAll } from "./sql/opens.ts"
import { reportAll } from "./sql/reports.ts"
import { tables } from "./sql/tables.ts"
import { upkeep } from "./sql/upkeep.ts"

/** Writes SQL for a schema, whose name is quoted already. */
type Migration = (schema: string) => string

const first: Migration = (s) =>
  [tables, upkeep, counters, events, engine, openAll, closeAll, reportAll, batch].map((part) => part(s)).join("")

export const migrations: ReadonlyArray<Migration> = [first]
