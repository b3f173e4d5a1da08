/**
 * Folders for what tests write, each removed with everything in it.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest"

export interface Folder {
  readonly path: () => string
  /** The path of a file in it. */
  readonly file: (name: string) => string
}

/** A folder for all tests of a file or of a `describe`. */
export const folderForAll = (): Folder => folder(beforeAll, afterAll)

/** A folder for each test. */
export const folderForEach = (): Folder => folder(beforeEach, afterEach)

type Hook = (run: () => Promise<void>) => void

const folder = (before: Hook, after: Hook): Folder => {
  let path = ""
  before(async () => {
    path = await mkdtemp(join(tmpdir(), "watchword-"))
  })
  after(() => rm(path, { recursive: true }))
  return { path: () => path, file: (name) => join(path, name) }
}
