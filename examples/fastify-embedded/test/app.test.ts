import { makeApp } from "@watchword/fastify-embedded/app"
import { startWatchword } from "@watchword/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import { endWithRunner } from "../../../test/exits/endWithRunner.ts"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const start = async () => {
  const kit = await startWatchword()
  closing.push(kit.dispose)
  const app = makeApp(kit.service, kit.account)
  closing.push(() => app.close())
  const post = async (url: string, payload: object, headers = {}) => {
    const response = await app.inject({ method: "POST", url, payload, headers })
    return { status: response.statusCode, body: response.json() }
  }
  return { ...kit, post }
}

describe("a booking", () => {
  it("is confirmed with the code that was sent to its phone", async () => {
    const { inbox, post } = await start()
    const made = await post("/bookings", { phone: "+4915123456789", seats: 2 })
    expect(made).toMatchObject({ status: 201, body: { seats: 2, confirmedBy: null } })
    const { code } = await inbox.next("+4915123456789")
    const confirm = `/bookings/${made.body.id}/confirm`
    expect((await post(confirm, { code: "guess" })).status).toBe(400)
    expect(await post(confirm, { code })).toMatchObject({
      status: 200,
      body: { confirmedBy: "+4915123456789" }
    })
    expect((await post(confirm, { code })).status).toBe(400)
    expect((await post("/bookings/none/confirm", { code })).status).toBe(404)
  })

  it("is not made when no code can be sent, and says why", async () => {
    const { post } = await start()
    expect((await post("/bookings", { seats: 2 })).status).toBe(400)
    expect((await post("/bookings", { phone: "0151", seats: 2 })).status).toBe(400)
    expect((await post("/bookings", { phone: "+491512340503", seats: 2 })).status).toBe(503)
    expect((await post("/bookings", { phone: "+4915123456789", seats: 2 })).status).toBe(201)
    expect((await post("/bookings", { phone: "+4915123456789", seats: 2 })).status).toBe(429)
  })

  it("stands beside the whole interface", async () => {
    const { account, keys, post } = await start()
    const headers = { "x-account-id": account, "x-api-key": keys.sandbox }
    expect(await post("/v1/sms/sdr", {}, headers)).toMatchObject({ status: 200, body: { total: 0 } })
  })
})

it("the example runs, and ends when it is told to", async () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  endWithRunner(child)
  const [line]: Array<string> = await once(createInterface(child.stdout), "line")
  const response = await fetch(`${line?.match(/http:\S+\d/)?.[0]}/bookings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ phone: "+4915123456789", seats: 2 })
  })
  expect(response.status).toBe(201)
  child.kill("SIGTERM")
  expect(await once(child, "exit")).toEqual([0, null])
})
