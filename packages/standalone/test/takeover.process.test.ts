/**
 * Two servers on one PostgreSQL. One is killed while a phone rings: the other ends the call from the dead server's SIP
 * address, where the killed server starts again meanwhile.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { trunk as startTrunk, type Trunk } from "@watchword/sandbox/trunk"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { callerOf, request } from "./client.ts"
import { command, start } from "./Standalone.ts"

let database: PostgresServer
let trunk: Trunk

beforeAll(async () => {
  database = await startPostgres()
  trunk = await startTrunk()
})

afterAll(async () => {
  await trunk.stop()
  await database.stop()
})

it("a killed server starts again while another one has its SIP address", { timeout: 120_000 }, async () => {
  const environment = {
    DATABASE_URL: database.url,
    VERIFY_SECRET: "0123456789abcdef0123456789abcdef",
    SIP_URL: trunk.url(),
    SIP_LISTEN: "127.0.0.1:0"
  }
  const killed = await start(environment)
  const made = await command(environment, "account", "create", "--caller", "+4930901820123", "--balance", "1")
  const account = String(made["account_id"])
  const key = String((await command(environment, "key", "create", "--account", account))["key"])
  const survivor = await start(environment)
  const flash = { callee: "+4915123456789", max_ring_time: 60 }
  expect((await request(callerOf(killed, account, key), "/call/flash", flash)).status).toBe(200)
  const [call] = trunk.calls
  if (call === undefined) throw new Error("no call")
  // The trunk takes the CANCEL and never says how the call ended, so that the survivor waits for that.
  call.cancelled = () => {}

  await killed.kill()
  await trunk.until(() => trunk.requests("CANCEL").length > 0)
  expect(trunk.peers.at(-1)?.port).toBe(call.peer.port)
  const restarted = await start({ ...environment, SIP_LISTEN: `127.0.0.1:${call.peer.port}` })
  expect(restarted.printed()).toContain("the SIP listen address is in use")
  expect([await restarted.stop(), await survivor.stop()]).toEqual([0, 0])
})
