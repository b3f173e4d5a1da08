/**
 * Backups of a file that others are writing to.
 */
import { SqliteStore } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { linesUntilKilled, program } from "../../../test/stores/programs.ts"
import { expectAcknowledged } from "../../../test/stores/sound.ts"
import { accountFor, balanceOf, expectSound, PRICE, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const at = <A, E>(filename: string, effect: Effect.Effect<A, E, Store>) =>
  Effect.runPromise(Effect.provide(effect, BuiltIn.layer({ filename })))

const backup = (filename: string, to = `${filename}.backup`, overwrite = false) =>
  Effect.runPromise(SqliteStore.backup({ filename, to, overwrite }))

const refusal = (filename: string, to: string, overwrite = false) =>
  Effect.runPromise(Effect.flip(SqliteStore.backup({ filename, to, overwrite }))).then(({ message }) => message)

/** The other files in a database's folder. */
const others = (filename: string): ReadonlyArray<string> =>
  readdirSync(dirname(filename)).filter((name) => !name.startsWith(basename(filename)))

/** Rows that make a backup take many turns of the event loop. */
const padded = Effect.flatMap(Store, (store) =>
  store.changeSetting({ account: null, name: "padding", value: JSON.stringify("x".repeat(32_000_000)) })
)

describe("a backup", () => {
  it("under load has all that was answered before, of one moment", { timeout: 60_000 }, async () => {
    const filename = temporaryFile()
    const account = await at(filename, Effect.andThen(padded, accountFor(10)))
    const files = [1, 2, 3].map((n) => `${filename}.backup${n}`)
    const before = 400
    const lines = await linesUntilKilled(program("load.ts", filename, account), before, async () => {
      for (const file of files) await backup(filename, file)
    })
    expect(lines.length).toBeGreaterThan(before)
    for (const file of files) {
      const there = Effect.andThen(expectAcknowledged(account, lines.slice(0, before)), expectSound(file))
      await at(file, there)
    }
  })

  it("is a single file for this user alone, and says its time", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const before = Date.now()
    const to = join(dirname(filename), "made")
    const made = await backup(filename, to)
    expect(made).toMatchObject({ file: to, bytes: statSync(to).size })
    expect(made.at).toBeGreaterThanOrEqual(before)
    expect(statSync(to).mode & 0o777).toBe(0o600)
    expect(others(filename)).toEqual(["made"])
    // A file whose header names no log can be opened in a read-only folder.
    expect(readFileSync(to).subarray(18, 20)).toEqual(Buffer.from([1, 1]))
  })

  it("is of a process that was killed, with what its log has", async () => {
    const filename = temporaryFile()
    const account = await at(filename, accountFor(10))
    const lines = await linesUntilKilled(program("load.ts", filename, account), 300)
    const { file } = await backup(filename)
    await at(file, Effect.andThen(expectAcknowledged(account, lines), expectSound(file)))
  })

  it("tells its progress", async () => {
    const filename = temporaryFile()
    await at(filename, padded)
    const told: Array<number> = []
    const onProgress = ({ copied, total }: SqliteStore.Progress) => void told.push(copied / total)
    await Effect.runPromise(SqliteStore.backup({ filename, to: `${filename}.backup`, onProgress }))
    expect(told.length).toBeGreaterThan(4)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
  })

  it("takes the place of another one when it is asked to", async () => {
    const filename = temporaryFile()
    const account = await at(filename, accountFor(2))
    const { file } = await backup(filename)
    const first = readFileSync(file)
    await at(filename, accountFor(3))
    expect(await refusal(filename, file)).toBe(`There is a file ${file} already, which only --overwrite replaces.`)
    expect(readFileSync(file).equals(first)).toBe(true)
    await backup(filename, file, true)
    expect(readFileSync(file).equals(first)).toBe(false)
    expect(await at(file, balanceOf(account))).toMatchObject({ available: 2 * PRICE })
  })
})

