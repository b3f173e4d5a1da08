/**
 * Restores that replace files that are open, closed, damaged or absent.
 */
import { nextProcessId } from "@watchword/schemas/Ids"
import { SqliteStore } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname } from "node:path"
import { describe, expect, it } from "vitest"
import { linesUntilKilled, program } from "../../../test/stores/programs.ts"
import { expectAcknowledged } from "../../../test/stores/sound.ts"
import { AT, accountFor, balanceOf, expectSound, PRICE, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const at = <A, E>(filename: string, effect: Effect.Effect<A, E, Store>) =>
  Effect.runPromise(Effect.provide(effect, BuiltIn.layer({ filename })))

const backup = (filename: string) => Effect.runPromise(SqliteStore.backup({ filename, to: `${filename}.backup` }))

const restoring = (filename: string, from: string) =>
  Effect.scoped(
    Effect.flatMap(SqliteStore.restore({ filename, from }), ({ at, draft, install }) =>
      Effect.map(
        Effect.andThen(Effect.provide(Effect.asVoid(accountFor(1)), BuiltIn.layer({ filename: draft })), install),
        (kept) => ({ at, kept })
      )
    )
  )

/** Restores a backup, and creates another account in the draft before it is installed. */
const restore = (filename: string, from: string) => Effect.runPromise(restoring(filename, from))

const refusal = (filename: string, from: string) =>
  Effect.runPromise(Effect.flip(restoring(filename, from))).then(({ message }) => message)

const accounts = Effect.flatMap(Store, (store) => Effect.map(store.accounts, ({ length }) => length))

/** The suffixes of other files that belong to a database. */
const beside = (filename: string): ReadonlyArray<string> =>
  readdirSync(dirname(filename))
    .map((name) => name.slice(basename(filename).length))
    .filter((name) => name !== "" && name !== "-server" && name !== ".backup")

describe("a restore", () => {
  it("brings back what the backup has, and keeps the database of before", async () => {
    const filename = temporaryFile()
    const account = await at(filename, accountFor(2))
    const made = await backup(filename)
    chmodSync(filename, 0o640)
    await at(
      filename,
      Effect.flatMap(Store, (store) => Effect.andThen(accountFor(3), store.accounts))
    )
    const restored = await restore(filename, made.file)
    expect(restored.at).toBe(made.at)
    expect(statSync(filename).mode & 0o777).toBe(0o640)
    expect(beside(filename)).toEqual([restored.kept?.slice(filename.length)])
    await at(filename, Effect.andThen(balanceOf(account), expectSound(filename)))
    expect(await at(filename, accounts)).toBe(2)
    expect(
      await at(
        filename,
        Effect.flatMap(Store, ({ settings }) => settings(null))
      )
    ).toEqual([])
    expect(await at(restored.kept ?? "", accounts)).toBe(2)
    expect(await at(restored.kept ?? "", balanceOf(account))).toMatchObject({ available: 2 * PRICE })
  })

  it("by a link puts the backup in the place of the file that it leads to", async () => {
    const filename = temporaryFile()
    const link = `${filename}.link`
    symlinkSync(filename, link)
    const account = await at(filename, accountFor(2))
    const { file } = await backup(link)
    const { kept } = await restore(link, file)
    expect(kept?.startsWith(`${filename}.before-`)).toBe(true)
    await at(link, balanceOf(account))
    expect(await at(filename, accounts)).toBe(2)
  })

  it("of a database whose process was killed leaves no log behind, and loses nothing of it", async () => {
    const filename = temporaryFile()
    const account = await at(filename, accountFor(10))
    const { file } = await backup(filename)
    const lines = await linesUntilKilled(program("load.ts", filename, account), 300)
    expect(existsSync(`${filename}-wal`)).toBe(true)
    const { kept } = await restore(filename, file)
    expect(existsSync(`${filename}-wal`)).toBe(false)
    await at(filename, expectSound(filename))
    expect(await at(filename, balanceOf(account))).toMatchObject({ available: 10 * PRICE, held: 0 })
    await at(kept ?? "", Effect.andThen(expectAcknowledged(account, lines), expectSound(kept ?? "")))
  })

  it("needs no database", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const { file } = await backup(filename)
    rmSync(filename)
    expect(await restore(filename, file)).toMatchObject({ kept: null })
    expect(statSync(filename).mode & 0o777).toBe(0o600)
    expect(await at(filename, accounts)).toBe(2)
  })

  it("takes the log of a lost database away, which would destroy the restored one", async () => {
    const filename = temporaryFile()
    const account = await at(filename, accountFor(10))
    const { file } = await backup(filename)
    await linesUntilKilled(program("load.ts", filename, account), 300)
    rmSync(filename)
    expect(await restore(filename, file)).toMatchObject({ kept: null })
    expect(beside(filename).filter((name) => name.endsWith("Z-wal"))).toHaveLength(1)
    await at(filename, Effect.andThen(balanceOf(account), expectSound(filename)))
  })

  it("takes the place of a file that is damaged, which it keeps", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const { file } = await backup(filename)
    writeFileSync(filename, "This is a letter, and nothing else.\n".repeat(100))
    const { kept } = await restore(filename, file)
    expect(readFileSync(kept ?? "", "utf8")).toContain("This is a letter")
    expect(await at(filename, accounts)).toBe(2)
  })

  it("takes any database of a store, also one that is open", async () => {
    const [filename, from] = [temporaryFile(), temporaryFile()]
    await at(filename, accountFor(1))
    const program = Effect.gen(function* () {
      yield* accountFor(2)
      const { at } = yield* restoring(filename, from)
      expect(at).toBeNull()
    })
    await at(from, program)
    expect(await at(filename, accounts)).toBe(2)
    expect(await at(from, accounts)).toBe(1)
  })
})

