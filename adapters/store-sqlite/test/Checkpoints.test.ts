import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterEach, describe, expect, it } from "vitest"
import * as Checkpoints from "../src/Checkpoints.ts"
import { restartsOf, temporaryFile } from "./fixtures.ts"

const MEGABYTE = 1024 * 1024

/** The commits of a file, which note the holds of its checkpoints. */
const commitsOf = (filename: string) => {
  const db = new Sqlite(filename)
  db.pragma("journal_mode = WAL")
  db.exec("CREATE TABLE texts (text BLOB)")
  const insert = db.prepare("INSERT INTO texts VALUES (zeroblob(?))")
  const events: Array<"hold" | "release"> = []
  const scope = Effect.runSync(Scope.make())
  const checkpoints = Effect.runSync(
    Effect.provideService(
      Checkpoints.make(db, { hold: () => void events.push("hold"), release: () => void events.push("release") }),
      Scope.Scope,
      scope
    )
  )
  /** Commits so many megabytes, in transactions of a 32nd. */
  const write = (megabytes: number): void => {
    for (let n = 0; n < megabytes * 32; n++) {
      insert.run(MEGABYTE / 32)
      checkpoints.committed()
    }
  }
  const close = async (): Promise<void> => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    db.close()
  }
  closing.push(close)
  return { close, db, events, write }
}

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The bytes of the log that are not in the file. */
const notCopied = (db: Database): number => {
  const [, length, written] = db
    .prepare<[], readonly [number, number, number]>("PRAGMA wal_checkpoint(NOOP)")
    .raw()
    .get() ?? [0, Infinity, 0]
  return length - written
}

describe("a long log", () => {
  it("is copied in a thread while commits continue, and starts again after they have waited for the rest", async () => {
    const filename = temporaryFile()
    const { db, events, write } = commitsOf(filename)
    const first = restartsOf(filename)
    for (const restarts of [1, 2]) {
      write(33)
      expect(notCopied(db)).toBeGreaterThan(0)
      await expect.poll(() => notCopied(db), { timeout: 10_000 }).toBe(0)
      await expect.poll(() => events.at(-1), { timeout: 10_000 }).toBe("release")
      write(1)
      expect(restartsOf(filename)).toBe(first + restarts)
    }
    expect(events.slice(0, 2)).toEqual(["hold", "release"])
    expect(db.prepare("SELECT count(*) FROM texts").pluck().get()).toBe(68 * 32)
  })

  it("is left as it is while a reader needs it, and grows without a hold in between", async () => {
    const filename = temporaryFile()
    const { db, events, write } = commitsOf(filename)
    const first = restartsOf(filename)
    write(1)
    const reader = new Sqlite(filename, { readonly: true })
    reader.exec("BEGIN")
    reader.prepare("SELECT count(*) FROM texts").get()
    write(33)
    await expect.poll(() => notCopied(db), { timeout: 10_000 }).toBeLessThan(33 * 512)
    write(66)
    expect(restartsOf(filename)).toBe(first)
    reader.exec("COMMIT")
    reader.close()
    write(66)
    await expect.poll(() => events.at(-1), { timeout: 10_000 }).toBe("release")
    write(1)
    expect(restartsOf(filename)).toBeGreaterThan(first)
  })

  it("is left to SQLite once the store has closed", async () => {
    const { close, events, write } = commitsOf(temporaryFile())
    write(33)
    await close()
    expect(events.filter((event) => event === "hold")).toHaveLength(
      events.filter((event) => event === "release").length
    )
  })
})
