/**
 * The server is killed or stopped between receiving a user's text and acknowledging it: the carrier sends the text
 * again, and it approves once.
 */
import { smsc, type Smsc } from "@watchword/sandbox/smsc"
import { afterAll, beforeAll, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { turns } from "../../../test/until.ts"
import { callerOf, request } from "./client.ts"
import { command, start } from "./Standalone.ts"

const OURS = "+491713920000"

const { file } = folderForAll()
let carrier: Smsc

beforeAll(async () => {
  carrier = await smsc({ retry: 20 })
})

afterAll(() => carrier.stop())

it(
  "a text survives a kill and a stop, before, during and after its outcome is stored",
  { timeout: 120_000 },
  async () => {
    const environment = {
      DATABASE_URL: `sqlite:${file("killed.db")}`,
      VERIFY_SECRET: "0123456789abcdef0123456789abcdef",
      SMPP_URL: carrier.url(`receives=${OURS}`)
    }
    const running = await start(environment)
    const made = await command(environment, "account", "create", "--sms-sender", "Acme", "--balance", "1")
    const account = String(made["account_id"])
    const key = String((await command(environment, "key", "create", "--account", account))["key"])
    let server = running
    // Turns of this event loop between the text and the end of the server.
    const ends = [0, 10, 30, 100, 300, 1_000].flatMap((passed) =>
      (["kill", "stop"] as const).map((how) => [passed, how] as const)
    )
    for (const [round, [passed, how]] of ends.entries()) {
      const to = `+4915123456${700 + round}`
      const workflow = [{ channel: "receive", by: ["sms"], timeout: 300, reply: false }]
      const started = await request(callerOf(server, account, key), "/verifications", { to, workflow })
      const { id, present } = started.body
      const text: unknown = Array.isArray(present) ? present[0]?.text : undefined
      const written = carrier.write({ from: to, to: OURS, text: String(text), parts: 1 + (round % 3) })
      await turns(passed)
      if (how === "kill") await server.kill()
      else expect(await server.stop()).toBe(0)
      server = await start(environment)
      await written
      const { body } = await request(callerOf(server, account, key), `/verifications/${String(id)}`)
      expect(body).toMatchObject({ status: "approved", by: "sms", received: [{ result: "approved" }] })
    }
    expect(await server.stop()).toBe(0)
  }
)
