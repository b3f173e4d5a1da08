/** Verify v2 as Vonage's own Node SDK calls it, unmodified, over a socket. */
import { Channels } from "@vonage/verify2"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { PHONE, type World, openWorld, problem, wrong } from "./fixture.ts"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world[Symbol.asyncDispose]())

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const start = (more: object = {}) =>
  world.verify.newRequest({ brand: "Acme", workflow: [{ channel: Channels.SMS, to: PHONE }], ...more })

describe("the SDK", () => {
  it("starts a request, whose code of four digits is right once", async () => {
    const { requestId } = await start()
    expect(requestId).toMatch(UUID)
    const [code = ""] = await world.codes()
    expect(code).toMatch(/^[0-9]{4}$/)
    expect(await world.verify.checkCode(requestId, code)).toBe("completed")
    expect(await problem(world.verify.checkCode(requestId, code))).toMatchObject({
      status: 404,
      body: {
        type: "https://developer.vonage.com/api-errors#not-found",
        title: "Not Found",
        detail: `Request ${requestId} was not found or it has been verified already.`,
        instance: expect.stringMatching(UUID)
      }
    })
  })

  it("gets 400 for a wrong code, 410 for the third, and then no code is right", async () => {
    const { requestId } = await start()
    const [code = ""] = await world.codes()
    for (const _ of [1, 2]) {
      expect(await problem(world.verify.checkCode(requestId, wrong(code)))).toMatchObject({
        status: 400,
        body: { type: "https://www.developer.vonage.com/api-errors/verify#invalid-code", title: "Invalid Code" }
      })
    }
    const third = await problem(world.verify.checkCode(requestId, wrong(code)))
    expect(third).toMatchObject({
      status: 410,
      body: { type: "https://www.developer.vonage.com/api-errors/verify#expired" }
    })
    expect((await problem(world.verify.checkCode(requestId, code))).status).toBe(410)
  })

  it("gets 409 with the pending request for a second start, and nothing is sent", async () => {
    const { requestId } = await start()
    const again = await problem(start())
    expect(again).toMatchObject({
      status: 409,
      body: {
        type: "https://www.developer.vonage.com/api-errors/verify#conflict",
        title: "Conflict",
        detail: "Concurrent verifications to the same number are not allowed.",
        request_id: requestId
      }
    })
    world.wait(60)
    expect((await problem(start())).body).toMatchObject({ request_id: requestId })
    expect(await world.codes()).toHaveLength(1)
  })

  it("gets 409 for all starts of a number at once but one, and one code is sent", async () => {
    const starts = await Promise.all(
      Array.from({ length: 10 }, () =>
        start().then(
          ({ requestId }) => ({ status: 202, id: requestId }),
          async (error: unknown) => {
            const { body, status } = await problem(Promise.reject(error))
            return { status, id: body["request_id"] }
          }
        )
      )
    )
    expect(starts.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 9 }, () => 409)])
    expect(new Set(starts.map(({ id }) => id)).size).toBe(1)
    expect(await world.codes()).toHaveLength(1)
  })

  it("triggers the next step, and learns when no step is left", async () => {
    const { requestId } = await start({
      workflow: [
        { channel: Channels.SMS, to: PHONE },
        { channel: Channels.WHATSAPP, to: PHONE, from: "447700900000" }
      ]
    })
    const request = async () => (await world.service.verify.list(world.caller)).list[0]
    expect((await request())?.channel).toBe("sms")
    world.wait(31)
    expect(await world.verify.nextWorkflow(requestId)).toBe(true)
    expect((await request())?.channel).toBe("bizchat")
    world.wait(31)
    expect(await world.verify.nextWorkflow(requestId)).toBe(false)
  })

  it("cancels a request, which ends", async () => {
    const { requestId } = await start()
    const [code = ""] = await world.codes()
    expect(await world.verify.cancel(requestId)).toBe(true)
    expect((await world.service.verify.list(world.caller)).list[0]?.status).toBe("canceled")
    expect((await problem(world.verify.checkCode(requestId, code))).status).toBe(404)
    expect((await start()).requestId).not.toBe(requestId)
  })

  it("gets 404 for an expired request, and starts another one", async () => {
    const { requestId } = await start({ channelTimeout: 60 })
    const [code = ""] = await world.codes()
    world.wait(61)
    expect((await problem(world.verify.checkCode(requestId, code))).status).toBe(404)
    expect((await start()).requestId).not.toBe(requestId)
  })

  it("gets 404 for an unknown request, and for an id that is not a UUID", async () => {
    const unknown = "c11236f4-00bf-4b89-84ba-88b25df97315"
    expect((await problem(world.verify.checkCode(unknown, "1234"))).status).toBe(404)
    expect((await problem(world.verify.checkCode("nothing", "1234"))).status).toBe(404)
    expect(await world.verify.nextWorkflow(unknown)).toBe(false)
    expect(await world.verify.cancel(unknown)).toBe(false)
  })

  it("sends its options: length, own code, reference, language, app", async () => {
    const own = await start({ code: "24680", clientRef: "my-ref", locale: "de-de", channelTimeout: 120 })
    expect(await world.codes()).toEqual(["24680"])
    expect((await world.service.verify.list(world.caller)).list[0]).toMatchObject({
      client_ref: "my-ref",
      metadata: { brand: "Acme" },
      purpose: "vonage"
    })
    expect(await world.verify.checkCode(own.requestId, "24680")).toBe("completed")
    const other = "4915123456780"
    await start({ workflow: [{ channel: Channels.SMS, to: other, appHash: "ABC123def45" }], codeLength: 8 })
    expect((await world.codes(other))[0]).toMatch(/^[0-9]{8}$/)
    const { messages } = await world.service.sandbox.inbox(world.caller, { to: `+${other}` })
    expect(messages[0]?.text).toContain("ABC123def45")
  })
})
