/**
 * Fall-back of verifications with real peers: a carrier over TCP, a chat gateway over HTTP, a trunk over UDP. Each step
 * is charged according to the peer's handling of it.
 */
import { sip } from "@watchword/call/sip"
import * as Telegram from "@watchword/chatgw/telegram"
import { smpp } from "@watchword/sms/smpp"
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"
import { trunk as startTrunk, type Trunk } from "@watchword/sandbox/trunk"
import { header } from "@watchword/sandbox/trunk"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { answer } from "../provider.ts"
import * as MovedClock from "./clock.ts"
import { CALLERS, NUMBER, PRICES, step } from "./settings.ts"
import { type TelegramApi, telegramApi } from "@watchword/sandbox/http"
import { realTime } from "../until.ts"

const CREDIT = 1
const REFUSED = 0x0b
/** A number without an account at the chat gateway. */
const STRANGER = "+4915123450003"

let carrier: Smsc
let chat: TelegramApi
let trunk: Trunk
let clock: MovedClock.MovedClock
let service: Watchword
let account: string

beforeEach(async () => {
  carrier = await smsc()
  chat = await telegramApi({ script: { hasAccount: (to) => to !== STRANGER } })
  trunk = await startTrunk()
  clock = MovedClock.running()
  service = await createWatchword({
    store: memory(),
    sms: smpp({ url: carrier.url("timeout=1") }),
    chatgw: Telegram.telegram({ token: Redacted.make("token"), baseUrl: chat.url() }),
    call: sip({ url: trunk.url() }),
    prices: PRICES,
    observability: Layer.merge(Layer.succeed(Clock.Clock, clock), Logger.layer([]))
  })
  account = (await service.operator.account.create({ sms_sender: "Acme" })).account_id
  await service.operator.account.credit({ account_id: account, amount: CREDIT })
  await carrier.until(() => carrier.bound.length > 0)
})

afterEach(async () => {
  await service.dispose()
  await Promise.all([carrier.stop(), chat.stop(), trunk.stop()])
})

const start = (workflow: ReadonlyArray<ReturnType<typeof step>>) =>
  service.verify.start(account, { to: NUMBER, workflow })

const get = (id: string) => service.verify.get(account, id)

const check = (id: string, code: string) => service.verify.check(account, id, { code })

/** The code in the carrier's first message. */
const codeOf = (text: string | undefined): string => /\d{6}/.exec(text ?? "")?.[0] ?? ""

/** The cents spent, and the cents held. */
const cents = async () => {
  const { available, balance, held } = await service.operator.account.show({ account_id: account })
  expect(available).toBeCloseTo(balance - held, 9)
  return { spent: Math.round(100 * (CREDIT - balance)), held: Math.round(100 * held) }
}

const textsAre = (count: number) => vi.waitUntil(() => carrier.submits.length === count, { timeout: 30_000 })

describe("a carrier", () => {
  it("that refuses is followed by the next step at once, and costs nothing", async () => {
    carrier.script.submit = () => ({ status: REFUSED })
    const { attempts, channel, id, status } = await start([step("sms"), step("chatgw")])
    expect({ channel, status }).toEqual({ channel: "chatgw", status: "pending" })
    expect(attempts).toMatchObject([
      { channel: "sms", status: "undelivered", price: 0 },
      { channel: "chatgw", status: "accepted" }
    ])
    expect(await cents()).toEqual({ spent: 3, held: 0 })
    const code = [...chat.requests.values()].at(-1)?.code ?? ""
    expect(await check(id, code)).toMatchObject({ valid: true, channel: "chatgw" })
  })

  it("that is silent is followed by the next step after its time-out, and its price is held until it speaks", async () => {
    carrier.script.submit = () => "silence"
    const { id } = await start([step("sms"), step("chatgw")])
    expect(await get(id)).toMatchObject({ channel: "sms", attempts: [{ status: "unknown" }] })
    expect(await cents()).toEqual({ spent: 0, held: 5 })
    clock.move(20_000)
    await vi.waitUntil(async () => (await get(id)).channel === "chatgw", { timeout: 30_000 })
    await vi.waitUntil(async () => (await get(id)).attempts.at(-1)?.status === "accepted")
    expect(await cents()).toEqual({ spent: 3, held: 5 })
    const [submit] = carrier.submits
    if (submit === undefined) throw new Error("no text")
    submit.id = "1"
    carrier.deliver(receipt(submit).fields, submit)
    await vi.waitUntil(async () => (await cents()).held === 0, { timeout: 30_000 })
    expect(await cents()).toEqual({ spent: 8, held: 0 })
    expect(await check(id, codeOf(submit.text))).toMatchObject({ valid: true })
  })

  it("that reports a text as undelivered is followed by the next step at once, and is paid", async () => {
    carrier.script.receipt = (submit) => receipt(submit, "UNDELIV")
    const { id } = await start([step("sms", 900), step("chatgw")])
    await vi.waitUntil(async () => (await get(id)).attempts.at(-1)?.channel === "chatgw", { timeout: 30_000 })
    await vi.waitUntil(async () => (await get(id)).attempts.at(-1)?.status === "accepted")
    expect((await get(id)).attempts).toMatchObject([{ status: "undelivered" }, { status: "accepted" }])
    expect(await cents()).toEqual({ spent: 8, held: 0 })
  })

  it("that reports a text as delivered is followed by no step", async () => {
    carrier.script.receipt = (submit) => receipt(submit)
    const { id } = await start([step("sms"), step("chatgw")])
    await vi.waitUntil(async () => (await get(id)).attempts[0]?.status === "delivered", { timeout: 30_000 })
    expect(await get(id)).toMatchObject({ next: null })
    clock.move(60_000)
    await realTime(1_500, "the service looks for what is due")
    expect(await get(id)).toMatchObject({ channel: "sms", status: "pending" })
    expect(await cents()).toEqual({ spent: 5, held: 0 })
  })

  it("that reports a text as delivered too late moves its record alone", async () => {
    const { id } = await start([step("sms"), step("chatgw", 900)])
    clock.move(20_000)
    await vi.waitUntil(async () => (await get(id)).attempts[1]?.status === "accepted", { timeout: 30_000 })
    const before = await get(id)
    const [submit] = carrier.submits
    if (submit === undefined) throw new Error("no text")
    carrier.deliver(receipt(submit).fields, submit)
    await vi.waitUntil(async () => (await get(id)).attempts[0]?.status === "delivered", { timeout: 30_000 })
    expect(await get(id)).toMatchObject({ channel: "chatgw", next: before.next, sends_left: before.sends_left })
    expect((await service.sms.list(account)).list).toMatchObject([{ status: "delivered" }])
    expect(await check(id, codeOf(submit.text))).toMatchObject({ valid: true, channel: "chatgw" })
  })
})

