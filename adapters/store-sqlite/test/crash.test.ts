/**
 * Processes that die in the middle of their work, and files that cannot grow: whatever was acknowledged
 * must be there, once.
 */
import { type AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { SqliteStore } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { accountFor, expectSound, find, opening, temporaryFile } from "./fixtures.ts"

const script = fileURLToPath(new URL("load.ts", import.meta.url))

/** The lines that a process wrote until it ended. It is killed when it has written so many. */
const linesOf = async (
  child: ChildProcessByStdio<null, Readable, null>,
  killAfter = Number.POSITIVE_INFINITY
): Promise<ReadonlyArray<string>> => {
  let text = ""
  let count = 0
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    count += chunk.split("\n").length - 1
    if (count >= killAfter) child.kill("SIGKILL")
  })
  await once(child, "close")
  // What comes behind the last line break was cut off by the kill.
  return text.split("\n").slice(0, -1)
}

const load = (filename: string, account: AccountId) =>
  spawn(process.execPath, [script, filename, account], { stdio: ["ignore", "pipe", "inherit"] })

/** Looks for everything that was acknowledged. */
const expectAcknowledged = Effect.fnUntraced(function* (account: AccountId, lines: ReadonlyArray<string>) {
  const store = yield* Store
  const ledger = yield* store.entries({ account, after: null, limit: 1e9 })
  const credits = new Set(ledger.filter(({ kind }) => kind === "credit").map(({ id }) => id))
  const expectLine = Effect.fnUntraced(function* (line: string) {
    const [word = "", id = ""] = line.split(" ")
    if (word === "credited") {
      expect(credits.has(EntryId.make(id))).toBe(true)
      return
    }
    if (word === "stopped" || word === "refused") return
    const { phase, status } = Option.getOrThrow(yield* find(account, DeliveryId.make(id)))
    if (word === "reported") expect([id, phase === "rejected" || status.name === "delivered"]).toEqual([id, true])
    if (word === "accepted" || word === "rejected") expect([id, phase]).toEqual([id, word])
    if (word === "opened") {
      const claims = [{ key: id, fingerprint: "", retryAfterRejection: false, expiresAt: 1e15 }]
      const again = yield* store.open({ ...opening(account, { price: zero }), at: Date.now(), claims })
      expect(again).toMatchObject({ _tag: "Claimed", by: { id } })
    }
    if (word === "accepted") {
      expect(Option.getOrThrow(yield* store.findByRef({ channel: "sms", ref: id })).id).toBe(id)
    }
    if (word === "unknown") expect([id, ["unknown", "accepted"].includes(phase)]).toEqual([id, true])
  })
  yield* Effect.forEach(lines, expectLine, { concurrency: 100, discard: true })
})

const check = (filename: string, account: AccountId, lines: ReadonlyArray<string>) =>
  Effect.andThen(expectAcknowledged(account, lines), expectSound(filename)).pipe(
    Effect.provide(SqliteStore.layer({ filename })),
    Effect.runPromise
  )

const newAccount = (filename: string) =>
  accountFor(10).pipe(Effect.provide(SqliteStore.layer({ filename })), Effect.runPromise)

describe("a process that is killed", () => {
  it("loses nothing that it acknowledged, again and again on the same file", async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    const acknowledged: Array<string> = []
    for (let round = 0; round < 5; round++) {
      const lines = await linesOf(load(filename, account), 200 + Math.floor(Math.random() * 1_500))
      expect(lines.length).toBeGreaterThanOrEqual(200)
      acknowledged.push(...lines)
      await check(filename, account, acknowledged)
    }
  })

  it("does not disturb another that works on the same file", async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    const [killed, survivor] = [load(filename, account), load(filename, account)]
    const survivors = linesOf(survivor, 3_000)
    const lines = [...(await linesOf(killed, 600)), ...(await survivors)]
    expect(lines.length).toBeGreaterThanOrEqual(3_600)
    await check(filename, account, lines)
  })
})

describe("a file that cannot grow", () => {
  it("has what was acknowledged, and what was not is refused", async () => {
    const filename = temporaryFile()
    const account = await newAccount(filename)
    // Half a megabyte, by the shell's limit on the size of files.
    const limited = `trap "" XFSZ; ulimit -f 1024; exec "$0" "$@"`
    const child = spawn("/bin/sh", ["-c", limited, process.execPath, script, filename, account], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines = await linesOf(child)
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.at(-1)).toContain("SQLITE_IOERR")
    await check(filename, account, lines)
    const more = await linesOf(load(filename, account), 500)
    await check(filename, account, [...lines, ...more])
  })
})
