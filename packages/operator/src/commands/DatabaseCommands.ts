/**
 * The commands of the command line that work on the database itself: its files, its tables and its servers. They run
 * where the database is, also while no service does, and their programs are in `@watchword/standalone`.
 */
import type { Placed } from "../command/Faces.ts"

export interface DatabaseCommand extends Placed {
  readonly name: readonly [string]
  readonly description: string
}

const on = (name: string, description: string, why: string): DatabaseCommand => ({
  name: [name],
  description,
  absent: { http: why, program: why }
})

export const audit = on(
  "audit",
  "Check every rule of money and messages on the database, also while a server works on it",
  "it reads a snapshot of the whole database"
)

export const backup = on(
  "backup",
  "Write a backup of the SQLite database to a file, also while a server works on it",
  "it writes a file beside the database, with all that is in there"
)

export const migrate = on(
  "migrate",
  "Bring the database to the version of this program, while older servers work on it",
  "a service starts on a database that has been migrated"
)

export const move = on(
  "move",
  "Move an account to the PostgreSQL of another cell; run it again where it was ended",
  "it works on the databases of two cells"
)

export const restore = on(
  "restore",
  "Put a backup in the place of the SQLite database, while no server works on it",
  "no service may work on the database meanwhile"
)

export const databaseCommands: ReadonlyArray<DatabaseCommand> = [audit, backup, migrate, move, restore]
