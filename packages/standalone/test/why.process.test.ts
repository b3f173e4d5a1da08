import { describe, expect, it } from "vitest"
import { request } from "./client.ts"
import { installationForAll, serverForAll } from "./Installation.ts"
import { answerOf } from "./Standalone.ts"

const NUMBER = "+4915123456789"

const installation = installationForAll()
const { command, failingCommand, newAccount } = installation
const { callerOf } = serverForAll(installation)

describe("why", () => {
  it("tells the story of a number, from the request to the likely reason", async () => {
    const account = await newAccount("--sms-sender", "Acme", "--name", "Acme")
    const caller = await callerOf(account, "--sandbox")
    const started = await request(caller, "/verifications", { to: NUMBER, workflow: [{ channel: "sms", timeout: 30 }] })
    expect(started.status).toBe(200)

    const story = await command("why", NUMBER)
    expect(story).toMatchObject({
      number: NUMBER,
      truncated: false,
      items: [
        { account, name: "Acme", mode: "sandbox", channel: "verify", status: "pending", verification: null },
        { account, mode: "sandbox", channel: "sms", verification: expect.any(String) }
      ],
      reason: expect.stringMatching(/sms/)
    })
    expect(await command("why", "+4915123456780")).toMatchObject({ items: [] })
  })

  it("names the account, the reason and what to do about it, each once", async () => {
    const account = await newAccount("--name", "Bravo")
    const caller = await callerOf(account, "--sandbox")
    const busy = "+4915123450503"
    expect((await request(caller, "/sms", { to: busy, text: "Your code is 123456" })).status).toBe(503)
    const { stdout } = await answerOf(installation.environment(), "why", busy)
    expect(stdout).toContain(`Bravo (${account}), sandbox`)
    expect(stdout).toMatch(/^Likely reason: not sent by sms: .*[^.]\.\nWhat to do: the gateway refused: .*[^.]\.\n$/m)
  })

  it("refuses what is no number, and no time", async () => {
    expect(await failingCommand("why", "0151")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("number must begin with a plus sign")
    })
    expect(await failingCommand("why", NUMBER, "--since", "now")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--since must be a time in ISO 8601")
    })
  })
})
