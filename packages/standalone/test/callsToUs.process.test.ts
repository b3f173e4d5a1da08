/**
 * Users call while the server is killed again and again: each caller is refused in the end, and each verification is
 * approved once, by its own caller.
 */
import { type PhoneCall, type Trunk, trunk as startTrunk } from "@watchword/sandbox/trunk"
import { sqlite } from "@watchword/store-sqlite"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createWatchword } from "watchword"
import { folderForEach } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { seeded } from "../../../test/random.ts"
import { until } from "../../../test/until.ts"
import { type Running, start } from "./Standalone.ts"

const OURS = "+493023125000"
const CALLERS = 60

const folder = folderForEach()
let trunk: Trunk
let port: number
let environment: Readonly<Record<string, string>>
let headers: Readonly<Record<string, string>>

beforeEach(async () => {
  const file = folder.file("test.db")
  // A phone repeats its INVITE for half a minute.
  trunk = await startTrunk({ t1: 500 })
  port = await freePort()
  environment = {
    DATABASE_URL: `sqlite:${file}`,
    GUARDS: "none",
    SIP_URL: trunk.url(`keepalive=0;receives=${OURS}`),
    SIP_LISTEN: `127.0.0.1:${port}`,
    LOG_LEVEL: "none"
  }
  const { dispose, operator } = await createWatchword({ store: sqlite(file) })
  const { account_id: account } = await operator.account.create()
  const { key } = await operator.key.create({ account_id: account })
  headers = { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
  await dispose()
})

afterEach(async () => {
  await trunk.stop()
})

const ask = async (server: Running, path: string, body?: object) => {
  const method = body === undefined ? "GET" : "POST"
  const response = await fetch(`${server.baseUrl}/verifications${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return JSON.parse(await response.text())
}

it("of sixty callers each is heard once, whenever the server dies", async () => {
  const { below } = seeded()
  const numbers = Array.from({ length: CALLERS }, (_, index) => `+49151234560${String(index).padStart(2, "0")}`)
  const workflow = [{ channel: "receive", by: ["call"], timeout: 900 }]
  let server = await start(environment)
  const ids: Array<string> = []
  for (const to of numbers) ids.push((await ask(server, "", { to, workflow, ttl: 900 })).id)
  // The last ten do not call.
  const calling = numbers.slice(0, -10)
  const calls: Array<PhoneCall> = []
  const answered = () => calls.filter(({ status }) => status === 486).length
  const at = { host: "127.0.0.1", port }
  for (let placed = 0; placed < calling.length;) {
    for (const from of calling.slice(placed, placed + 10)) calls.push(await trunk.call({ from, to: OURS, at }))
    placed += 10
    const enough = Math.min(placed, answered() + below(10))
    await trunk.until(() => answered() >= enough)
    await server.kill()
    server = await start(environment)
  }
  await until(answered, (count) => count === calling.length)
  const found = await Promise.all(ids.map((id) => ask(server, `/${id}`)))
  expect(found.map(({ by, received, status }) => [status, by, received?.length])).toEqual([
    ...calling.map(() => ["approved", "call", 1]),
    ...numbers.slice(-10).map(() => ["pending", undefined, undefined])
  ])
  expect(await server.stop()).toBe(0)
})
