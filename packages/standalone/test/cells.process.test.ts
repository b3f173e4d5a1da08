/**
 * The operator's command over several installations.
 */
import { writeFileSync } from "node:fs"
import Sqlite from "better-sqlite3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { type Cell, startCell, writeCells } from "./Cell.ts"
import { answerOf, command } from "./Standalone.ts"
import { callerOf, request } from "./client.ts"

const { file } = folderForAll()
const NUMBER = "+4915123411111"

let one: Cell
let two: Cell
let cells: string
/** The environment of a machine without a database of its own. */
const elsewhere = { DATABASE_URL: `sqlite:${file("elsewhere.db")}` }

beforeAll(async () => {
  one = await startCell("eu-1", { DATABASE_URL: `sqlite:${file("one.db")}` })
  two = await startCell("eu-2", { DATABASE_URL: `sqlite:${file("two.db")}` })
  cells = await writeCells([one, two], "admin", file)
}, 60_000)

afterAll(async () => {
  await one.server.kill()
  await two.server.kill()
})

const inAll = (...args: ReadonlyArray<string>) => command(elsewhere, "--cells", cells, ...args)
const said = (...args: ReadonlyArray<string>) => answerOf(elsewhere, ...args)

describe("a command with --cells", () => {
  it("asks all of them, and has a part for each", async () => {
    expect(await inAll("account", "list")).toMatchObject({
      cells: {
        "eu-1": { accounts: [{ account_id: one.account }] },
        "eu-2": { accounts: [{ account_id: two.account }] }
      }
    })
    const { code, stdout } = await answerOf({ ...elsewhere, WATCHWORD_CELLS: cells }, "account", "list")
    expect([code, stdout.split("\n")]).toEqual([
      0,
      ["eu-1:", expect.stringContaining("Shop of eu-1"), "eu-2:", expect.stringContaining("Shop of eu-2"), ""]
    ])
  })

  it("leaves cells out that do not know what another one does, and fails where none does", async () => {
    const shown = await inAll("account", "show", two.account)
    expect(Object.keys(Object(shown["cells"]))).toEqual(["eu-2"])
    const { code, stderr } = await said("--cells", cells, "account", "show", "acc_01KAJ3T8ZZ0000000000000000")
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no such account.")])
  })

  it("finds why a number got no code in the cell that sent it, and sums of traffic", async () => {
    await request(callerOf(two.server, two.account, two.key), "/sms", { to: NUMBER, text: "Your code is 123456" })
    const { stdout } = await said("--cells", cells, "why", NUMBER)
    expect(stdout).toMatch(/^eu-1:\n(?: {2}.*\n)+eu-2:\n/)
    expect(stdout.slice(stdout.indexOf("eu-2:"))).toContain(two.account)
    expect(stdout.slice(0, stdout.indexOf("eu-2:"))).not.toContain(two.account)
    expect(Object.keys(Object((await inAll("traffic"))["cells"]))).toEqual(["eu-1", "eu-2"])
  })

  it("changes one alone, which is named", async () => {
    const create = ["account", "create", "--name", "New"]
    const refused = await said("--cells", cells, ...create)
    const where = "account create changes something: say where by --cell, one of eu-1, eu-2."
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(where)])
    const { account_id } = await command(elsewhere, "--cells", cells, "--cell", "eu-2", ...create)
    expect(JSON.stringify(await command(two.environment, "account", "list"))).toContain(String(account_id))
    expect(JSON.stringify(await command(one.environment, "account", "list"))).not.toContain(String(account_id))
  })

  it("names a cell that fails beside the answers of the others", async () => {
    const broken = JSON.stringify({
      "eu-1": { url: one.server.origin, token_file: "eu-1.token" },
      "eu-3": { url: "http://127.0.0.1:1", token_file: "eu-2.token" }
    })
    writeFileSync(file("broken.json"), broken)
    const { code, stdout } = await said("--cells", file("broken.json"), "account", "list")
    expect([code, stdout]).toEqual([1, expect.stringMatching(/eu-1:\n.*Shop of eu-1\neu-3:\n {2}http:\S+ cannot be/)])
    const json = await said("--cells", file("broken.json"), "account", "list", "--json")
    expect(JSON.parse(json.stdout)).toMatchObject({ cells: { "eu-3": { error: "SERVICE_UNAVAILABLE" } } })
    // A map without the accounts of a cell would send them to another one.
    const map = await said("--cells", file("broken.json"), "cells", "map")
    expect([map.code, map.stdout]).toEqual([1, ""])
    expect(map.stderr).toContain("cannot be reached")
  })

  it("refuses a file that says nothing, and flags that exclude each other", async () => {
    const token = { token_file: "eu-1.token" }
    const files: ReadonlyArray<readonly [unknown, string]> = [
      [{}, "has no cells"],
      [{ "EU 1": { url: one.server.origin, ...token } }, "the name EU 1 must be lower-case letters, digits and -"],
      [{ "eu-1": { url: "http://192.0.2.1", ...token } }, "must be the address of the cell's operators' API"],
      [{ "eu-1": { url: one.server.origin } }, "eu-1.token_file is required"],
      [{ "eu-1": { url: one.server.origin, token: "wwo_x", ...token } }, "eu-1.token"],
      [{ "eu-1": { url: one.server.origin, token_file: "no.token" } }, "(the token_file of eu-1) cannot be read"],
      [{ "eu-1": { url: one.server.origin, token_file: "wrong.json" } }, "must hold a token of watchword operator"]
    ]
    for (const [content, words] of files) {
      writeFileSync(file("wrong.json"), JSON.stringify(content))
      const { code, stderr } = await said("--cells", file("wrong.json"), "account", "list")
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
    }
    const flags: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["--cells", file("none.json"), "account", "list"], "none.json (--cells) cannot be read"],
      [["--cells", cells, "--cell", "eu-9", "account", "list"], "--cell must be one of eu-1, eu-2"],
      [["--cell", "eu-1", "account", "list"], "--cell means nothing without --cells"],
      [
        ["--cells", cells, "--url", one.server.origin, "account", "list"],
        "--url is one server and --cells are several"
      ],
      [["--cells", cells, "audit"], "audit works on the database itself"],
      [["--cells", cells, "account", "credit", one.account, "5"], "account credit works on the database"],
      [["cells", "map"], "cells map needs --cells FILE"]
    ]
    for (const [args, words] of flags) {
      const { code, stderr } = await said(...args)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining(words)])
    }
  })
})

