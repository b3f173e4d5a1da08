import * as Schema from "effect/Schema"
import { beforeAll, describe, expect, it } from "vitest"
import { installationForAll, serverForAll } from "./Installation.ts"
import { startFailing } from "./Standalone.ts"

const installation = installationForAll(() => ({ DEMO: "no" }))
let account: string
let key: string

beforeAll(async () => {
  account = await installation.newAccount("--name", "Acme", "--sms-sender", "Acme")
  key = await installation.newKey(account, "--sandbox")
  await installation.command("account", "workflow", "set", account, "login", "sms:60")
})

const { running } = serverForAll(installation, () => ({ DOORS: "twilio,camara" }))

const Ids = Schema.Struct({ twilio: Schema.Record(Schema.String, Schema.String) })

const idsOf = async () => Schema.decodeUnknownSync(Ids)(await installation.command("door", "ids", account)).twilio

describe("the standalone server", () => {
  it("has the doors that are set, with the ids that the command prints", async () => {
    const ids = await idsOf()
    expect(ids["VERIFY_SERVICE_SID of login"]).toMatch(/^VA[0-9a-f]{32}$/)
    const answer = await fetch(`${running().origin}/twilio/v2/Services/${ids["VERIFY_SERVICE_SID"]}/Verifications`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${ids["TWILIO_ACCOUNT_SID"]}:${key}`)}` },
      body: new URLSearchParams({ To: "+4915123456789", Channel: "sms" })
    })
    const verification: unknown = await answer.json()
    expect([answer.status, verification]).toMatchObject([
      201,
      {
        status: "pending",
        service_sid: ids["VERIFY_SERVICE_SID"],
        url: expect.stringMatching(`^${running().origin}/twilio/v2/Services/`)
      }
    ])
    expect(running().printed()).toContain("A door is at http://127.0.0.1:")
  })

  it("has a door with a token endpoint, whose client is an account with its key", async () => {
    const root = `${running().origin}/one-time-password-sms`
    const form = { grant_type: "client_credentials", client_id: account, client_secret: key }
    const issued = await fetch(`${root}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) })
    const { access_token: token }: { readonly access_token?: string } = Object(await issued.json())
    const answer = await fetch(`${root}/v1/validate-code`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-correlator": "a-1" },
      body: JSON.stringify({ authenticationId: "vrf_01KAJ3T8ZZ0000000000000000", code: "123456" })
    })
    expect(await answer.json()).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect(answer.headers.get("x-correlator")).toBe("a-1")
  })

  it("answers paths next to a door as before", async () => {
    expect((await fetch(`${running().origin}/healthz`)).status).toBe(200)
    expect((await fetch(`${running().origin}/twiliox/v2/Services`)).status).toBe(404)
  })

  it("refuses unknown doors", async () => {
    const printed = async (settings: Readonly<Record<string, string>>) =>
      (await startFailing({ ...installation.environment(), ...settings })).printed
    expect(await printed({ DOORS: "twilio,sinch" })).toContain("DOORS must be one or more of twilio")
    expect(await printed({ DOORS: "twilio", DOOR_CALLS: "yes" })).toContain("DOOR_CALLS must be flash")
  })

  it("needs an account's id for its ids", async () => {
    expect(JSON.stringify(await installation.failingCommand("door", "ids", "Acme"))).toContain(
      "must be an account's id"
    )
  })
})
