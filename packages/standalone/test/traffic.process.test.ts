import { writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { smsc } from "@watchword/sandbox/smsc"
import { callerOf, request } from "./client.ts"
import { installationForAll } from "./Installation.ts"
import { answerOf, start } from "./Standalone.ts"

const NUMBER = "+4915123456789"
const code = "123456"

const installation = installationForAll((folder) => ({ CARRIERS: folder.file("carriers.json"), GUARDS: "none" }))
const { command, environment, failingCommand, file, newAccount, newKey } = installation

describe("traffic and invoice", () => {
  it("agree with what the carrier counts, and show what servers have added up", async () => {
    const carrier = await smsc()
    const acme = { sms: carrier.url("timeout=60"), cost: { "49": 0.061, "*": 0.07 } }
    writeFileSync(file("carriers.json"), JSON.stringify({ carriers: { acme } }))
    const server = await start({ ...environment(), DEMO: "no" })
    const account = await newAccount("--sms-sender", "Acme", "--balance", "10")
    const live = callerOf(server, account, await newKey(account))
    for (const to of [NUMBER, NUMBER, "+33612345678"]) {
      expect((await request(live, "/sms", { to, text: "Hello" })).status).toBe(200)
    }
    const workflow = [{ channel: "sms", timeout: 30 }]
    const started = await request(live, "/verifications", { to: "+4915123456780", code, workflow })
    const { id } = Object(started.body)
    const check = await request(live, "/verifications/check", { verification_id: id, code })
    expect(check.body).toMatchObject({ valid: true })
    expect(await server.stop()).toBe(0)

    const { rows } = await command("traffic", "--since", "2h", "--account", account)
    expect(rows).toMatchObject([
      { channel: "sms", carrier: "acme", country: "DE", sent: 3, approved: 1, cost: 0.183 },
      { channel: "sms", carrier: "acme", country: "FR", sent: 1, approved: 0, cost: 0.07 }
    ])
    const { stdout } = await answerOf(environment(), "traffic", "--by", "carrier")
    expect(stdout.split("\n")[2]).toMatch(/^acme +4 +0 \(0 %\) +0 +1 \(25 %\)/)
    const { stdout: empty } = await answerOf(environment(), "traffic", "--sandbox")
    expect(empty).toContain("nothing was sent")

    const month = new Date().toISOString().slice(0, 7)
    expect(await command("statement", account, "--month", month)).toMatchObject({
      opening: 0,
      rows: [{ item: "credit", amount: 10 }],
      closing: 10
    })
    const { stdout: csv } = await answerOf(environment(), "invoice", "acme", "--month", month, "--csv")
    const today = new Date().toISOString().slice(0, 10)
    expect(csv).toBe(`day,channel,prefix,messages,parts,cost\n${today},sms,*,1,1,0.07\n${today},sms,49,3,3,0.183\n`)
    writeFileSync(file("carrier.csv"), 'message_id,cost\n"\u001b[2Jx",1\n')
    const compared = await answerOf(
      environment(),
      "invoice",
      "acme",
      "--month",
      month,
      "--against",
      file("carrier.csv")
    )
    expect(compared.stdout).toContain("\ufffd[2Jx")
    expect(compared.stdout).not.toContain("\u001b")
    expect(carrier.submits).toHaveLength(4)
    await carrier.stop()
  })

  it("says what is wrong with what was asked for", async () => {
    for (const [args, says] of [
      [["traffic", "--since", "yesterday"], "--since must be a time in ISO 8601"],
      [["traffic", "--by", "city"], '--by[0] must be one of "hour"'],
      [["traffic", "rebuild", "--since", "1m"], "There are no hours to count."],
      [["invoice", "acme", "--month", "January"], "--month must be a month such as 2027-01"],
      [
        ["invoice", "nope", "--month", "2027-01"],
        "is no carrier of the settings, of running servers or of the records of 2027-01; use acme"
      ],
      [["invoice", "acme", "--month", "2027-01", "--against", "absent.csv"], "The file absent.csv cannot be read."]
    ] as const) {
      expect(await failingCommand(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(says) })
    }
  })
})