describe("a restore is refused, and changes nothing,", () => {
  const lease = Store.use((store) => store.renewLease({ process: nextProcessId(AT), duration: 60_000 }))

  it("while a server works on the database", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const { file } = await backup(filename)
    const program = Effect.gen(function* () {
      yield* lease
      const { message } = yield* Effect.flip(restoring(filename, file))
      expect(message).toBe(`A server works on the database ${filename}: stop it first.`)
      expect(yield* accounts).toBe(1)
    })
    await at(filename, program)
    await restore(filename, file)
  })

  it("while another process has it open", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const { file } = await backup(filename)
    await at(
      filename,
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(restoring(filename, file))
        expect(message).toBe(`Another process has the database ${filename} open: end it first.`)
        expect(yield* accounts).toBe(1)
      })
    )
    expect(beside(filename)).toEqual([])
  })

  it("and a server that starts meanwhile is refused too", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const { file } = await backup(filename)
    const started = Effect.gen(function* () {
      const { install } = yield* SqliteStore.restore({ filename, from: file })
      const first = yield* Effect.result(Effect.provide(lease, BuiltIn.layer({ filename })))
      expect(Result.isFailure(first)).toBe(true)
      yield* install
    })
    await Effect.runPromise(Effect.scoped(started))
    await at(filename, lease)
  })

  it("where the backup is damaged, no database, or the database itself", async () => {
    const filename = temporaryFile()
    await at(filename, accountFor(2))
    const { file } = await backup(filename)
    const pages = readFileSync(file)
    pages.fill(7, 3 * 4_096, 6 * 4_096)
    writeFileSync(file, pages)
    expect(await refusal(filename, file)).toContain("damaged")
    expect(await refusal(filename, `${file}2`)).toBe(`There is no database ${file}2.`)
    expect(await refusal(filename, filename)).toBe(`The file ${filename} is the database itself.`)
    expect(await at(filename, accounts)).toBe(1)
    expect(beside(filename)).toEqual([])
  })

  it("where the database belongs to another program", async () => {
    const [filename, from] = [temporaryFile(), temporaryFile()]
    await at(from, accountFor(2))
    new Sqlite(filename).exec("CREATE TABLE recipes (name TEXT)").close()
    expect(await refusal(filename, from)).toBe(`The database ${filename} belongs to another program.`)
    expect(beside(filename)).toEqual([])
  })
})
