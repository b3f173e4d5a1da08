/**
 * Users who verify their number by a text: a carrier over SMPP, or a provider's webhook that is signed.
 */
import { createHmac } from "node:crypto"
import { type Smsc, type Written, smsc, written } from "@watchword/sandbox/smsc"
import { type Serving, serve } from "@watchword/node"
import { carriers } from "@watchword/sms/carriers"
import { twilio } from "@watchword/sms/http"
import { smpp } from "@watchword/sms/smpp"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { afterEach, describe, expect, it } from "vitest"
import { type Options, type Watchword, createWatchword, memory } from "watchword"

const USER = "+4915123456789"
const STRANGER = "+4915123456780"
const OURS = "+491713920000"
const OURS_AT_TWILIO = "+441632960001"

const open: Array<() => Promise<unknown>> = []
const closing = <A>(opened: A, close: (opened: A) => Promise<unknown>): A => {
  open.unshift(() => close(opened))
  return opened
}

afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const startCarrier = async (): Promise<Smsc> => closing(await smsc({ retry: 20 }), (carrier) => carrier.stop())

const startService = async (sms: Options["sms"], more: Partial<Options> = {}) => {
  const service = closing(
    await createWatchword({
      store: memory(),
      secret: "a secret of an installation that only tests have",
      ...(sms === undefined ? {} : { sms }),
      prices: { sms: { "*": 0.03 } },
      // Users of a test answer sooner than a second send to their number is allowed.
      guards: "none",
      observability: Layer.succeed(References.MinimumLogLevel, "None"),
      ...more
    }),
    (service) => service.dispose()
  )
  const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
  await service.operator.account.credit({ account_id: account, amount: "1" })
  return { service, account }
}

const bySmpp = (carrier: Smsc) => smpp({ url: carrier.url(`receives=${encodeURIComponent(OURS)}`) })

type Start = Parameters<Watchword["verify"]["start"]>[1]

const starting =
  (service: Watchword, account: string) =>
  async (more: Partial<Start> = {}, reply: boolean = false) => {
    const workflow: Start["workflow"] = [
      { channel: "receive", by: ["sms"], timeout: 60, reply },
      { channel: "sms", timeout: 60 }
    ]
    const started = await service.verify.start(account, { to: USER, workflow, ...more })
    const [shown] = started.present ?? []
    if (shown === undefined) throw new Error("nothing is shown")
    return { id: started.id, ...shown, text: shown.text ?? "" }
  }

