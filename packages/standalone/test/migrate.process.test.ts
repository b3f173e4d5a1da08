import { existsSync } from "node:fs"
import { beforeEach, describe, expect, it } from "vitest"
import { migrations } from "../../../adapters/store-sqlite/src/schema.ts"
import { folderForEach } from "../../../test/folder.ts"
import { nextProgram } from "./next/environment.ts"
import { request } from "./client.ts"
import { type Running, command, failingCommand, start, startFailing } from "./Standalone.ts"

/** The version of today's program. */
const program = migrations.length

const folder = folderForEach()
let file: string
let today: { readonly DATABASE_URL: string }
let next: Record<string, string>

beforeEach(() => {
  file = folder.file("test.db")
  today = { DATABASE_URL: `sqlite:${file}` }
  next = { ...today, ...nextProgram("expansion") }
})

const checked = (environment: Readonly<Record<string, string>>) =>
  command(environment, "migrate", "--check").then(
    (answer) => ({ code: 0, answer }),
    ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, answer: JSON.parse(stdout) })
  )

describe("migrate", () => {
  it("makes a database, and with --check says what is missing and changes nothing", async () => {
    const message = "The database has no tables yet: run `watchword migrate`, or start the server."
    const pending = migrations.map(({ name }, i) => ({ version: i + 1, name, floor: null }))
    expect(await checked(today)).toEqual({
      code: 1,
      answer: { ok: false, database: 0, program, floor: 0, pending, message }
    })
    expect(await failingCommand(today, "audit")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no database ${file}`)
    })
    expect(existsSync(file)).toBe(false)
    expect(await command(today, "migrate")).toEqual({ ok: true, from: 0, to: program, floor: 1, applied: pending })
    expect(await checked(today)).toEqual({
      code: 0,
      answer: { ok: true, database: program, program, floor: 1, pending: [] }
    })
    expect(await command(today, "migrate")).toEqual({ ok: true, from: program, to: program, floor: 1, applied: [] })
  })

  it("is asked for by the commands of a newer program, which migrate nothing", async () => {
    await command(today, "migrate")
    const message = `The database has version ${program}, and this program needs version ${program + 1}: run \`watchword migrate\`.`
    const refused = [["audit"], ["why", "+4915123456789"], ["account", "list"]].map((args) =>
      failingCommand(next, ...args)
    )
    const checking = command(next, "check")
    for (const { code, stderr } of await Promise.all(refused)) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    }
    const { checks } = await checking
    expect(checks).toContainEqual({
      part: "database",
      result: "warning",
      message: `${message} A start also migrates it; make a backup first.`
    })
    expect((await checked(today)).answer).toMatchObject({ database: program })
    expect(await checked(next)).toMatchObject({ code: 1, answer: { ok: false, message, pending: [{ name: "notes" }] } })
  })

  it("is made while an older server runs, which works on and may be started again", async () => {
    const running = await start({ ...today, DEMO: "no" })
    expect(await command(next, "migrate")).toMatchObject({ from: program, to: program + 1, floor: 1 })
    const account = String((await command(today, "account", "create", "--balance", "1"))["account_id"])
    const { key } = await command(today, "key", "create", "--account", account, "--sandbox")
    const send = async ({ origin }: Running) => {
      const caller = { account, key: String(key), port: Number(new URL(origin).port) }
      return (await request(caller, "/sms", { to: "+4915123456789", text: "Hello" })).status
    }
    expect(await send(running)).toBe(200)
    expect(await running.stop()).toBe(0)
    const again = await start({ ...today, DEMO: "no" })
    expect(await send(again)).toBe(200)
    await again.stop()
    const newer = await start({ ...next, DEMO: "no" })
    expect(await send(newer)).toBe(200)
    await newer.stop()
    for (const environment of [today, next]) {
      expect(await command(environment, "audit")).toMatchObject({ ok: true, checked: { deliveries: 3 } })
    }
  })

  it("to a version that older programs cannot work on has them refuse it", async () => {
    await command({ ...today, ...nextProgram("contraction") }, "migrate")
    const message =
      `was migrated by a newer program: it takes programs of version ${program + 1} or later, ` +
      `and this one has version ${program}.`
    expect(await startFailing(today)).toMatchObject({ code: 1, printed: expect.stringContaining(message) })
    expect(await failingCommand(today, "audit")).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
    expect(await checked(today)).toMatchObject({
      code: 1,
      answer: { ok: false, database: program + 2, floor: program + 1, message: expect.stringContaining(message) }
    })
    expect(await checked(next)).toMatchObject({
      code: 0,
      answer: { ok: true, database: program + 2, program: program + 1 }
    })
  })
})