describe("a backup that cannot be made leaves nothing", () => {
  it("in a folder that does not exist", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const to = join(dirname(filename), "nowhere", "made")
    expect(await refusal(filename, to)).toBe(`${to} could not be written: its folder does not exist (ENOENT).`)
  })

  it("in the place of the database and its files", async () => {
    const filename = temporaryFile()
    await at(
      filename,
      Effect.andThen(
        accountFor(2),
        Effect.promise(async () => {
          for (const ending of ["", "-wal", "-shm"]) {
            const to = `${filename}${ending}`
            expect(await refusal(filename, to, true)).toContain(`The file ${to} belongs to the database itself`)
          }
        })
      )
    )
  })

  it("in the place of a file that is no database, unless it is empty", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const to = join(dirname(filename), "made")
    for (const content of ["SQLite", "a secret, or a list of prices"]) {
      writeFileSync(to, content)
      expect(await refusal(filename, to, true)).toBe(
        `The file ${to} is no SQLite database: overwrite replaces backups only.`
      )
      expect(readFileSync(to, "utf8")).toBe(content)
    }
    writeFileSync(to, "")
    await backup(filename, to, true)
    await backup(filename, to, true)
    // The link is replaced, not the file that it leads to.
    const other = `${filename}-other`
    writeFileSync(other, "a secret")
    rmSync(to)
    symlinkSync(other, to)
    await backup(filename, to, true)
    expect(readFileSync(other, "utf8")).toBe("a secret")
  })

  it("in the place of a folder", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const to = join(dirname(filename), "made")
    mkdirSync(to)
    expect(await refusal(filename, to, true)).toBe(`${to} could not be written: it is a folder (EISDIR).`)
    expect(others(filename)).toEqual(["made"])
  })

  it("of a database that is damaged, that is none, or that is not there", async () => {
    const filename = temporaryFile()
    const to = join(dirname(filename), "made")
    expect(await refusal(filename, to)).toBe(`There is no database ${filename}.`)

    await at(filename, accountFor(2))
    const pages = readFileSync(filename)
    pages.fill(7, 3 * 4_096, 6 * 4_096)
    writeFileSync(filename, pages)
    expect(await refusal(filename, to)).toContain("damaged")

    const other = `${filename}-other`
    new Sqlite(other).exec("CREATE TABLE recipes (name TEXT)").close()
    expect(await refusal(other, to)).toBe(`The database ${other} belongs to another program.`)
    expect(others(filename)).toEqual([])
  })

  it("in memory", async () => {
    expect(await refusal(":memory:", temporaryFile())).toContain("A database in memory has no backup")
  })

  it("because it is interrupted", async () => {
    const filename = temporaryFile()
    await at(filename, padded)
    const to = join(dirname(filename), "made")
    const program = Effect.gen(function* () {
      const begun = Promise.withResolvers<void>()
      const fiber: Fiber.Fiber<unknown, unknown> = yield* Effect.forkChild(
        SqliteStore.backup({ filename, to, onProgress: () => begun.resolve() })
      )
      yield* Effect.promise(() => begun.promise)
      yield* Fiber.interrupt(fiber)
    })
    await Effect.runPromise(program)
    expect(others(filename)).toEqual([])
  })

  it("because the disk is full", async () => {
    const filename = temporaryFile()
    await at(filename, padded)
    const to = join(dirname(filename), "made")
    // Half a megabyte, through the shell's limit on file sizes.
    const limited = `trap "" XFSZ; ulimit -f 1024; exec "$0" "$@"`
    const script = fileURLToPath(new URL("backup.ts", import.meta.url))
    const child = spawn("/bin/sh", ["-c", limited, process.execPath, script, filename, to])
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
    await once(child, "close")
    expect(printed).toBe(`${to} could not be written: reading or writing the file failed (SQLITE_IOERR).\n`)
    expect(others(filename)).toEqual([])
  })
})
