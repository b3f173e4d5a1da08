/**
 * Backups of a database while a server works on it. A backup is a database itself, in a single file.
 */
import { StoreError } from "@watchword/store/StoreError"
import type { Database } from "better-sqlite3"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import * as Copy from "./Copy.ts"
import * as Files from "./Files.ts"

export interface Options {
  /** The database file. */
  readonly filename: string
  /** The file of the backup. Its folder must exist. */
  readonly to: string
  /** Whether a file of that name may be replaced, which must be a SQLite database, or empty: false unless given. */
  readonly overwrite?: boolean
  /** Called as the backup grows. */
  readonly onProgress?: ((progress: Copy.Progress) => void) | undefined
}

export interface Backup {
  /** Its absolute name. */
  readonly file: string
  readonly bytes: number
  /** Milliseconds since the epoch: all that was answered before is in the backup. */
  readonly at: number
}

/**
 * Writes a backup of one moment, which is there whole and checked by SQLite, or not at all. No step waits for it. The
 * event loop is free between 4 MB of the copy, and not during the check: a busy server has this done by another
 * process.
 */
export const backup = Effect.fnUntraced(function* ({ filename, onProgress, overwrite = false, to }: Options) {
  const file = resolve(to)
  const refusal = yield* Copy.attempt(() => refusalOf(filename, file, overwrite), `${file} could not be written`)
  if (refusal !== null) return yield* new StoreError({ reason: "Unavailable", message: refusal })
  const at = yield* Clock.currentTimeMillis
  const finish = (copy: Database): void => void copy.prepare(WRITE).run(JSON.stringify({ at }))
  const { draft } = yield* Copy.make({ from: filename, to: file, finish, onProgress })
  yield* Copy.attempt(() => Files.publish(draft, file, overwrite), `${file} could not be written`)
  return { file, bytes: statSync(file).size, at } satisfies Backup
}, Effect.scoped)

const refusalOf = (filename: string, file: string, overwrite: boolean): string | null => {
  if (filename === ":memory:") return "A database in memory has no backup: nothing of it outlives the process."
  const own = ["", "-server", ...Files.BESIDE].map((ending) => `${Files.target(filename)}${ending}`)
  if (own.some((each) => Files.isSame(each, file))) {
    return `The file ${file} belongs to the database itself: a backup needs a name of its own.`
  }
  if (!overwrite) return existsSync(file) ? `There is a file ${file} already, which only --overwrite replaces.` : null
  return Files.mayBeDatabase(file) ? null : `The file ${file} is no SQLite database: overwrite replaces backups only.`
}

// A setting of the installation, which no other program looks for.
const WRITE = "INSERT OR REPLACE INTO settings (account, name, value) VALUES (0, 'backup', ?)"
const TAKE = "DELETE FROM settings WHERE account = 0 AND name = 'backup' RETURNING value ->> '$.at'"

/** Takes the time of a backup out of it; null if the database is not a backup. */
export const takeTime = (db: Database): number | null => {
  const at = db.prepare<[], unknown>(TAKE).pluck().get()
  return typeof at === "number" ? at : null
}
