import { beforeAll, describe, expect, it } from "vitest"
import { installationForAll, serverForAll } from "./Installation.ts"
import { start, startFailing } from "./Standalone.ts"

const AUTHORIZATION = "Bearer 7a1f0b52c3d94e6f8a7b6c5d4e3f2a1b"

const installation = installationForAll(() => ({ DEMO: "no" }))
const other = installationForAll(() => ({ DEMO: "no" }))
let account: string

beforeAll(async () => {
  account = await installation.newAccount("--name", "Acme", "--sms-sender", "Acme")
})

const { running } = serverForAll(installation, () => ({
  HOOKS_ACCOUNT: account,
  HOOKS_SANDBOX: "yes",
  LOGTO_HOOK_AUTHORIZATION: AUTHORIZATION
}))

const post = (hook: string, authorization: string): Promise<Response> =>
  fetch(`${running().baseUrl}/hooks/${hook}`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ to: "+4915123456789", type: "SignIn", payload: { code: "482913" } })
  })

describe("the standalone server", () => {
  it("has the receiver whose secret is set, and no other", async () => {
    expect((await post("logto", AUTHORIZATION)).status).toBe(200)
    expect((await post("logto", "Bearer another")).status).toBe(401)
    expect((await post("supabase", AUTHORIZATION)).status).toBe(404)
    const key = await installation.newKey(account, "--sandbox")
    const inbox = await fetch(`${running().baseUrl}/sandbox/inbox`, {
      headers: { "x-account-id": account, "x-api-key": key }
    })
    expect(await inbox.json()).toMatchObject({ messages: [{ to: "+4915123456789", code: "482913" }] })
    expect(running().printed()).not.toContain("HOOKS_ACCOUNT")
  })

  it("says at its start that there is no such account", async () => {
    const unknown = "acc_01KAJ3T8ZZ0000000000000000"
    const settings = { HOOKS_ACCOUNT: unknown, LOGTO_HOOK_AUTHORIZATION: AUTHORIZATION }
    const server = await start({ ...other.environment(), ...settings })
    await server.stop()
    expect(server.printed()).toContain(`HOOKS_ACCOUNT is ${unknown}, and there is no such account`)
  })

  it("needs an account that pays, and secrets of their form", async () => {
    const printed = async (settings: Readonly<Record<string, string>>) =>
      (await startFailing({ ...installation.environment(), ...settings })).printed
    expect(await printed({ LOGTO_HOOK_AUTHORIZATION: AUTHORIZATION })).toContain("HOOKS_ACCOUNT must be set")
    expect(await printed({ HOOKS_ACCOUNT: "Acme", ZITADEL_HOOK_KEY: "key" })).toContain("HOOKS_ACCOUNT must be")
    const supabase = { HOOKS_ACCOUNT: account, SUPABASE_HOOK_SECRET: "whsec_1" }
    expect(await printed(supabase)).toContain("SUPABASE_HOOK_SECRET must be v1,whsec_")
  })
})
