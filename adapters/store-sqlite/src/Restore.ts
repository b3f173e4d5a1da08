/**
 * Restores a backup to replace a database that no process has open. The previous files are kept.
 *
 * A log that is left next to a different database file destroys that file when it is next opened. So the old database
 * is closed first, with its log written back; its lock is held while the names change, and a process that opens it
 * meanwhile waits and then finds the new file. `link` and `rename` leave no moment without a database.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { chmodSync, chownSync, existsSync, renameSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as Backup from "./Backup.ts"
import * as Copy from "./Copy.ts"
import { isBusy, isDamaged } from "./failures.ts"
import * as Files from "./Files.ts"
import { statusOf } from "./migrate.ts"
import * as ServerLock from "./ServerLock.ts"

export interface Options {
  /** The database file, which need not exist. */
  readonly filename: string
  /** The backup, or any other database file of a store. It is not changed. */
  readonly from: string
  /** Called as the copy grows. */
  readonly onProgress?: ((progress: Copy.Progress) => void) | undefined
}

/** A restore that changes nothing until it is installed. */
export interface Restore {
  /**
   * A copy of the backup, on which a store can be opened before it is installed. It is removed with the scope
   * otherwise.
   */
  readonly draft: string
  /** The time of the backup in milliseconds since the epoch; null for a file that `backup` did not make. */
  readonly at: number | null
  /** Replaces the database with the draft; returns the old database's new name, or null if there was no database. */
  readonly install: Effect.Effect<string | null, StoreError>
}

/**
 * Copies a backup next to the database that it will replace, and checks it. No server can start on the database until
 * the scope closes; fails if a server is using it.
 *
 * A restored service should not continue its pending verifications, whose codes may have been used since: before
 * `install`, open a store on the draft and run `expireAll` of `@watchword/verify/operator`.
 *
 * @example
 * ```ts
 * import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
 * import { SqliteStore } from "@watchword/store-sqlite"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const restored = Effect.gen(function* () {
 *   const store = Layer.provide(SqliteStore.sqlite("app.db"), ChannelRegistry.layerBuiltIn)
 *   yield* Effect.provide(Effect.void, store)
 *   const { file } = yield* SqliteStore.backup({ filename: "app.db", to: "app-backup.db", overwrite: true })
 *   const { install } = yield* SqliteStore.restore({ filename: "app.db", from: file })
 *   return yield* install
 * })
 * console.log(await Effect.runPromise(Effect.scoped(restored))) // …/app.db.before-…
 * ```
 */
export const restore = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Restore, StoreError, Scope> {
  const { from, onProgress } = options
  if (options.filename === ":memory:") return yield* unavailable("A database in memory cannot be restored.")
  const filename = resolve(yield* Copy.attempt(() => Files.target(options.filename), "The database could not be found"))
  if (!existsSync(dirname(filename))) return yield* unavailable(`The folder of ${filename} does not exist.`)
  if (Files.isSame(from, filename)) return yield* unavailable(`The file ${from} is the database itself.`)
  yield* ServerLock.hold(filename)
  const { draft, finished: at } = yield* Copy.make({ from, to: filename, finish: Backup.takeTime, onProgress })
  return { draft, at, install: Effect.scoped(install(draft, filename)) }
})

const install = Effect.fnUntraced(function* (draft: string, filename: string) {
  const now = new Date(yield* Clock.currentTimeMillis)
  const kept = `${filename}.before-${now.toISOString().replaceAll(/[:.]/g, "-")}`
  if (existsSync(filename)) {
    yield* closed(filename)
    const heirs = [draft, `${filename}-server`]
    yield* Copy.attempt(() => inherit(filename, heirs), `${draft} could not be given to the user of the server`)
  }
  return yield* Copy.attempt(() => swap(draft, filename, kept), `The database ${filename} could not be replaced`)
})

/** Closes the old database to all: no process has it open, it has no log, and others wait until the scope closes. */
const closed = (filename: string): Effect.Effect<Database | null, StoreError, Scope> =>
  Effect.acquireRelease(
    Copy.attempt(() => exclusive(filename), `The database ${filename} could not be replaced`),
    (db) => Effect.sync(() => db?.close())
  )

/** Null if the file is too damaged to be opened. */
const exclusive = (filename: string): Database | null => {
  const db = new Sqlite(filename, { timeout: 0 })
  try {
    // Throws if the file belongs to another program.
    statusOf(db)
    db.pragma("journal_mode = DELETE")
    db.exec("BEGIN EXCLUSIVE")
    return db
  } catch (error) {
    db.close()
    if (isDamaged(error)) return null
    throw isBusy(error) ? unavailable(`Another process has the database ${filename} open: end it first.`) : error
  }
}

/** Gives files the mode of another file and, if the operator is root, its owner. */
const inherit = (from: string, files: ReadonlyArray<string>): void => {
  const { gid, mode, uid } = statSync(from)
  for (const file of files) {
    chmodSync(file, mode)
    if (process.getuid?.() === 0) chownSync(file, uid, gid)
  }
}

const swap = (draft: string, filename: string, kept: string): string | null => {
  const hasOld = existsSync(filename)
  const beside = Files.BESIDE.filter((ending) => existsSync(`${filename}${ending}`))
  for (const ending of beside) renameSync(`${filename}${ending}`, `${kept}${ending}`)
  if (hasOld) Files.alias(filename, kept)
  Files.publish(draft, filename, true)
  return hasOld ? kept : null
}

const unavailable = (message: string) => new StoreError({ reason: "Unavailable", message })
