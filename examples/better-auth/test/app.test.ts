import { mkdtempSync, rmSync } from "node:fs"
import type { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, type Watchword, createWatchword, memory } from "watchword"
import { makeApp } from "../src/app.ts"

const PHONE = "+4915123456789"
const folder = mkdtempSync(join(tmpdir(), "watchword-better-auth-"))
let service: Watchword
let caller: Caller
let server: Server
let database: DatabaseSync
let base: string

beforeAll(async () => {
  service = await createWatchword({ store: memory() })
  caller = { account: (await service.operator.account.create({ sms_sender: "Acme" })).account_id, sandbox: true }
  database = new DatabaseSync(join(folder, "users.db"))
  server = await makeApp(service, caller, database, "0123456789abcdef0123456789abcdef")
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/api/auth`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await service.dispose()
  database.close()
  rmSync(folder, { recursive: true })
})

const post = (path: string, body: object) =>
  fetch(`${base}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

describe("a user", () => {
  it("signs in by phone, and is known in SQLite", async () => {
    expect((await post("/phone-number/send-otp", { phoneNumber: PHONE })).status).toBe(200)
    const { messages } = await service.sandbox.inbox(caller, { to: PHONE })
    const wrong = await post("/phone-number/verify", { phoneNumber: PHONE, code: "00000000" })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: "INVALID_OTP" }])
    const verified = await post("/phone-number/verify", { phoneNumber: PHONE, code: messages[0]?.code })
    expect(verified.status).toBe(200)
    const cookie = verified.headers
      .getSetCookie()
      .map((value) => value.split(";", 1)[0])
      .join("; ")
    const session = await fetch(`${base}/get-session`, { headers: { cookie } })
    expect(await session.json()).toMatchObject({ user: { phoneNumber: PHONE, phoneNumberVerified: true } })
    const stored = database.prepare("select phoneNumber from user").all()
    expect(stored.map(({ phoneNumber }) => phoneNumber)).toEqual([PHONE])
  })
})
