import { describe, expect, it } from "vitest"
import { request } from "./client.ts"
import { installationForAll, serverForAll } from "./Installation.ts"

const installation = installationForAll()
const { command, failingCommand, newAccount } = installation
const { callerOf } = serverForAll(installation)

const start = async (to: string) => {
  const account = await newAccount("--sms-sender", "Acme")
  const caller = await callerOf(account, "--sandbox")
  const { body } = await request(caller, "/verifications", { to, workflow: [{ channel: "sms", timeout: 30 }] })
  return { account, id: body["id"] }
}

describe("commands on the records of a running server", () => {
  it("show the program, its database and its process", async () => {
    expect(await command("overview")).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      migrations: { database: expect.any(Number), program: expect.any(Number) },
      problems: []
    })
    expect(await command("process", "list")).toMatchObject({ processes: [{ process_id: expect.any(String) }] })
  })

  it("list the newest sends and verifications, and cancel one", async () => {
    const { account, id } = await start("+4915123456789")
    expect(await command("delivery", "list", "--account", account)).toMatchObject({
      deliveries: [{ account_id: account, channel: "sms", verification_id: id }],
      next: null
    })
    expect(await command("verification", "list", "--account", account, "--limit", "1")).toMatchObject({
      verifications: [{ id, status: "pending" }]
    })
    expect(await command("verification", "cancel", String(id))).toEqual({ verification_id: id, status: "canceled" })
    expect(await command("verification", "show", String(id))).toMatchObject({ id, status: "canceled" })
  })

  it("name the flag that is wrong", async () => {
    expect(await failingCommand("delivery", "list", "--limit", "1000")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--limit must be from 1 to 100")
    })
    expect(await failingCommand("delivery", "list", "--channel", "pigeon")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--channel must be one of call, sms")
    })
  })
})
