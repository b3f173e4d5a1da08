import Sqlite from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { installationForAll, serverForAll } from "./Installation.ts"

const installation = installationForAll()
const { command, failingCommand, file, newAccount } = installation
serverForAll(installation)

describe("audit", () => {
  it("exits with 1 and names the account whose balance is not the sum of its entries", async () => {
    const account = await newAccount("--balance", "10")
    expect(await command("audit")).toMatchObject({ ok: true, violations: [], found: 0 })
    expect(await failingCommand("audit")).toEqual({ code: 0, stderr: "" })

    const db = new Sqlite(file("test.db"))
    db.prepare("UPDATE accounts SET available = available + 1 WHERE id = ?").run(account)
    db.close()
    expect(await failingCommand("audit")).toEqual({ code: 1, stderr: "" })
    await expect(command("audit")).rejects.toMatchObject({
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
