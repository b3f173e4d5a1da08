/**
 * Notices that a database file, or its log, was deleted or replaced: SQLite continues with the files that it has open,
 * and loses everything that it writes there when the process ends.
 */
import type { Database } from "better-sqlite3"
import { statSync } from "node:fs"
import { resolve } from "node:path"

/** Whether the files on disk are still the files that the connection has open. */
export type FileIdentity = () => boolean

/** For a connection in WAL mode that has already read, and therefore has a log. */
export const make = (db: Database): FileIdentity => {
  if (db.memory) return () => true
  const file = resolve(db.name)
  const files = [file, `${file}-wal`].map((path) => ({ path, identity: identityOf(path) }))
  return () => files.every(({ identity, path }) => identityOf(path) === identity)
}

const identityOf = (path: string): string | null => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`
}
