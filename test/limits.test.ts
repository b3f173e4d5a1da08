/** Limits count only real sends, on a whole service: a message that was not sent or was refunded counts nowhere. */
import { DefaultRules } from "@watchword/guards/Rules"
import { type Kit, type Options, startWatchword } from "@watchword/testing"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import type { GuardRules } from "watchword"

const number = "+4915123456789"
const other = "+4915155500001"
const sms = { workflow: [{ channel: "sms", timeout: 60 }] } as const

const kitWith = async (guards: GuardRules, options: Omit<Options, "guards"> = {}): Promise<Kit> => {
  const kit = await startWatchword({ ...options, guards })
  onTestFinished(kit.dispose)
  return kit
}

/** The reason of a refusal, or its code if there is no reason; `sent` for an answer. */
const outcomeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => "sent",
    (error: { readonly code: string; readonly reason?: string }) => error.reason ?? error.code
  )

const start = ({ account, service }: Kit, more: object = {}) =>
  outcomeOf(service.verify.start(account, { to: number, ...sms, ...more }))

const times = async (count: number, request: () => Promise<string>): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  for (let made = 0; made < count; made++) all.push(await request())
  return all
}

const limited = (name: string, by: ReadonlyArray<"to" | "client_ip">, ...rates: ReadonlyArray<string>): GuardRules => ({
  action: "deny",
  limits: [{ name, by, rates }]
})

describe("a start that sends nothing", () => {
  it("blocks no country: one text and nine presses of a button are one text", async () => {
    const kit = await kitWith({
      action: "deny",
      pumping: { country: { floor: 6, share: 0.2, window: "1d" }, block: "12h" }
    })
    expect(await times(9, () => start(kit))).toEqual(["sent", ...Array.from({ length: 8 }, () => "resend_too_soon")])
    expect(await start(kit, { to: other })).toBe("sent")
    expect((await kit.service.operator.guard.show({ account_id: kit.account })).blocks).toEqual([])
  })

  it.each([
    ["one that came a moment ago", {}, "resend_too_soon"],
    ["one with another code", { code: "4343" }, "other_code"]
  ])("leaves the limits of a number as they are: %s", async (_, more, reason) => {
    const kit = await kitWith(limited("number", ["to"], "2/1h"))
    expect(await start(kit, { code: "4242" })).toBe("sent")
    expect(await times(5, () => start(kit, { code: "4242", ...more }))).toEqual(Array.from({ length: 5 }, () => reason))
    await kit.clock.advance(30)
    expect(await times(2, () => start(kit, { code: "4242" }))).toEqual(["sent", "resend_too_soon"])
    await kit.clock.advance(30)
    expect(await start(kit, { code: "4242" })).toBe("limit_number")
  })

  it.each([false, true])(
    "leaves them where every gateway refuses it, or nothing pays for it; trusted: %s",
    async (trusted) => {
      const kit = await kitWith(limited("pair", ["to", "client_ip"], "1/1h"), { balance: 0 })
      const facts = { client_ip: "192.0.2.7", trusted }
      expect(await times(3, () => start(kit, facts))).toEqual(Array.from({ length: 3 }, () => "PAYMENT_REQUIRED"))
      await kit.service.operator.account.credit({ account_id: kit.account, amount: 1 })
      kit.fail("sms", "unreachable")
      expect(await times(3, () => start(kit, facts))).toEqual(Array.from({ length: 3 }, () => "SERVICE_UNAVAILABLE"))
      expect(await outcomeOf(kit.service.sms.send(kit.account, { to: number, text: "Hello", ...facts }))).toBe(
        "SERVICE_UNAVAILABLE"
      )
      kit.heal()
      expect(await start(kit, facts)).toBe("sent")
      expect(await start(kit, { ...facts, purpose: "another" })).toBe("limit_pair")
    }
  )
})

describe("the next send of a verification", () => {
  it("is under the limits of sends, like a resend", async () => {
    const kit = await kitWith(limited("number", ["to"], "2/1h"))
    const { verify } = kit.service
    const { id } = await verify.start(kit.account, { to: number, ...sms, max_sends: 10, ttl: 3600 })
    const next = () => outcomeOf(verify.next(kit.account, id, { channel: "sms" }))
    expect(await times(3, next)).toEqual(Array.from({ length: 3 }, () => "resend_too_soon"))
    await kit.clock.advance(30)
    expect(await next()).toBe("sent")
    await kit.clock.advance(30)
    const refused = await verify.next(kit.account, id, { channel: "sms" }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: "TOO_MANY_REQUESTS", reason: "limit_number", remaining: { limit_number: 0 } })
    expect((await verify.get(kit.account, id)).attempts).toHaveLength(2)
    await kit.service.operator.guard.block({ place: "+4915", for: 60 })
    expect(await next()).toBe("prefix_blocked")
  })
})