describe("a user who writes to a number of ours", () => {
  const world = async () => {
    const carrier = await startCarrier()
    const { account, service } = await startService(bySmpp(carrier))
    await carrier.until(() => carrier.bound.length === 1)
    const write = (text: Partial<Written>) => carrier.write({ from: USER, to: OURS, text: "", ...text })
    const get = (id: string) => service.verify.get(account, id)
    const results = async (id: string) => (await get(id)).received?.map(({ result }) => result) ?? []
    return { account, carrier, get, results, service, start: starting(service, account), write }
  }

  it("opens a text with the sentence in it, sends it, and is approved without a code", async () => {
    const { carrier, get, start, write } = await world()
    const { by, id, number, text, uri } = await start()
    expect({ by, number }).toEqual({ by: "sms", number: OURS })
    expect(uri).toBe(`sms:${OURS}?body=${encodeURIComponent(text)}`)
    const body = decodeURIComponent(uri.slice(uri.indexOf("body=") + "body=".length))
    expect(body).toBe(text)
    await write({ text: body })
    expect(await get(id)).toMatchObject({ status: "approved", by: "sms", assurance: "network" })
    expect(carrier.submits).toEqual([])
  })

  it.each([
    [{ from: "015123456789", fromTon: 0 }],
    [{ from: "15123456789", fromTon: 2 }],
    [{ from: "4915123456789", fromTon: 0 }],
    [{ encoding: "ucs2", parts: 5 }],
    [{ encoding: "latin1", parts: 2, by: "sar" }],
    [{ encoding: "ascii", isPayload: true }]
  ] satisfies ReadonlyArray<readonly [Partial<Written>]>)("is known however the carrier writes it: %o", async (how) => {
    const { get, start, write } = await world()
    const { id, text } = await start()
    await write({ text, ...how })
    expect(await get(id)).toMatchObject({ status: "approved", by: "sms" })
  })

  it("gets a code back, which it enters, where the step says so", async () => {
    const { account, carrier, get, results, service, start, write } = await world()
    const { id, text } = await start({}, true)
    await write({ text, parts: 2 })
    await write({ text })
    expect(await results(id)).toEqual(["replied"])
    expect(carrier.submits.map(({ to }) => to)).toEqual([USER.slice(1)])
    const [code = ""] = /\d{6}/.exec(carrier.submits[0]?.text ?? "") ?? []
    expect(await service.verify.check(account, id, { code })).toMatchObject({ status: "approved" })
    expect(await get(id)).toMatchObject({ by: "sms" })
  })

  it("proves nothing from another number, and the token is spent then", async () => {
    const { carrier, get, results, start, write } = await world()
    const { id, text } = await start()
    await write({ text, from: STRANGER })
    await write({ text })
    expect(await get(id)).toMatchObject({ status: "pending" })
    expect(await results(id)).toEqual(["other_number"])
    expect(carrier.submits).toEqual([])
  })

  it("under a name instead of a number is sent to the next step", async () => {
    const { carrier, get, results, start, write } = await world()
    const { id, text } = await start()
    await write({ text, from: "Acme", fromTon: 5 })
    expect(await results(id)).toEqual(["not_shared"])
    expect(await get(id)).toMatchObject({ status: "pending", channel: "sms" })
    expect(carrier.submits).toHaveLength(1)
  })

  it("does not touch other verifications, accounts and the sandbox", async () => {
    const { get, service, start, write } = await world()
    const { account_id: other } = await service.operator.account.create({ name: "Other" })
    await service.operator.account.credit({ account_id: other, amount: "1" })
    const startOther = starting(service, other)
    const [own, foreign] = [await start(), await startOther()]
    const sandbox = await service.verify.start(
      { account: other, sandbox: true },
      { to: USER, workflow: [{ channel: "receive", by: ["sms"], timeout: 60, reply: false }] }
    )
    await write({ text: sandbox.present?.[0]?.text ?? "" })
    await write({ text: own.text })
    expect(await get(own.id)).toMatchObject({ status: "approved" })
    expect(await service.verify.get(other, foreign.id)).toMatchObject({ status: "pending" })
    expect(await service.verify.get({ account: other, sandbox: true }, sandbox.id)).toMatchObject({
      status: "pending"
    })
  })

  it("approves nothing by a text without a token, with two, in parts of which one is missing, and of 10 KB", async () => {
    const { carrier, get, start, write } = await world()
    const [one, two] = [await start(), await start({ purpose: "payment" })]
    await write({ text: "hello" })
    await write({ text: "Привет ".repeat(30) })
    await write({ text: `${one.text} ${two.text}` })
    await write({ text: `${"x".repeat(10_000)} ${one.text}`, isPayload: true })
    expect(await get(one.id)).toMatchObject({ status: "pending" })
    expect(await get(two.id)).toMatchObject({ status: "pending" })
    await write({ text: one.text, parts: 10 })
    expect(await get(one.id)).toMatchObject({ status: "approved" })
    expect(new Set(carrier.acknowledgements)).toEqual(new Set([0]))
  })

  it("is approved by the part with the token where the other one is lost", async () => {
    const { carrier, get, start } = await world()
    const { id, text } = await start()
    const parts = written({ from: USER, to: OURS, text: `${text} ${"…".repeat(60)}`, parts: 3 })
    const [session] = carrier.bound
    for (const part of parts.slice(0, 2)) expect(await session?.deliver(part)).toBe(0)
    expect(await get(id)).toMatchObject({ status: "approved", by: "sms" })
  })

  it("may send the text twice, after a new bind too", async () => {
    const { carrier, results, start, write } = await world()
    const { id, text } = await start()
    await write({ text })
    await write({ text })
    for (const session of carrier.bound) session.socket.destroy()
    await write({ text })
    expect(await results(id)).toEqual(["approved"])
    expect(carrier.acknowledgements).toEqual([0, 0, 0])
  })
})

