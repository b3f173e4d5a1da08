import { Store } from "@watchword/store/Store"
import { SqliteStore } from "@watchword/store-sqlite"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { migrate, statusOf } from "../src/migrate.ts"
import { type Migration, migrations } from "../src/schema.ts"
import { temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const accounts = Effect.flatMap(Store, (store) => store.accounts)

const expansion: Migration = {
  name: "notes",
  sql: "ALTER TABLE deliveries ADD COLUMN note TEXT; CREATE INDEX noted ON deliveries (note)"
}
/** That of a program with the expansion. */
const floor = migrations.length + 1
const contraction: Migration = { name: "no reasons", sql: "ALTER TABLE entries DROP COLUMN reason", floor }
const next = [...migrations, expansion]
const later = [...next, contraction]

const made = (list: ReadonlyArray<Migration> = migrations) => {
  const db = new Sqlite(temporaryFile())
  migrate(db, list)
  return db
}

describe("a file", () => {
  it("that does not exist is empty to a status, and is not made", async () => {
    const filename = temporaryFile()
    expect(await Effect.runPromise(SqliteStore.migrator(filename).status)).toEqual({
      database: 0,
      program: migrations.length,
      floor: 0,
      pending: migrations.map(({ name }, i) => ({ version: i + 1, name, floor: null }))
    })
    expect(existsSync(filename)).toBe(false)
  })

  it("is migrated once, and has nothing pending afterwards", async () => {
    const { migrate, status } = SqliteStore.migrator(temporaryFile())
    expect(await Effect.runPromise(migrate)).toMatchObject({ database: 0 })
    const program = migrations.length
    expect(await Effect.runPromise(status)).toEqual({ database: program, program, floor: 1, pending: [] })
    expect(await Effect.runPromise(migrate)).toMatchObject({ database: program })
  })

  it("goes from version to version, each with what it adds", () => {
    const db = made()
    expect(statusOf(db, later).pending).toEqual([
      { version: migrations.length + 1, name: "notes", floor: null },
      { version: migrations.length + 2, name: "no reasons", floor }
    ])
    migrate(db, later)
    expect(statusOf(db, later)).toEqual({ database: later.length, program: later.length, floor, pending: [] })
    expect(
      db.prepare("SELECT version, name, floor FROM watchword_migrations ORDER BY version").all().slice(-2)
    ).toEqual([
      { version: migrations.length + 1, name: "notes", floor: 1 },
      { version: migrations.length + 2, name: "no reasons", floor }
    ])
    db.close()
  })

  it("from before the roll-up of traffic gets its table", async () => {
    const db = made(migrations.slice(0, 1))
    const query = { since: 0, until: 9, account: null, by: [] }
    const traffic = Effect.flatMap(Store, (store) => store.traffic(query))
    expect(await Effect.runPromise(Effect.provide(traffic, BuiltIn.sqlite(db.name)))).toEqual([])
    db.close()
  })

  it("stays as it was when a statement of a migration fails", () => {
    const db = made()
    const failing = { name: "half", sql: "ALTER TABLE deliveries ADD COLUMN note TEXT; DROP TABLE absent" }
    expect(() => migrate(db, [...migrations, failing])).toThrow("no such table: absent")
    expect(statusOf(db)).toMatchObject({ database: migrations.length })
    expect(db.prepare("SELECT count(*) FROM pragma_table_info('deliveries') WHERE name = 'note'").pluck().get()).toBe(0)
    db.close()
  })

  it("after an expansion is opened by a program from before it", async () => {
    const db = made(next)
    expect(await Effect.runPromise(Effect.provide(accounts, BuiltIn.sqlite(db.name)))).toEqual([])
    db.close()
  })

  it("after a contraction is refused by programs below its floor, and left as it is", async () => {
    const db = made(later)
    const { message, reason } = await Effect.runPromise(Effect.flip(Effect.provide(accounts, BuiltIn.sqlite(db.name))))
    expect(reason).toBe("Unavailable")
    expect(message).toBe(
      `The database ${db.name} was migrated by a newer program: ` +
        `it takes programs of version ${floor} or later, and this one has version ${migrations.length}.`
    )
    expect(statusOf(db)).toMatchObject({ database: later.length, floor })
    expect(() => migrate(db, next)).not.toThrow()
    db.close()
  })
})