it("a carrier that has been away for some seconds is passed at once, without a record of a send", async () => {
  await carrier.stop()
  await realTime(1_500, "the service looks at the links")
  clock.move(6_000)
  await realTime(1_500, "the service looks at the links again")
  const { attempts, channel } = await start([step("sms"), step("chatgw")])
  expect(channel).toBe("chatgw")
  expect(attempts).toMatchObject([
    { channel: "sms", delivery_id: null, status: "undelivered", reason: "SERVICE_UNAVAILABLE", price: 0 },
    { channel: "chatgw", status: "accepted", price: 0.03 }
  ])
  expect((await service.sms.list(account)).total).toBe(0)
})

describe("a chat gateway", () => {
  it("that floods is followed by the next step at once, and costs nothing", async () => {
    chat.once(answer(429, JSON.stringify({ ok: false, error: "FLOOD_WAIT_5" })))
    const { attempts, channel } = await start([step("chatgw"), step("sms")])
    expect(channel).toBe("sms")
    expect(attempts).toMatchObject([
      { channel: "chatgw", status: "undelivered", price: 0 },
      { channel: "sms", status: "accepted" }
    ])
    expect(await cents()).toEqual({ spent: 5, held: 0 })
  })

  it("takes back what was not read when the next step is taken, and returns its price", async () => {
    const { id } = await start([step("chatgw"), step("sms")])
    expect(await cents()).toEqual({ spent: 3, held: 0 })
    clock.move(20_000)
    await textsAre(1)
    await vi.waitUntil(async () => (await cents()).spent === 5, { timeout: 30_000 })
    expect([...chat.requests.values()].map(({ delivery }) => delivery)).toEqual(["revoked"])
    expect(await check(id, codeOf(carrier.submits[0]?.text))).toMatchObject({ valid: true })
  })

  it("that does not know the number is followed by the next step at once", async () => {
    const to = STRANGER
    const { channel } = await service.verify.start(account, { to, workflow: [step("chatgw"), step("sms")] })
    expect(channel).toBe("sms")
    expect(await cents()).toEqual({ spent: 5, held: 0 })
  })
})

describe("a trunk", () => {
  beforeEach(() => service.operator.account.callers({ account_id: account, numbers: CALLERS }))

  it("that is busy is followed by the next step at once, and costs nothing", async () => {
    trunk.script.invite = (call) => call.respond(486)
    const { attempts, channel, id } = await start([step("call"), step("sms")])
    expect(channel).toBe("sms")
    expect(attempts).toMatchObject([
      { channel: "call", status: "undelivered", reason: "BUSY_HERE", price: 0 },
      { channel: "sms", status: "accepted" }
    ])
    expect(await cents()).toEqual({ spent: 5, held: 0 })
    expect(await check(id, codeOf(carrier.submits[0]?.text))).toMatchObject({ valid: true })
  })

  it("that rings is paid, and the end of its caller is a code", async () => {
    const { id } = await start([step("call")])
    expect(await cents()).toEqual({ spent: 2, held: 0 })
    const [call] = trunk.calls
    if (call === undefined) throw new Error("no call")
    const caller = /\+4930\d+/.exec(header(call.invite, "from"))?.[0] ?? ""
    expect(await check(id, caller.slice(-6))).toMatchObject({ valid: true, channel: "call" })
    // The phone need not keep ringing.
    await trunk.until(() => trunk.requests("CANCEL").length > 0)
  })

  it("is the last of channels that all refuse: the start fails, and nothing is charged", async () => {
    carrier.script.submit = () => ({ status: REFUSED })
    trunk.script.invite = (call) => call.respond(486)
    await expect(start([step("sms"), step("call")])).rejects.toMatchObject({ code: "TEMPORARY_UNAVAILABLE" })
    const { list } = await service.verify.list(account)
    expect(list).toMatchObject([{ status: "failed", reason: "undeliverable" }])
    expect(await cents()).toEqual({ spent: 0, held: 0 })
  })
})

it("a step that the balance cannot pay is passed over, and without any left the start is refused", async () => {
  await service.operator.account.debit({ account_id: account, amount: CREDIT - 0.03, reason: "to leave three cents" })
  const { channel } = await start([step("sms"), step("chatgw")])
  expect(channel).toBe("chatgw")
  const other = { to: "+4915123456780", workflow: [step("sms")] }
  await expect(service.verify.start(account, other)).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" })
})