describe("with several carriers", () => {
  it("each country has its number, and a text that two of them bring counts once", async () => {
    const [one, other] = [await startCarrier(), await startCarrier()]
    const { account, service } = await startService(
      carriers({
        one: bySmpp(one),
        other: smpp({ url: other.url(`receives=${encodeURIComponent(`${OURS},${OURS_AT_TWILIO}`)}`) })
      })
    )
    const start = starting(service, account)
    const british = await start({ to: "+447400123456" })
    expect(british.number).toBe(OURS_AT_TWILIO)
    const { id, number, text } = await start()
    expect(number).toBe(OURS)
    await Promise.all([one, other].map((carrier) => carrier.write({ from: USER, to: OURS, text })))
    const { received, status } = await service.verify.get(account, id)
    expect(status).toBe("approved")
    expect(received?.map(({ result }) => result)).toEqual(["approved"])
  })

  it("a user of a country without a number is sent a code", async () => {
    const carrier = await startCarrier()
    const { account, service } = await startService(bySmpp(carrier))
    await carrier.until(() => carrier.bound.length === 1)
    const workflow: Start["workflow"] = [
      { channel: "receive", by: ["sms"], timeout: 60 },
      { channel: "sms", timeout: 60 }
    ]
    const started = await service.verify.start(account, { to: "+33612345678", workflow })
    expect(started.present ?? []).toEqual([])
    expect(carrier.submits).toHaveLength(1)
  })
})

describe("by Twilio", () => {
  const PUBLIC = "https://otp.example.com/v1"
  const TOKEN = "a-secret-of-the-console"

  const startTwilio = async (receives: ReadonlyArray<string> | undefined) => {
    const { account, service } = await startService(
      twilio({ accountSid: "AC0123456789abcdef0123456789abcdef", authToken: TOKEN, receives }),
      { publicUrl: PUBLIC }
    )
    const serving: Serving = closing(await serve(service, { basePath: "/v1", port: 0 }), (serving) => serving.close())
    const post = async (fields: Readonly<Record<string, string>>, token = TOKEN) => {
      const signed = Object.keys(fields)
        .sort()
        .map((name) => name + (fields[name] ?? ""))
        .join("")
      const signature = createHmac("sha1", token).update(`${PUBLIC}/sms/events${signed}`).digest("base64")
      const response = await fetch(`http://127.0.0.1:${serving.port}/v1/sms/events`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
        body: new URLSearchParams(fields)
      })
      return [response.status, await response.text()]
    }
    const written = (text: string, from = "+447400123456") => ({
      MessageSid: "SM0123456789abcdef0123456789abcdef",
      SmsStatus: "received",
      From: from,
      To: OURS_AT_TWILIO,
      Body: text,
      NumSegments: "1"
    })
    return { account, post, service, written }
  }

  it("a signed text approves, and its answer is empty: Twilio would send it on", async () => {
    const { account, post, service, written } = await startTwilio([OURS_AT_TWILIO])
    const { id, number, text } = await starting(service, account)({ to: "+447400123456" })
    expect(number).toBe(OURS_AT_TWILIO)
    expect((await post(written(text), "another token"))[0]).toBe(401)
    expect(await service.verify.get(account, id)).toMatchObject({ status: "pending" })
    expect(await post(written(text))).toEqual([200, ""])
    expect(await post(written(text))).toEqual([200, ""])
    expect(await service.verify.get(account, id)).toMatchObject({ status: "approved", by: "sms", assurance: "network" })
  })

  it("without a number of ours has no such form, and texts are taken note of", async () => {
    const { account, post, service, written } = await startTwilio(undefined)
    await expect(
      service.verify.start(account, {
        to: "+447400123456",
        workflow: [{ channel: "receive", by: ["sms"], timeout: 60 }]
      })
    ).rejects.toMatchObject({ issues: [{ path: "workflow" }] })
    expect(await post(written("hello"))).toEqual([200, ""])
  })
})

it("a verification that the text has approved takes no step any more", async () => {
  const carrier = await startCarrier()
  const { account, service } = await startService(bySmpp(carrier))
  const { id, text } = await starting(service, account)()
  await carrier.write({ from: USER, to: OURS, text })
  await expect(service.verify.next(account, id)).rejects.toMatchObject({ code: "CONFLICT" })
  expect(carrier.submits).toEqual([])
})
