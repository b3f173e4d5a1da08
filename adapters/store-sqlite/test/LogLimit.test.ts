import Sqlite from "better-sqlite3"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import * as LogLimit from "../src/LogLimit.ts"
import { temporaryFile } from "./fixtures.ts"

const MEGABYTE = 1024 * 1024

/** How often the log has begun again, by the checkpoint sequence number in its header. */
const beginningsOf = (filename: string): number => readFileSync(`${filename}-wal`).readUInt32BE(12)

/** A file whose log grows without end, as it does while a reader always needs it. */
const growing = (filename: string) => {
  const db = new Sqlite(filename)
  db.pragma("journal_mode = WAL")
  db.pragma("wal_autocheckpoint = 0")
  db.exec("CREATE TABLE texts (text BLOB)")
  const insert = db.prepare("INSERT INTO texts VALUES (zeroblob(?))")
  return { db, grow: (size: number) => void insert.run(size) }
}

it("begins a long log anew, and leaves a short one as it is", () => {
  const filename = temporaryFile()
  const { db, grow } = growing(filename)
  const limit = LogLimit.make(filename)
  const first = beginningsOf(filename)
  grow(40 * MEGABYTE)
  limit()
  grow(40 * MEGABYTE)
  expect(beginningsOf(filename)).toBe(first)
  limit()
  grow(1)
  expect(beginningsOf(filename)).toBe(first + 1)
  expect(db.prepare("SELECT count(*) FROM texts").pluck().get()).toBe(3)
  db.close()
})

it("waits a moment at most for a reader that still needs the log", () => {
  const filename = temporaryFile()
  const { db, grow } = growing(filename)
  const reader = new Sqlite(filename, { readonly: true })
  const limit = LogLimit.make(filename)
  reader.exec("BEGIN")
  reader.prepare("SELECT count(*) FROM texts").get()
  const first = beginningsOf(filename)
  grow(80 * MEGABYTE)
  limit()
  reader.exec("COMMIT")
  limit()
  grow(1)
  expect(beginningsOf(filename)).toBe(first + 1)
  reader.close()
  db.close()
})
