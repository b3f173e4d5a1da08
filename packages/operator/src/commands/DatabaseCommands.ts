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
  "Check every rule about money and messages on the database, even while a server uses it",
  "it reads a snapshot of the whole database"
)

export const backup = on(
  "backup",
  "Write a backup of the SQLite database to a file, even while a server uses it",
  "it writes a copy of the whole database to a file on the database's machine"
)

export const migrate = on(
  "migrate",
  "Migrate the database to this program's version while older servers use it",
  "a service starts only on a migrated database"
)

export const move = on(
  "move",
  "Move an account to another cell's PostgreSQL; run it again if it was interrupted",
  "it needs the databases of two cells"
)

export const restore = on(
  "restore",
  "Replace the SQLite database with a backup, while no server uses it",
  "no service may use the database while it runs"
)

export const databaseCommands: ReadonlyArray<DatabaseCommand> = [audit, backup, migrate, move, restore]
