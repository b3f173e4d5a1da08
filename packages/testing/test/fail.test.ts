import type { ChannelName, Outcomes } from "@watchword/testing"
import { describe, expect, it } from "vitest"
import { code, money, other, records, send, start, to } from "./kit.ts"

type Row = {
  readonly [C in ChannelName]: readonly [
    channel: C,
    outcome: Outcomes[C],
    status: number,
    record: string | null,
    later: string | null,
    money: string,
    arrives: boolean
  ]
}[ChannelName]

const charged = "0.05 charged"
const released = "0 charged"
const held = "0.05 held of 100"

/** The app's answer, the record at once, the record a minute later, the money, and whether a phone shows it. */
const rows: ReadonlyArray<Row> = [
  ["sms", "refused", 400, "failed", "failed", released, false],
  ["sms", "throttled", 480, "failed", "failed", released, false],
  ["sms", "unreachable", 503, "failed", "failed", released, false],
  ["sms", "unknown", 480, "sent", "sent", held, false],
  ["sms", "undelivered", 200, "sent", "undelivered", charged, false],
  ["sms", "silent", 200, "sent", "sent", charged, true],
  ["chatgw", "refused", 400, "failed", "failed", released, false],
  ["chatgw", "throttled", 480, "failed", "failed", released, false],
  ["chatgw", "unreachable", 503, "failed", "failed", released, false],
  ["chatgw", "no-account", 404, "failed", "failed", released, false],
  ["chatgw", "unknown", 480, "sent", "sent", held, false],
  ["chatgw", "undelivered", 200, "sent", "failed", charged, false],
  ["chatgw", "silent", 200, "sent", "sent", charged, true],
  ["bizchat", "refused", 400, "failed", "failed", released, false],
  ["bizchat", "throttled", 480, "failed", "failed", released, false],
  ["bizchat", "unreachable", 503, "failed", "failed", released, false],
  ["bizchat", "no-account", 404, "failed", "failed", released, false],
  ["bizchat", "unknown", 480, "sent", "sent", held, false],
  ["bizchat", "undelivered", 200, "sent", "failed", charged, false],
  ["bizchat", "silent", 200, "sent", "sent", charged, true],
  ["call", "busy", 486, "USER_BUSY", "USER_BUSY", released, false],
  ["call", "declined", 603, "CALL_REJECTED", "CALL_REJECTED", released, false],
  ["call", "unavailable", 480, "NO_USER_RESPONSE", "NO_USER_RESPONSE", released, false],
  ["call", "throttled", 480, "SWITCH_CONGESTION", "SWITCH_CONGESTION", released, false],
  ["call", "unreachable", 503, "NORMAL_TEMPORARY_FAILURE", "NORMAL_TEMPORARY_FAILURE", released, false],
  ["call", "dropped", 200, null, "NO_USER_RESPONSE", charged, true]
]

describe("a send that is to fail", () => {
  it.each(rows)("by %s as %s is answered %i", async (...row) => {
    const [channel, outcome, status, record, later, paid, arrives] = row
    const kit = await start()
    kit.fail(channel, outcome)
    expect(await send(kit, channel)).toBe(status)
    expect(await records(kit, channel)).toEqual([record])
    expect(kit.inbox.all().length).toBe(arrives ? 1 : 0)
    await kit.clock.advance(60)
    expect(await records(kit, channel)).toEqual([later])
    expect(await money(kit)).toBe(paid)
  })

  it.each(["sms", "chatgw", "bizchat"] as const)("by %s arrives late, and its receipt after it", async (channel) => {
    const kit = await start()
    kit.fail(channel, "late", { after: 240 })
    expect(await send(kit, channel)).toBe(200)
    await kit.clock.advance(239)
    expect(kit.inbox.all()).toEqual([])
    await kit.clock.advance(1)
    expect(kit.inbox.all()).toMatchObject([{ channel, code, at: kit.clock.now() }])
    expect(await records(kit, channel)).toEqual(["sent"])
    await kit.clock.advance(1)
    expect(await records(kit, channel)).toEqual(["delivered"])
    expect(await money(kit)).toBe(charged)
  })

  it("with no answer is given up a day later, and its price released", async () => {
    const kit = await start()
    kit.fail("sms", "unknown")
    await send(kit, "sms")
    await kit.clock.advance(82_800)
    expect(await money(kit)).toBe(held)
    await kit.clock.advance(3660)
    expect(await records(kit, "sms")).toEqual(["failed"])
    expect(await money(kit)).toBe(released)
  })
})

