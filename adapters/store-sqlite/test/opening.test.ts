import { nextProcessId } from "@watchword/schemas/Ids"
import { sqlite } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { realTime } from "../../../test/until.ts"
import { describe, expect, it } from "vitest"
import { linesOf, linesUntilKilled, program as start } from "../../../test/stores/programs.ts"
import * as Connection from "../src/Connection.ts"
import { AT, accountFor, balanceOf, expectSound, opening, PRICE, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const accounts = Effect.flatMap(Store, (store) => store.accounts)

const refusal = (filename: string) =>
  Effect.runPromise(Effect.flip(Effect.provide(accounts, BuiltIn.sqlite(filename)))).then(({ message, reason }) => {
    expect(reason).toBe("Unavailable")
    return message
  })

describe("a Node that is too old", () => {
  it.each(["18.20.8", "20.19.5", "22.12.0", "22.18.9"])("is told which one is needed: %s", (version) => {
    const message = `@watchword/store-sqlite needs Node 22.19 or later, and this is ${version}.`
    expect(Connection.tooOld(version)).toBe(message)
  })

  it.each(["22.19.0", "22.20.1", "24.0.0", "26.10.0"])("is not %s", (version) => {
    expect(Connection.tooOld(version)).toBeNull()
  })
})

describe("a file that is made", () => {
  it("is its user's alone, with its log", async () => {
    const filename = temporaryFile()
    const modes = Effect.map(accounts, () => ["", "-wal", "-shm"].map((end) => statSync(filename + end).mode & 0o777))
    expect(await Effect.runPromise(Effect.provide(modes, BuiltIn.sqlite(filename)))).toEqual([0o600, 0o600, 0o600])
  })
})

describe("a file that cannot be used", () => {
  it.each(["", undefined])("is refused without a name: %j", (name) => {
    expect(() => Reflect.apply(sqlite, undefined, [name])).toThrow(
      new TypeError('sqlite needs the name of a file, for example sqlite("watchword.db")')
    )
  })

  it("is refused when its directory does not exist", async () => {
    const filename = join(temporaryFile(), "nowhere", "watchword.db")
    expect(await refusal(filename)).toBe(
      `The database ${filename} could not be opened: cannot open database because the directory does not exist.`
    )
  })

  it("is refused when it is a directory", async () => {
    const filename = dirname(temporaryFile())
    expect(await refusal(filename)).toContain(`The database ${filename} could not be opened: the file cannot be opened`)
  })

  it("is refused when it is a link that leads nowhere", async () => {
    const filename = temporaryFile()
    symlinkSync(`${filename}.gone`, filename)
    expect(await refusal(filename)).toBe(`The database ${filename} is a symbolic link to a file that does not exist.`)
  })

  it("is refused when it is no database, and left as it is", async () => {
    const filename = temporaryFile()
    writeFileSync(filename, "This is a letter, and nothing else.\n".repeat(100))
    expect(await refusal(filename)).toContain(`${filename} could not be opened: the file is not a database`)
    expect(readFileSync(filename, "utf8")).toContain("This is a letter")
  })

  it("is refused when it belongs to another program, and left as it is", async () => {
    const filename = temporaryFile()
    const other = new Sqlite(filename)
    other.exec("CREATE TABLE recipes (name TEXT)")
    expect(await refusal(filename)).toBe(`The database ${filename} belongs to another program.`)
    expect(other.prepare("SELECT name FROM sqlite_schema").pluck().all()).toEqual(["recipes"])
    other.close()
  })
})

describe("a file that a server has", () => {
  const lease = Store.use((store) => store.renewLease({ process: nextProcessId(AT), duration: 60_000 }))
  const served = (filename: string) =>
    `Another server works on the database ${filename}; several servers need PostgreSQL.`

  it("is refused to a second server, and not to commands beside it", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      yield* lease
      const beside = Effect.gen(function* () {
        const account = yield* accountFor(2)
        expect((yield* Effect.flip(lease)).message).toBe(served(filename))
        expect(yield* balanceOf(account)).toMatchObject({ available: 2 * PRICE })
      })
      yield* Effect.provide(beside, Layer.fresh(BuiltIn.sqlite(filename)))
      yield* Effect.provide(lease, BuiltIn.layer({ filename, severalServers: true }))
      yield* lease
    })
    await Effect.runPromise(Effect.provide(program, BuiltIn.sqlite(filename)))
    await Effect.runPromise(Effect.provide(lease, BuiltIn.sqlite(filename)))
  })

  it("is refused to a second server by its other name too", async () => {
    const filename = temporaryFile()
    const link = `${filename}.link`
    symlinkSync(filename, link)
    writeFileSync(filename, "")
    const program = Effect.gen(function* () {
      yield* lease
      const account = yield* accountFor(2)
      yield* (yield* Store).open(opening(account))
      expect(yield* balanceOf(account)).toMatchObject({ available: PRICE, held: PRICE })
      const second = Effect.provide(lease, Layer.fresh(BuiltIn.sqlite(filename)))
      expect((yield* Effect.flip(second)).message).toBe(served(filename))
    })
    await Effect.runPromise(Effect.provide(program, BuiltIn.sqlite(link)))
  })

  it("is another server's as soon as the first one is killed", async () => {
    const filename = temporaryFile()
    const killed = start("serve.ts", filename)
    const lines = await linesUntilKilled(killed, 1, async () => {
      const refused = await Effect.runPromise(Effect.flip(Effect.provide(lease, BuiltIn.sqlite(filename))))
      expect(refused.message).toBe(served(filename))
    })
    expect(lines).toEqual(["serves"])
    await Effect.runPromise(Effect.provide(lease, BuiltIn.sqlite(filename)))
  })
})

