/**
 * Processes and servers that end in the middle of their work: whatever was acknowledged must be there, once.
 */
import { type AccountId, DeliveryId, EntryId } from "@watchword/schemas/Ids"
import { PostgresStore } from "@watchword/store-postgres"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { setTimeout as delay } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { accountFor, expectSound, find, linesOf, program, tally } from "./fixtures.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start({ durable: true })
})

afterAll(() => server.stop())

/** Looks for everything that was acknowledged. */
const expectAcknowledged = Effect.fnUntraced(function* (account: AccountId, lines: ReadonlyArray<string>) {
  const store = yield* Store
  const ledger = yield* store.entries({ account, after: null, limit: 1_000_000 })
  const credits = new Set(ledger.filter(({ kind }) => kind === "credit").map(({ id }) => id))
  for (const line of lines) {
    const [word = "", id = ""] = line.split(" ")
    if (word === "failed" || word === "refused") continue
    if (word === "credited") {
      expect(credits.has(EntryId.make(id))).toBe(true)
      continue
    }
    const { phase, status } = Option.getOrThrow(yield* find(account, DeliveryId.make(id)))
    if (word === "reported") expect([id, phase === "rejected" || status.name === "delivered"]).toEqual([id, true])
    if (word === "accepted" || word === "rejected") expect([id, phase]).toEqual([id, word])
    if (word === "unknown") expect([id, ["unknown", "accepted"].includes(phase)]).toEqual([id, true])
  }
})

const check = (schema: string, account: AccountId, lines: ReadonlyArray<string>) =>
  Effect.andThen(expectAcknowledged(account, lines), expectSound(server.url, schema)).pipe(
    Effect.provide(PostgresStore.layer({ url: server.url, schema })),
    Effect.runPromise
  )

const newAccount = (schema: string) =>
  accountFor(10).pipe(Effect.provide(PostgresStore.layer({ url: server.url, schema })), Effect.runPromise)

describe("a process that is killed", () => {
  it("loses nothing that it acknowledged, and does not disturb others", { timeout: 60_000 }, async () => {
    const account = await newAccount("killed")
    const survivor = linesOf(program("load.ts", server.url, "killed", account, "4000"))
    const acknowledged: Array<string> = []
    for (let round = 0; round < 3; round++) {
      const child = program("load.ts", server.url, "killed", account)
      const after = 200 + Math.floor(Math.random() * 1_000)
      const lines = await linesOf(child, (count) => {
        if (count >= after) child.kill("SIGKILL")
      })
      expect(lines.length).toBeGreaterThanOrEqual(200)
      acknowledged.push(...lines)
    }
    const others = await survivor
    expect(others.length).toBeGreaterThan(200)
    expect([...others, ...acknowledged].filter((line) => line.startsWith("failed"))).toEqual([])
    await check("killed", account, [...acknowledged, ...others])
  })
})

describe("a server that crashes under load", () => {
  it("comes back with all that was acknowledged, and nothing twice", { timeout: 90_000 }, async () => {
    const account = await newAccount("crashed")
    const written = [0, 0]
    const loads = Promise.all(
      written.map((_, index) =>
        linesOf(program("load.ts", server.url, "crashed", account, "7000"), (count) => {
          written[index] = count
        })
      )
    )
    const crashes = async (): Promise<void> => {
      while (written.some((count) => count < 50)) await delay(20)
      for (let round = 0; round < 3; round++) {
        await delay(500 + Math.random() * 800)
        await server.crash()
        await delay(Math.random() * 300)
        await server.restart()
      }
    }
    const [lines] = await Promise.all([loads.then((all) => all.flat()), crashes()])
    const failures = lines.filter((line) => line.startsWith("failed"))
    const words = tally(lines.map((line) => line.split(" ")[0] ?? ""))
    expect(words["opened"]).toBeGreaterThan(300)
    expect(words["accepted"]).toBeGreaterThan(100)
    // What had left when the connection ended was repeated until its fate was known.
    expect(failures.filter((line) => !line.startsWith("failed Unavailable"))).toEqual([])
    await check("crashed", account, lines)
  })
})
