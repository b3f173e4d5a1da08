/**
 * A database that is not there: a slip in DATABASE_URL, or a command in another folder.
 */
import { chmodSync, existsSync, mkdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { command, failingCommand, startFailing } from "./Standalone.ts"

const folder = folderForAll()
const at = (name: string) => ({ DATABASE_URL: `sqlite:${folder.file(name)}` })

describe("a database that cannot be made", () => {
  it("for want of its folder is named in one sentence, by the server and by commands", async () => {
    const sentence = `DATABASE_URL names a file in the folder ${folder.file("nope")}, which does not exist.`
    const settings = at("nope/x.db")
    expect(await startFailing(settings)).toEqual({ code: 1, printed: `${sentence}\n` })
    for (const words of [["account", "create"], ["account", "list"], ["migrate"]]) {
      expect((await failingCommand(settings, ...words)).stderr).toContain(sentence)
    }
  })

  it("because its folder may not be written is named likewise", async () => {
    chmodSync(folder.path(), 0o755)
    const sealed = folder.file("sealed")
    mkdirSync(sealed)
    chmodSync(sealed, 0o555)
    // Root may write everywhere.
    const asUser = process.getuid?.() === 0 ? { uid: 65_534 } : {}
    const { code, printed } = await startFailing(at("sealed/x.db"), asUser)
    const sentence = `DATABASE_URL names a file in the folder ${sealed}, to which this user cannot write.`
    expect([code, printed]).toEqual([1, `${sentence}\n`])
  })
})

describe("a command where there is no database", () => {
  it.each([
    ["account", "list"],
    ["account", "show", "acc_01KAJ3T8ZZ0000000000000000"],
    ["account", "credit", "acc_01KAJ3T8ZZ0000000000000000", "5"],
    ["key", "list", "--account", "acc_01KAJ3T8ZZ0000000000000000"],
    ["guard", "list"],
    ["guard", "block", "NG", "--for", "12h"],
    ["retention", "show"],
    ["webhook", "list"],
    ["why", "+4915123456789"],
    ["erase", "+4915123456789"],
    ["audit"]
  ])("%s %s says which, and makes none", async (...words) => {
    const { code, stderr } = await failingCommand(at("other.db"), ...words)
    expect(code).toBe(1)
    expect(stderr).toContain(`There is no database ${folder.file("other.db")}, which DATABASE_URL names`)
    expect(existsSync(folder.file("other.db"))).toBe(false)
  })

  it("account create makes it", async () => {
    await command(at("new.db"), "account", "create")
    expect(existsSync(folder.file("new.db"))).toBe(true)
    expect(await command(at("new.db"), "account", "list")).toMatchObject({ accounts: [{}] })
  })
})
