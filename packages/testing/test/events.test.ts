import { turns } from "../../../test/until.ts"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Event } from "watchword"
import { send, start, to } from "./kit.ts"

/** A server that takes webhooks, or answers 503 while it is down. */
const receiver = async () => {
  const received: Array<Event> = []
  const state = { isDown: false, received, url: "" }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      if (!state.isDown) received.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(state.isDown ? 503 : 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port }: AddressInfo = Object(server.address())
  state.url = `http://127.0.0.1:${port}`
  return state
}

describe("events of a kit", () => {
  it("have been told to handlers when an advance is done, those of receipts as well", async () => {
    const kit = await start()
    const statuses: Array<unknown> = []
    kit.service.on("delivery.updated", async ({ data }) => {
      await turns()
      statuses.push(data.status)
    })
    await send(kit, "sms")
    await kit.clock.advance(0)
    expect(statuses).toEqual(["sent"])
    await kit.clock.advance(2)
    expect(statuses).toEqual(["sent", "delivered"])
  })

  it("have been sent to webhooks, again where the receiver was down", async () => {
    const kit = await start()
    const app = await receiver()
    await kit.service.operator.webhook.add({ url: app.url, events: ["verification.approved"] })
    const { id } = await kit.service.verify.start(kit.account, { to })
    const { code } = await kit.inbox.next(to)
    app.isDown = true
    await kit.service.verify.check(kit.account, id, { code })
    await kit.clock.advance(0)
    app.isDown = false
    expect(app.received).toEqual([])
    await kit.clock.advance(10)
    expect(app.received).toMatchObject([{ type: "verification.approved", data: { id, to } }])
  })

  it("are tried again as often as an advance leaves time for", async () => {
    const kit = await start()
    let calls = 0
    kit.service.on("delivery.updated", () => {
      calls++
      throw new Error("not now")
    })
    await send(kit, "sms", to)
    await kit.clock.advance(600)
    expect(calls).toBeGreaterThan(3)
  })
})
