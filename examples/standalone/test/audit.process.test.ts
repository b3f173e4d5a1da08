import Sqlite from "better-sqlite3"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Running, command, failingCommand, start } from "./Standalone.ts"

let folder: string
let file: string
let database: { readonly DATABASE_URL: string }
let server: Running

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
  file = join(folder, "test.db")
  database = { DATABASE_URL: `sqlite:${file}` }
  server = await start(database)
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

describe("audit", () => {
  it("exits with 1 and names the account whose balance is not the sum of its entries", async () => {
    const account = String((await command(database, "account", "create", "--balance", "10"))["account_id"])
    expect(await command(database, "audit")).toMatchObject({ ok: true, violations: [], found: 0 })
    expect(await failingCommand(database, "audit")).toEqual({ code: 0, stderr: "" })

    const db = new Sqlite(file)
    db.prepare("UPDATE accounts SET available = available + 1 WHERE id = ?").run(account)
    db.close()
    expect(await failingCommand(database, "audit")).toEqual({ code: 1, stderr: "" })
    await expect(command(database, "audit")).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        JSON.stringify({
          rule: "balance",
          id: account,
          message: "10000001 available and 0 held, but entries sum to 10000000 and 0"
        })
      )
    })
  })
})