describe("a failure", () => {
  it("is for all sends of its channel, until it is healed", async () => {
    const kit = await start()
    kit.fail("sms", "throttled")
    expect(await Promise.all([send(kit, "sms"), send(kit, "sms", other), send(kit, "bizchat")])).toEqual([
      480, 480, 200
    ])
    kit.heal("call")
    expect(await send(kit, "sms")).toBe(480)
    kit.heal("sms")
    expect(await send(kit, "sms")).toBe(200)
    kit.fail("sms", "throttled")
    kit.fail("call", "busy")
    kit.heal()
    expect([await send(kit, "sms"), await send(kit, "call")]).toEqual([200, 200])
  })

  it("may be for the next send alone, or for one number", async () => {
    const kit = await start()
    kit.fail("sms", "refused", { once: true })
    expect([await send(kit, "sms"), await send(kit, "sms")]).toEqual([400, 200])
    kit.fail("sms", "unreachable", { to: other })
    kit.fail("sms", "throttled", { to: other, once: true })
    expect([await send(kit, "sms"), await send(kit, "sms", other), await send(kit, "sms", other)]).toEqual([
      200, 480, 503
    ])
  })

  it("is for sandbox keys too, and numbers choose outcomes as in the sandbox", async () => {
    const kit = await start()
    kit.fail("sms", "refused", { once: true })
    const sends = () => kit.service.sms.send(kit.sandbox, { to, text: "Hello" })
    await expect(sends()).rejects.toMatchObject({ status: 400 })
    await sends()
    expect(kit.inbox.all()).toMatchObject([{ to, text: "Hello", code: "" }])
    expect(await money(kit)).toBe(released)
    expect([await send(kit, "call", "+491512340486"), await send(kit, "sms", "+491512340503")]).toEqual([486, 503])
  })

  it("has the next step of a verification taken", async () => {
    const kit = await start()
    kit.fail("sms", "throttled")
    const workflow = [
      { channel: "sms", timeout: 60 },
      { channel: "call", timeout: 60 }
    ] as const
    const { channel, id } = await kit.service.verify.start(kit.account, { to, workflow })
    expect(channel).toBe("call")
    const { code } = await kit.inbox.next(to, { channel: "call" })
    expect(await kit.service.verify.check(kit.account, id, { code })).toMatchObject({ valid: true })
  })

  it("of one message is not spent by the probe before it, but a refusal is", async () => {
    const kit = await start()
    const workflow = [
      { channel: "chatgw", timeout: 60 },
      { channel: "sms", timeout: 60 }
    ] as const
    kit.fail("chatgw", "undelivered", { once: true })
    await kit.service.verify.start(kit.account, { to, workflow })
    expect(kit.inbox.all()).toEqual([])
    await kit.clock.advance(1)
    expect(kit.inbox.all()).toMatchObject([{ channel: "sms" }])
    kit.fail("chatgw", "no-account", { once: true })
    await kit.service.verify.start(kit.account, { to: other, workflow })
    expect(await kit.inbox.next(other)).toMatchObject({ channel: "sms" })
    expect(await send(kit, "chatgw")).toBe(200)
  })

  it("of a channel or an outcome that there is not is an error that names the others", async () => {
    const kit = await start()
    const fail = (...given: ReadonlyArray<string>) => Reflect.apply(kit.fail, kit, given)
    expect(() => fail("pigeon", "late")).toThrow("channel must be one of sms, call, chatgw, bizchat, but is pigeon")
    expect(() => fail("call", "late")).toThrow("outcome must be one of busy, declined, ")
    expect(() => kit.fail("sms", "late", { to: "0151" })).toThrow("to must be a phone number in E.164")
  })
})
