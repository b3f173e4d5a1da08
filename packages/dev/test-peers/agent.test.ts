/**
 * A foreign client of the Model Context Protocol signs a user up in the order in which SKILL.md has it.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { agent } from "../test/agent.ts"
import { start } from "../test/DevServer.ts"

const folder = folderForEach()
const root = join(import.meta.dirname, "../../..")
const number = "+4915123456789"

/** The tools that SKILL.md names, in its order. */
const toolsOf = (skill: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.toSorted((one, other) => skill.indexOf(`\`${one}\``) - skill.indexOf(`\`${other}\``))

describe("an agent", () => {
  it("signs a user up by the form of an app, one call after the other", async () => {
    const program = ["--", process.execPath, join(root, "examples/sign-up/src/main.ts")]
    const server = await start({ folder: folder.path(), flags: program, env: { PORT: "0" } })
    const [, app = ""] = (await until(() => /sign-up is at (\S+)/.exec(server.out()))) ?? []
    const [cookie = ""] = (await fetch(app)).headers.getSetCookie().map((set) => set.split(";")[0])
    const post = async (body: object) => {
      const headers = { cookie, "content-type": "application/json" }
      return (await fetch(`${app}/phone`, { method: "POST", headers, body: JSON.stringify(body) })).json()
    }
    const client = await agent(server.origin)
    const { sent } = await post({ action: "start", to: "01512 3456789", country: "DE", language: "en" })
    const id: unknown = sent?.id
    // Seconds pass between two calls of an agent: the code is on the phone before it is asked for.
    await until(() => server.out().includes("delivered"))
    const { found } = await client.call("next_code", { to: number })
    const { code, verification_id } = Object(found)
    expect(verification_id).toBe(id)
    expect(await post({ action: "check", id, code })).toMatchObject({ stage: "approved" })
    expect(await (await fetch(`${app}/welcome`, { headers: { cookie } })).text()).toContain(number)
    await until(async () => {
      const { event } = await client.call("last_event", { type: "verification.approved" })
      return Object(Object(event)["data"])["id"] === id
    })
    await client.close()
    await server.stop()
  })

  it("signs a user up by tools alone, in the order in which SKILL.md names them", async () => {
    const server = await start({ folder: folder.path() })
    const client = await agent(server.origin)
    const skill = await readFile(join(root, "packages/standalone/SKILL.md"), "utf8")
    const names = (await client.tools()).map(({ name }) => name).filter((name) => name !== "phones")
    for (const name of names) expect(skill).toContain(`\`${name}\``)
    const order = toolsOf(skill, names)
    expect(order.slice(0, 4)).toEqual(["start_verification", "next_code", "check_code", "last_event"])
    const known: Record<string, string> = {}
    const answers: Array<unknown> = []
    for (const name of order.slice(0, 4)) {
      const given = {
        start_verification: { to: number },
        next_code: { to: number },
        check_code: { verification_id: known["verification_id"], code: known["code"] },
        last_event: {}
      }[name]
      const answer = await client.call(name, given)
      answers.push(answer)
      Object.assign(known, Object(answer)["found"])
    }
    expect(answers[0]).toMatchObject({ verification: { id: known["verification_id"], to: number, status: "pending" } })
    expect(answers[2]).toMatchObject({ valid: true, status: "approved" })

    const other = "+4915123456790"
    await client.call("set_phone", { to: other, offline: true })
    await client.call("start_verification", { to: other, channels: ["chatgw", "sms"] })
    expect(await client.call("next_code", { to: other, seconds: 1 })).toMatchObject({
      found: null,
      note: expect.stringContaining("The server has sent no code to that number")
    })
    await client.call("set_phone", { to: other })
    expect(await client.call("next_step")).toMatchObject({ verification: { to: other, channel: "sms" } })
    expect(await client.call("next_code", { to: other })).toMatchObject({ found: { to: other } })
    await client.close()
    await server.stop()
  })
})
