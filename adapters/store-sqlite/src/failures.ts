/**
 * What may go wrong between the store and its file, and what that means for a step.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite from "better-sqlite3"

const codeOf = (error: unknown): string | null => (error instanceof Sqlite.SqliteError ? error.code : null)

/** Another connection holds the lock that is needed. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? "")

// What the disk, the file system or the operator can cause. Anything else is a mistake of this program.
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

/** The error for a failure that circumstances caused, or null for a mistake of this program. */
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
 * The error for a commit that failed. After a failed write to the log nothing is certain: what was written
 * before the failure may be found again after a crash.
 */
export const toCommitError = (error: unknown): StoreError | null =>
  toStoreError(error, codeOf(error)?.startsWith("SQLITE_IOERR") ? "Unknown" : "Unavailable")

/**
 * The error for a log that could not be brought to the disk. The system may have dropped what it could not write, so
 * that trying again proves nothing: only the file, opened anew, says what was kept.
 */
export const toSyncError = (error: Error, reason: StoreError["reason"]): StoreError => {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name
  return new StoreError({
    reason,
    message: `The database did not answer: the disk did not take the log (${code}). Start the process again.`
  })
}

export const closedError = () => new StoreError({ reason: "Unavailable", message: "The database is closed." })