describe("the default rules", () => {
  it("and a verification's own interval are one: what may be sent again by it is sent, and all else waits", async () => {
    const kit = await kitWith(DefaultRules)
    const { verify } = kit.service
    const { id, resend_at } = await verify.start(kit.account, { to: number, ...sms })
    expect(await times(2, () => start(kit))).toEqual(["resend_too_soon", "resend_too_soon"])
    expect(await start(kit, { purpose: "another" })).toBe("limit_number")
    await kit.clock.advance((Date.parse(resend_at) - kit.clock.now().getTime()) / 1000)
    expect(await start(kit)).toBe("sent")
    await kit.clock.advance(30)
    expect(await outcomeOf(verify.next(kit.account, id, { channel: "sms" }))).toBe("sent")
    expect(await start(kit, { purpose: "another" })).toBe("limit_number")
    await verify.cancel(kit.account, id)
    expect(await start(kit)).toBe("limit_number")
    await kit.clock.advance(30)
    expect(await start(kit)).toBe("sent")
    await kit.clock.advance(30)
    expect(await start(kit)).toBe("sent")
    // Five within an hour.
    await kit.clock.advance(30)
    expect(await start(kit)).toBe("limit_number")
    expect(await start(kit, { trusted: true, purpose: "another" })).toBe("sent")
  })

  it("let one of two starts at once through, and the other meets it", async () => {
    const kit = await kitWith(DefaultRules)
    expect((await Promise.all([start(kit), start(kit)])).toSorted()).toEqual(["resend_too_soon", "sent"])
    const { list } = await kit.service.verify.list(kit.account)
    expect(list.map(({ status }) => status)).toEqual(["pending"])
  })
})

describe("the default rules against pumping", () => {
  const anyNumber = (index: number) => `+49151${10_000_000 + ((index * 61_803_397) % 90_000_000)}`
  const starts = async (kit: Kit, numbers: (index: number) => string, more: object = {}) => {
    const outcomes = new Map<string, number>()
    for (let index = 1; index <= 110; index++) {
      const outcome = await start(kit, { to: numbers(index), ...more })
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    return Object.fromEntries(outcomes)
  }

  it("stop codes that no one enters: after a hundred in a country, after thirty in a block of numbers", async () => {
    expect(await starts(await kitWith(DefaultRules), anyNumber)).toEqual({ sent: 100, prefix_blocked: 10 })
    const block = (index: number) => `+4915123${String(450_000 + index)}`
    expect(await starts(await kitWith(DefaultRules), block)).toEqual({ sent: 30, prefix_blocked: 80 })
  })

  it("do not count codes that the client makes and compares itself", async () => {
    expect(await starts(await kitWith(DefaultRules), anyNumber, { code: "4242" })).toEqual({ sent: 110 })
  })
})

describe("money that came back", () => {
  it("is not spent: a carrier that refuses uses up no limit", async () => {
    const kit = await kitWith({ action: "deny", limits: [{ name: "spend", by: ["account"], money: "0.12/2h" }] })
    const send = () => outcomeOf(kit.service.sms.send(kit.account, { to: number, text: "Hello" }))
    kit.fail("sms", "throttled")
    expect(await times(20, send)).toEqual(Array.from({ length: 20 }, () => "TEMPORARY_UNAVAILABLE"))
    kit.heal()
    expect(await times(3, send)).toEqual(["sent", "sent", "spend"])
  })

  it("leaves a limit with what is settled or held, whatever became of the sends", async () => {
    const price = 0.05
    const step = fc.constantFrom(
      "text",
      "refused",
      "unreachable",
      "unknown",
      "undelivered",
      "busy",
      "chat, revoked",
      "verification, canceled",
      "verification, refused at first",
      "an hour",
      "a day"
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const kit = await startWatchword({ guards: spending(50) })
        const { account, service } = kit
        for (const [index, step] of steps.entries()) await play(kit, step, `+49151234${String(15_000 + index)}`)
        await kit.clock.advance(0)
        kit.heal()
        const { available } = await service.operator.account.show({ account_id: account })
        const spent = 100 - available
        await service.operator.guard.set({ account_id: account, rules: spending(spent + price - 0.000_001) })
        const refused = await service.sms.send(account, { to: number, text: "Hello" }).catch((error: unknown) => error)
        await kit.dispose()
        expect(refused).toMatchObject({ reason: "spend", remaining: { spend: expect.closeTo(price - 0.000_001, 7) } })
      }),
      { numRuns: 10 }
    )
  })
})

const spending = (euros: number): GuardRules => ({
  action: "deny",
  limits: [{ name: "spend", by: ["account"], money: `${euros.toFixed(6)}/30d` }]
})

const play = async ({ account, clock, fail, heal, service }: Kit, step: string, to: string): Promise<void> => {
  const { call, chatgw, verify } = service
  const text = (outcome?: "refused" | "unreachable" | "unknown" | "undelivered") => {
    if (outcome !== undefined) fail("sms", outcome, { once: true })
    return outcomeOf(service.sms.send(account, { to, text: "Hello" }))
  }
  switch (step) {
    case "text":
      return void (await text())
    case "refused":
    case "unreachable":
    case "unknown":
    case "undelivered":
      return void (await text(step))
    case "busy":
      fail("call", "busy")
      await outcomeOf(call.flash(account, { callee: to, caller: "+493023125000" }))
      return heal()
    case "chat, revoked": {
      const { request_id } = await chatgw.send(account, { to, code: "123456" })
      return void (await outcomeOf(chatgw.revoke(account, { request_id })))
    }
    case "verification, canceled": {
      const { id } = await verify.start(account, { to, workflow: [{ channel: "chatgw", timeout: 60 }] })
      return void (await verify.cancel(account, id))
    }
    case "verification, refused at first":
      fail("chatgw", "refused")
      await outcomeOf(verify.start(account, { to, workflow: [{ channel: "chatgw", timeout: 60 }, ...sms.workflow] }))
      return heal()
    default:
      return clock.advance(step === "a day" ? 90_000 : 3600)
  }
}
