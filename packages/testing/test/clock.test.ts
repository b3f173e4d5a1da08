import { until } from "../../../test/until.ts"
import { describe, expect, it } from "vitest"
import { records, send, start, to } from "./kit.ts"

const workflow = [
  { channel: "sms", timeout: 60 },
  { channel: "bizchat", timeout: 30 },
  { channel: "call", timeout: 60 }
] as const

describe("the kit's clock", () => {
  it("stands still until it is advanced, and begins when it is told to", async () => {
    const now = new Date("2030-01-01T00:00:00Z")
    const kit = await start({ now })
    const { created_at, expires_at } = await kit.service.verify.start(kit.account, { to })
    expect([created_at, expires_at]).toEqual(["2030-01-01T00:00:00.000Z", "2030-01-01T00:10:00.000Z"])
    const begun = Date.now()
    await until(() => Date.now() > begun)
    expect(kit.clock.now()).toEqual(now)
    await kit.clock.advance(7200)
    expect(kit.clock.now()).toEqual(new Date("2030-01-01T02:00:00Z"))
  })

  it("brings receipts, and ends calls", async () => {
    const kit = await start()
    await send(kit, "sms")
    await send(kit, "call")
    await kit.clock.advance(0.999)
    expect(await records(kit, "sms")).toEqual(["sent"])
    await kit.clock.advance(0.001)
    expect(await records(kit, "sms")).toEqual(["delivered"])
    await kit.clock.advance(18)
    expect(await records(kit, "call")).toEqual([null])
    await kit.clock.advance(1)
    const { list } = await kit.service.call.list(kit.account)
    expect(list).toMatchObject([{ hangup_cause: "NO_ANSWER", duration: 20 }])
  })

  it("has codes expire", async () => {
    const kit = await start()
    const { id } = await kit.service.verify.start(kit.account, { to })
    const { code } = await kit.inbox.next(to)
    await kit.clock.advance(599)
    expect(await kit.service.verify.get(kit.account, id)).toMatchObject({ status: "pending" })
    await kit.clock.advance(1)
    expect(await kit.service.verify.get(kit.account, id)).toMatchObject({ status: "expired" })
    await expect(kit.service.verify.check(kit.account, id, { code })).resolves.toMatchObject({
      valid: false
    })
  })

  it("brings the time from which a code may be sent again", async () => {
    const kit = await start()
    const { id } = await kit.service.verify.start(kit.account, { to, workflow })
    const { code } = await kit.inbox.next(to)
    await expect(kit.service.verify.resend(kit.account, id)).rejects.toMatchObject({ reason: "resend_too_soon" })
    await kit.clock.advance(30)
    expect(await kit.service.verify.resend(kit.account, id)).toMatchObject({ id, channel: "sms", step: 1 })
    expect(await kit.inbox.next(to)).toMatchObject({ channel: "sms", code })
    expect(kit.inbox.all()).toHaveLength(2)
  })

  it("has the steps of verifications taken, each at its time", async () => {
    const kit = await start()
    kit.fail("sms", "silent")
    kit.fail("bizchat", "silent")
    const begun = kit.clock.now().getTime()
    await kit.service.verify.start(kit.account, { to, workflow })
    const seen = () => kit.inbox.all().map(({ at, channel }) => [channel, (at.getTime() - begun) / 1000])
    await kit.clock.advance(59)
    expect(seen()).toEqual([["sms", 0]])
    await kit.clock.advance(1)
    expect(seen()).toEqual([
      ["sms", 0],
      ["bizchat", 60]
    ])
    await kit.clock.advance(60)
    expect(seen()).toEqual([
      ["sms", 0],
      ["bizchat", 60],
      ["call", 90]
    ])
  })

  it("has the steps taken of a verification whose code is the client's own", async () => {
    const kit = await start()
    kit.fail("sms", "undelivered")
    await kit.service.verify.start(kit.account, { to, workflow, code: "2468" })
    await kit.clock.advance(1)
    expect(kit.inbox.all()).toMatchObject([{ channel: "bizchat", code: "2468" }])
  })

  it("lets a user ask again when the time has come", async () => {
    const kit = await start()
    const ask = () => kit.service.verify.start(kit.account, { to, workflow })
    await ask()
    await expect(ask()).rejects.toMatchObject({ status: 429, reason: "resend_too_soon", retryAfter: 30 })
    await kit.clock.advance(30)
    await ask()
    expect(kit.inbox.all().length).toBe(2)
  })

  it("does one advance after the other", async () => {
    const kit = await start({ now: new Date(0) })
    await Promise.all([kit.clock.advance(60), kit.clock.advance(60)])
    expect(kit.clock.now()).toEqual(new Date(120_000))
  })

  it("holds no request up that waits for another one", async () => {
    const kit = await start()
    const probe = () => kit.service.chatgw.checkSendAbility(kit.account, { to })
    const [one, other] = await Promise.all([probe(), probe()])
    expect(one.request_id).toBe(other.request_id)
    expect(await kit.service.sandbox.inbox(kit.sandbox, { to, wait: 1 })).toEqual({ messages: [] })
  })
})

describe("a value that is no number of seconds", () => {
  const wrong = JSON.parse('"10 minutes"')

  it("rejects with the unit", async () => {
    const kit = await start()
    const units = '"10 minutes" is no number of seconds; write 600 for ten minutes'
    const advanced: unknown = Reflect.apply(kit.clock.advance, undefined, [wrong])
    expect(advanced).toBeInstanceOf(Promise)
    await expect(advanced).rejects.toThrow(units)
    await expect(kit.inbox.next(to, { timeout: wrong })).rejects.toThrow(units)
    expect(() => kit.fail("sms", "late", { after: wrong })).toThrow(units)
  })
})
