import { describe, expect, it } from "vitest"
import { request } from "./client.ts"
import { installationForAll, serverForAll } from "./Installation.ts"
import { answerOf } from "./Standalone.ts"

const NUMBER = "+4915123456789"

const installation = installationForAll()
const { command, environment, failingCommand, newAccount } = installation
const { callerOf } = serverForAll(installation)

describe("erase", () => {
  it("counts what it has changed and never prints the number, while the server runs", async () => {
    const caller = await callerOf(await newAccount("--sms-sender", "Acme"), "--sandbox")
    const sent = await request(caller, "/sms", { to: NUMBER, text: "Your code is 424242" })
    expect(sent.status).toBe(200)
    const { code, stdout } = await answerOf(environment(), "erase", NUMBER, "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ records: 1, under_way: 0, reclaimed: true })
    expect(stdout).not.toContain(NUMBER.slice(1))
    expect(await command("why", NUMBER)).toMatchObject({ items: [] })
    expect(await command("erase", NUMBER, "--rewrite")).toMatchObject({ records: 0 })
    expect(await command("audit")).toMatchObject({ ok: true })
  })

  it("exits with 1 while a verification of the number is pending", async () => {
    const caller = await callerOf(await newAccount("--sms-sender", "Acme"), "--sandbox")
    const workflow = [{ channel: "sms", timeout: 30 }]
    const started = await request(caller, "/verifications", { to: NUMBER, workflow })
    expect(started.status).toBe(200)
    const { code, stdout } = await answerOf(environment(), "erase", NUMBER, "--json")
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ under_way: 1 })
  })

  it("refuses what is no number", async () => {
    expect(await failingCommand("erase", "0151")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("number must begin with a plus sign")
    })
  })
})

describe("retention", () => {
  it("keeps everything until it is set", async () => {
    expect(await command("retention", "show")).toEqual({ records: null, texts: null })
    const set = { records: 90, texts: 30 }
    expect(await command("retention", "set", "--records", "90d", "--texts", "30d")).toEqual(set)
    expect(await command("retention", "show")).toEqual(set)
    expect(await command("retention", "set", "--records", "forever")).toEqual({ ...set, records: null })
  })

  it.each([
    [["--records", "12h"], "--records must be 2d to 3650d, in whole days, or forever"],
    [["--records", "10d", "--texts", "11d"], "--texts must not be longer than records, which is 10d"],
    [[], "Give --records, --texts or both"]
  ])("names what is wrong with %j", async (flags, sentence) => {
    const failed = await failingCommand("retention", "set", ...flags)
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  })
})
