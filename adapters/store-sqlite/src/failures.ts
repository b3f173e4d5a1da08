/**
 * Errors of SQLite and of the disk as errors of the store.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite from "better-sqlite3"

const codeOf = (error: unknown): string | null => (error instanceof Sqlite.SqliteError ? error.code : null)

/** Another connection holds the lock that is needed. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? "")

/** The file is no database any more. */
export const isDamaged = (error: unknown): boolean => /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error) ?? "")

// Errors that the disk, the file system or the operator can cause. Any other is a mistake of this program.
const CIRCUMSTANCES =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PERM|AUTH|NOMEM|PROTOCOL|INTERRUPT|NOLFS)/

const words: { readonly [code: string]: string } = {
  SQLITE_BUSY: "another process keeps the database locked",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR: "reading or writing the file failed",
  SQLITE_CORRUPT: "the file is damaged",
  SQLITE_NOTADB: "the file is not a database",
  SQLITE_CANTOPEN: "the file cannot be opened",
  SQLITE_READONLY: "the file may not be written"
}

/** The error of a failure from outside, or null for a mistake of this program. */
export const toStoreError = (
  error: unknown,
  reason: StoreError["reason"] = "Unavailable",
  doing = "The database did not answer"
): StoreError | null => {
  const code = codeOf(error)
  if (code === null || !CIRCUMSTANCES.test(code)) return null
  const [primary = code] = /^SQLITE_[A-Z]+/.exec(code) ?? []
  return new StoreError({ reason, message: `${doing}: ${words[primary] ?? "SQLite failed"} (${code}).` })
}

/**
 * The error of a commit that failed. After a failed write to the log nothing is certain: the frames before it may be
 * found again after a crash.
 */
export const toCommitError = (error: unknown): StoreError | null =>
  toStoreError(error, codeOf(error)?.startsWith("SQLITE_IOERR") ? "Unknown" : "Unavailable")

/**
 * The error of a log that could not be synced. The system may have dropped the pages that it could not write, so that a
 * second try proves nothing: only the file, opened again, says what was kept.
 */
export const toSyncError = (error: Error, reason: StoreError["reason"]): StoreError => {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name
  return new StoreError({
    reason,
    message: `The database did not answer: the disk did not take the log (${code}). Start the process again.`
  })
}

/** The error of a file that the store works on, but that another process or a restart would not find. */
export const replacedError = (filename: string, reason: StoreError["reason"]) =>
  new StoreError({ reason, message: `The file ${filename} was deleted or replaced. Start the process again.` })

export const overloadedError = () =>
  new StoreError({ reason: "Unavailable", message: "Too many steps wait for the database." })

export const closedError = () => new StoreError({ reason: "Unavailable", message: "The database is closed." })