describe("cells map", () => {
  it("has the cell of each account, and none of one that acts in two", async () => {
    const { accounts } = await inAll("cells", "map")
    expect(accounts).toMatchObject({ [one.account]: "eu-1", [two.account]: "eu-2" })
    const { stdout } = await said("--cells", cells, "cells", "map")
    expect(stdout.split("\n")).toContain(`${two.account} eu-2`)

    const twin = one.account
    const db = new Sqlite(file("two.db"))
    const columns = "name, min_ring, max_ring, store_text, originators, created_at, available, held, entries"
    db.exec(`ATTACH '${file("one.db")}' AS other`)
    db.exec(`INSERT INTO accounts (id, ${columns}) SELECT id, ${columns} FROM other.accounts WHERE id = '${twin}'`)
    db.close()
    const { code, stderr, stdout: nothing } = await said("--cells", cells, "cells", "map")
    const both = `Account ${twin} is in eu-1 and eu-2: suspend it in all of them but one.`
    expect([code, stderr, nothing]).toEqual([1, expect.stringContaining(both), ""])
    await command(elsewhere, "--cells", cells, "--cell", "eu-1", "account", "suspend", twin)
    expect((await inAll("cells", "map"))["accounts"]).toMatchObject({ [twin]: "eu-2" })
    // Suspended in both, it is led to where it has acted last, and all others as before.
    await command(elsewhere, "--cells", cells, "--cell", "eu-2", "account", "suspend", twin)
    expect((await inAll("cells", "map"))["accounts"]).toMatchObject({ [twin]: "eu-2", [two.account]: "eu-2" })
    await command(elsewhere, "--cells", cells, "--cell", "eu-2", "account", "resume", twin)
    await command(elsewhere, "--cells", cells, "--cell", "eu-2", "account", "suspend", twin)
    await command(elsewhere, "--cells", cells, "--cell", "eu-1", "account", "resume", twin)
    await command(elsewhere, "--cells", cells, "--cell", "eu-1", "account", "suspend", twin)
    expect((await inAll("cells", "map"))["accounts"]).toMatchObject({ [twin]: "eu-1" })
  })
})
