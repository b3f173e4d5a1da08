/**
 * What is in the database. Each of {@link migrations} brings it from one version to the next; steps that have
 * been released are never edited.
 */
import { batch } from "./sql/batch.ts"
import { opensWithClose } from "./sql/opens.ts"
import { steps } from "./sql/steps.ts"
import { tables } from "./sql/tables.ts"

/** Writes SQL for a schema, whose name is quoted already. */
type Migration = (schema: string) => string

const first: Migration = (s) => tables(s) + steps(s) + batch(s)

export const migrations: ReadonlyArray<Migration> = [first, opensWithClose]
