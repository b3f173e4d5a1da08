/**
 * Processes that die in the middle of their work, and files that cannot grow: whatever was acknowledged
 * must be there, once.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { describe, expect, it } from "vitest"
import { linesOf, linesUntilKilled, pathOf, program } from "../../../test/stores/programs.ts"
import { expectPurged } from "../../../test/stores/purges.ts"
import { expectAcknowledged } from "../../../test/stores/sound.ts"
import { accountFor, expectSound, restartsOf, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"
import { seeded } from "../../../test/random.ts"

const load = (filename: string, account: AccountId) => program("load.ts", filename, account)

const check = (filename: string, account: AccountId, lines: ReadonlyArray<string>) =>
  Effect.andThen(expectAcknowledged(account, lines), expectSound(filename)).pipe(
    Effect.provide(BuiltIn.layer({ filename })),
    Effect.runPromise
  )

const newAccount = (filename: string) =>
  accountFor(10).pipe(Effect.provide(BuiltIn.layer({ filename })), Effect.runPromise)

describe("a process that is killed", () => {
  it("loses nothing that it acknowledged, again and again on the same file", async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    const acknowledged: Array<string> = []
    const { below } = seeded()
    for (let round = 0; round < 5; round++) {
      const lines = await linesUntilKilled(load(filename, account), 200 + below(1_500))
      expect(lines.length).toBeGreaterThanOrEqual(200)
      acknowledged.push(...lines)
      await check(filename, account, acknowledged)
    }
  })

  it("loses nothing when its log has just started again", { timeout: 120_000 }, async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    const restarted = () =>
      expect.poll(() => restartsOf(filename), { timeout: 100_000, interval: 20 }).toBeGreaterThan(0)
    await check(filename, account, await linesUntilKilled(load(filename, account), 1_000, restarted))
  })

  it("does not disturb another that works on the same file", async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    const [killed, survivor] = [load(filename, account), load(filename, account)]
    const survivors = linesUntilKilled(survivor, 3_000)
    const lines = [...(await linesUntilKilled(killed, 600)), ...(await survivors)]
    expect(lines.length).toBeGreaterThanOrEqual(3_600)
    await check(filename, account, lines)
  })
})

describe("a purge whose process is killed", () => {
  it("is gone on with by two others, and keeps the money", async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    await linesUntilKilled(load(filename, account), 1_000)
    await expectPurged(filename, BuiltIn.snapshots(filename), account)
  })
})

describe("a file that cannot grow", () => {
  it("has what was acknowledged, and what was not is refused", async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    // Half a megabyte, by the shell's limit on the size of files.
    const limited = `trap "" XFSZ; ulimit -f 1024; exec "$0" "$@"`
    const child = spawn("/bin/sh", ["-c", limited, process.execPath, pathOf("load.ts"), filename, account], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines = await linesOf(child)
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.at(-1)).toContain("SQLITE_IOERR")
    await check(filename, account, lines)
    const more = await linesUntilKilled(load(filename, account), 500)
    await check(filename, account, [...lines, ...more])
  })
})
