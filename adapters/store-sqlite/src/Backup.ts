/**
 * Backups of a database while a server is using it. A backup is itself a database, in a single file.
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
  /** Whether an existing file may be replaced; it must be a SQLite database or empty. Defaults to false. */
  readonly overwrite?: boolean
  /** Called as the backup grows. */
  readonly onProgress?: ((progress: Copy.Progress) => void) | undefined
}

export interface Backup {
  /** The absolute path. */
  readonly file: string
  readonly bytes: number
  /** Milliseconds since the epoch: everything that was answered before this time is in the backup. */
  readonly at: number
}

/**
 * Writes a backup of one moment, which is complete and checked by SQLite, or absent. No step waits for it. The event
 * loop is free after every 4 MB of the copy, but blocked during the check: a busy server leaves backups to another
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

// An installation setting that no other program looks for.
const WRITE = "INSERT OR REPLACE INTO settings (account, name, value) VALUES (0, 'backup', ?)"
const TAKE = "DELETE FROM settings WHERE account = 0 AND name = 'backup' RETURNING value ->> '$.at'"

/** Removes the time of a backup from it and returns it; null if the database is not a backup. */
export const takeTime = (db: Database): number | null => {
  const at = db.prepare<[], unknown>(TAKE).pluck().get()
  return typeof at === "number" ? at : null
}