describe("a file that is lost", () => {
  const commands: ReadonlyArray<readonly [string, (filename: string) => void]> = [
    ["deleted", (filename) => rmSync(filename)],
    ["renamed", (filename) => renameSync(filename, `${filename}.old`)],
    [
      "replaced",
      (filename) => {
        copyFileSync(filename, `${filename}.new`)
        renameSync(`${filename}.new`, filename)
      }
    ],
    ["left without its log", (filename) => rmSync(`${filename}-wal`)]
  ]

  it.each(commands)("because it is %s takes nothing any more", async (_, lose) => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      yield* store.ping
      lose(filename)
      const message = `The file ${filename} was deleted or replaced. Start the process again.`
      expect(yield* Effect.flip(store.ping)).toMatchObject({ reason: "Unavailable", message })
      expect(yield* Effect.flip(store.open(opening(account)))).toMatchObject({ reason: "Unavailable", message })
    })
    await Effect.runPromise(Effect.provide(program, BuiltIn.sqlite(filename)))
  })

  it("takes sends for a second at most where only sends look", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10_000)
      rmSync(filename)
      const send = Effect.delay(Effect.result(store.open(opening(account))), 100)
      const refused = yield* Effect.repeat(send, { until: Result.isFailure })
      expect(refused).toMatchObject({ failure: { reason: "Unavailable" } })
    })
    await Effect.runPromise(Effect.provide(program, BuiltIn.sqlite(filename)))
  })
})

describe("a file that can be used", () => {
  it("is opened so that every commit waits for the disk", async () => {
    const program = Effect.map(Connection.open(temporaryFile()), (db) =>
      ["journal_mode", "synchronous", "foreign_keys"].map((name) => db.pragma(name, { simple: true }))
    )
    const FULL = 2
    expect(await Effect.runPromise(Effect.scoped(program))).toEqual(["wal", FULL, 1])
  })

  it("has small pages where it is new, and keeps those that it has", async () => {
    const [made, old] = [temporaryFile(), temporaryFile()]
    const db = new Sqlite(old)
    db.exec("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL")
    db.close()
    const sizes = (filename: string) =>
      Effect.map(Connection.open(filename), (db) =>
        ["page_size", "auto_vacuum", "wal_autocheckpoint"].map((name) => db.pragma(name, { simple: true }))
      )
    const INCREMENTAL = 2
    expect(await Effect.runPromise(Effect.scoped(sizes(made)))).toEqual([2048, INCREMENTAL, 16_384])
    expect(await Effect.runPromise(Effect.scoped(sizes(old)))).toMatchObject({ 0: 4096, 2: 8192 })
  })

  it("may be in memory only, where each store is one of its own", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      yield* store.open(opening(account))
      expect(yield* balanceOf(account)).toMatchObject({ available: PRICE, held: PRICE })
      expect(yield* Effect.provide(accounts, Layer.fresh(BuiltIn.sqlite(":memory:")))).toEqual([])
    })
    await Effect.runPromise(Effect.provide(program, BuiltIn.layer({ filename: ":memory:" })))
  })

  it("is waited for while another process makes it", async () => {
    const filename = temporaryFile()
    const other = new Sqlite(filename)
    other.exec("BEGIN EXCLUSIVE")
    const program = Effect.gen(function* () {
      const opening = yield* Effect.forkChild(Effect.provide(accounts, BuiltIn.sqlite(filename)), {
        startImmediately: true
      })
      yield* Effect.promise(() => realTime(50, "the opening tries the locked file"))
      expect(opening.pollUnsafe()).toBeUndefined()
      other.exec("ROLLBACK")
      other.close()
      expect(yield* Fiber.join(opening)).toEqual([])
    })
    await Effect.runPromise(program)
  })

  it("is made once when several processes start at the same time", async () => {
    for (let round = 0; round < 3; round++) {
      const filename = temporaryFile()
      const printed = await Promise.all([1, 2, 3].map(() => linesOf(start("race.ts", filename))))
      const tallies = printed.map(([line = "{}"]): Record<string, number> => JSON.parse(line))
      const total = (tag: string) => tallies.reduce((sum, tally) => sum + (tally[tag] ?? 0), 0)
      expect([total("Opened"), total("Insufficient")]).toEqual([100, 200])
      await Effect.runPromise(Effect.provide(expectSound(filename), BuiltIn.sqlite(filename)))
    }
  })
})
