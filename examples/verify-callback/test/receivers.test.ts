import { type CallbackEvent, signCallback } from "@watchword/callback-signature"
import { receiver as expressReceiver } from "@watchword/verify-callback/express"
import { receiver as fastifyReceiver } from "@watchword/verify-callback/fastify"
import { Miniflare, type Request, Response } from "miniflare"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"

const accessToken = "TEST_TOKEN"

interface Running {
  readonly url: string
  readonly close: () => Promise<unknown>
}
type Start = (onEvent: (event: CallbackEvent) => void) => Promise<Running>

const express: Start = (onEvent) =>
  new Promise((resolve) => {
    const server = expressReceiver(accessToken, onEvent).listen(0, "127.0.0.1", () => {
      const { port }: Pick<AddressInfo, "port"> = Object.assign({ port: 0 }, server.address())
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => new Promise((closed) => server.close(closed))
      })
    })
  })

const fastify: Start = async (onEvent) => {
  const app = fastifyReceiver(accessToken, onEvent)
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() }
}

const worker: Start = async (onEvent) => {
  const build = await rolldown({ input: fileURLToPath(new URL("../src/worker.ts", import.meta.url)) })
  const { output } = await build.generate({ format: "esm" })
  await build.close()
  const miniflare = new Miniflare({
    workers: [
      {
        name: "receiver",
        modules: true,
        script: output[0].code,
        compatibilityDate: "2026-07-01",
        bindings: { GATEWAY_ACCESS_TOKEN: accessToken },
        serviceBindings: { EVENTS: { name: "events", entrypoint: "Events" } }
      },
      {
        name: "events",
        modules: true,
        script: `import { WorkerEntrypoint } from "cloudflare:workers"
          export class Events extends WorkerEntrypoint {
            async send(event) { await this.env.TEST.fetch("http://test", { method: "POST", body: JSON.stringify(event) }) }
          }
          export default {}`,
        compatibilityDate: "2026-07-01",
        serviceBindings: {
          TEST: async (request: Request) => {
            onEvent(JSON.parse(await request.text()))
            return new Response()
          }
        }
      }
    ],
    host: "127.0.0.1",
    cf: false,
    telemetry: { enabled: false }
  })
  const { origin } = await miniflare.ready
  return { url: origin, close: () => miniflare.dispose() }
}

describe.each([
  ["Express", express],
  ["Fastify", fastify],
  ["a Worker", worker]
] as const)("a receiver in %s", (_name, start) => {
  const events: Array<CallbackEvent> = []
  let running: Running
  beforeAll(async () => {
    running = await start((event) => events.push(event))
  })
  afterAll(() => running.close())
  beforeEach(() => {
    events.length = 0
  })

  const post = (path: string, body: string, headers: Record<string, string>) =>
    fetch(`${running.url}${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers }
    })

  // Spaces and the order of fields are lost when a body is parsed and written again.
  const body = '{ "status": "code_valid",\n  "request_id": "é", "request_cost": 1.0 }'

  it("takes a signed event, to the letter", async () => {
    const response = await post("/callback", body, await signCallback(body, { accessToken }))
    expect(response.status).toBe(200)
    expect(events).toEqual([{ request_id: "é", status: "code_valid", request_cost: 1 }])
  })

  it("takes it under any content type", async () => {
    const headers = await signCallback(body, { accessToken })
    const response = await post("/callback", body, { ...headers, "content-type": "text/plain" })
    expect(response.status).toBe(200)
    expect(events).toHaveLength(1)
  })

  it("answers 401 to a body that was changed", async () => {
    const response = await post("/callback", `${body} `, await signCallback(body, { accessToken }))
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ error: "INVALID_SIGNATURE" })
    expect(events).toEqual([])
  })

  it("answers 401 to another token's signature", async () => {
    const response = await post("/callback", body, await signCallback(body, { accessToken: "OTHER" }))
    expect(response.status).toBe(401)
    expect(events).toEqual([])
  })

  it("answers 401 to an old event", async () => {
    const timestamp = Math.floor(Date.now() / 1000) - 400
    const response = await post("/callback", body, await signCallback(body, { accessToken, timestamp }))
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ error: "EXPIRED_TIMESTAMP" })
  })

  it("answers 401 to an event that is not signed", async () => {
    const response = await post("/callback", body, {})
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ error: "MISSING_HEADER" })
  })

  it("answers 401 to no body at all", async () => {
    const headers = await signCallback("", { accessToken: "OTHER" })
    const response = await fetch(`${running.url}/callback`, { method: "POST", headers })
    expect(response.status).toBe(401)
  })

  it("leaves the parsing of other routes alone", async () => {
    const response = await post("/echo", body, {})
    expect(await response.json()).toEqual({ status: "code_valid", request_id: "é", request_cost: 1 })
  })
})
