/**
 * The faces of operators' commands: the command line, the operators' API, and service.operator.
 */
import { afterEach, describe, expect, it } from "vitest"
import { DatabaseCommands, commands } from "@watchword/operator/commands"
import { createWatchword, memory } from "watchword"
import { endAll, start } from "./console.ts"

afterEach(endAll)

/** Every command that is not on all faces, with the faces that it is not on. */
const ELSEWHERE = [
  ["account credit", ["http"]],
  ["account debit", ["http"]],
  ["console open", ["http"]],
  ["audit", ["http", "program"]],
  ["backup", ["http", "program"]],
  ["migrate", ["http", "program"]],
  ["move", ["http", "program"]],
  ["restore", ["http", "program"]]
] as const

const all = [...commands, ...DatabaseCommands.databaseCommands]

describe("a command that is not on a face", () => {
  it("is one of these, and says why", () => {
    const absent = all.filter(({ absent }) => Object.keys(absent).length > 0)
    expect(absent.map(({ absent, name }) => [name.join(" "), Object.keys(absent).toSorted()])).toEqual(ELSEWHERE)
    const reasons = absent.flatMap(({ absent }) => Object.values(absent))
    expect(reasons.filter((reason) => !/^[a-z].* .*[a-z]$/.test(reason))).toEqual([])
  })

  it("says over HTTP where it is, to operators alone", async () => {
    const { ask, grant } = await start()
    const { token } = await grant("support")
    for (const { absent, name } of all) {
      if (absent.http === undefined) continue
      const path = name.join("/")
      const { json, status } = await ask(path, { token, body: {} })
      expect([status, json["error"]]).toEqual([404, "NOT_FOUND"])
      expect(json["message"]).toContain(`because ${absent.http}. Use \`watchword ${name.join(" ")}\` on the machine`)
      expect((await ask(path, { body: {} })).status).toBe(401)
    }
    const { json } = await ask("account/credit", { token, body: {} })
    expect(json["message"]).toContain("or service.operator.account.credit in an app.")
  })

  it("says in a program where it is", async () => {
    await using service = await createWatchword({ store: memory() })
    const { audit, backup, migrate, move, restore } = service.operator
    for (const call of [audit, backup, migrate, move, restore]) {
      await expect(call()).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: expect.stringMatching(
          /is not available here, because .*\. Use `watchword [a-z]+` on the machine of the server\.$/
        )
      })
    }
  })
})
