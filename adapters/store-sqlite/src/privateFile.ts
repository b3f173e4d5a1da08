import { closeSync, openSync } from "node:fs"

/** Creates a new file for this user only, because it will contain phone numbers. SQLite gives its log the same mode. */
export const createPrivate = (filename: string): void => {
  try {
    closeSync(openSync(filename, "ax", 0o600))
  } catch {
    // The file exists, and its owner has chosen its mode; or it cannot be created, and SQLite's error says why.
  }
}
