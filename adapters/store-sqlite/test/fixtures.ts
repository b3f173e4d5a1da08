import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** The name of a file that is gone when the test is over. */
export const temporaryFile = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "store-sqlite-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, "watchword.db")
}
