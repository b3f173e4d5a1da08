/**
 * Backups and restores of the database that the settings name.
 */
import { revokeAll } from "@watchword/operator/identity"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Audit from "@watchword/operator/Audit"
import type { NotFound } from "@watchword/schemas/Errors"
import { sum, toEuros, zero } from "@watchword/schemas/Money"
import * as Settings from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import type { SqliteStore } from "@watchword/store-sqlite"
import { Pending } from "@watchword/verify/operator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { resolve } from "node:path"
import * as Secret from "./Secret.ts"
import type { Database } from "./settings/DatabaseSettings.ts"
import * as Storage from "./Storage.ts"

type Progress = (progress: SqliteStore.Progress) => void

/**
 * Writes a backup of a SQLite database to a file. The place of the secret stays free, also while no secret is there.
 */
export const backup = Effect.fnUntraced(function* (
  database: Database,
  to: string,
  overwrite: boolean,
  onProgress: Progress
) {
  const { filename, sqlite } = yield* fileOf(database)
  if (resolve(to) === resolve(Secret.fileBeside(filename))) {
    return yield* unavailable(`The file ${to} is the secret of the installation: a backup needs a name of its own.`)
  }
  return yield* sqlite.backup({ filename, to, overwrite, onProgress })
})

/** A restored database: the sessions and leases that it ended, the open records, and whether its rules hold. */
export interface Restored {
  readonly verificationsEnded: number
  /** Tokens and links of operators that were ended: including the access of people who have left since the backup. */
  readonly operatorsEnded: number
  /** Sends whose outcome is open, each counted up to 10,000, and the money that they hold, in EUR. */
  readonly open: { readonly pending: number; readonly unknown: number; readonly held: number }
  readonly audit: Audit.Report
}

export interface Installed extends Restored {
  /** The database that was restored. */
  readonly database: string
  /** The time of the backup in milliseconds since the epoch; null if it says none. */
  readonly at: number | null
  /** The name of the previous database; null if there was no database, or nothing was replaced. */
  readonly kept: string | null
  /** Returns `false` if rules are broken, and the database was left as it is. */
  readonly replaced: boolean
}

/**
 * Puts a backup instead of the SQLite database.
 *
 * @param anyway although a rule is broken in the backup
 */
export const restore = Effect.fnUntraced(function* (
  database: Database,
  from: string,
  anyway: boolean,
  onProgress: Progress
) {
  const { filename, sqlite } = yield* fileOf(database)
  const { at, draft, install } = yield* sqlite.restore({ filename, from, onProgress })
  const restored = yield* finish({ _tag: "Sqlite", file: draft })
  const replaced = restored.audit.ok || anyway
  const kept = replaced ? yield* install : null
  return { ...restored, database: filename, at, kept, replaced } satisfies Installed
}, Effect.scoped)

/** Finishes a restore that other tools have made: ends what must not continue, and audits. */
export const finish = (database: Database): Effect.Effect<Restored, NotFound | StoreError> =>
  Effect.gen(function* () {
    const verificationsEnded = yield* Pending.expireAll
    const operatorsEnded = yield* revokeAll
    const open = yield* openSends
    return { verificationsEnded, operatorsEnded, open, audit: yield* Audit.audit }
  }).pipe(Effect.provide(Layer.fresh(stored(database))))

const stored = (database: Database) =>
  Layer.provideMerge(Settings.layer, Layer.provideMerge(Storage.snapshots(database), Storage.layer(database))).pipe(
    Layer.provideMerge(ChannelRegistry.layerBuiltIn)
  )

const MOST = 10_000

const openSends = Effect.gen(function* () {
  const store = yield* Store
  const count = (phase: "pending" | "unknown") =>
    Effect.map(
      store.unresolved({ phase, createdBefore: Number.MAX_SAFE_INTEGER, abandoned: false, limit: MOST }),
      ({ length }) => length
    )
  const accounts = yield* store.accounts
  const held = accounts.reduce((total, { balance }) => sum(total, balance.held), zero)
  return { pending: yield* count("pending"), unknown: yield* count("unknown"), held: toEuros(held) }
})

const fileOf = Effect.fnUntraced(function* (database: Database) {
  if (database._tag === "Postgres") return yield* unavailable(POSTGRES)
  const { SqliteStore: sqlite } = yield* Effect.promise(() => import("@watchword/store-sqlite"))
  return { filename: database.file, sqlite }
})

const unavailable = (message: string) => new StoreError({ reason: "Unavailable", message })

const POSTGRES =
  "DATABASE_URL is a PostgreSQL database. Use PostgreSQL's own tools: pg_dump and pg_restore, or base backups with " +
  "WAL archiving; after a restore, run watchword restore --finish. See docs/operators/backups.md."
