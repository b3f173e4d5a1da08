import { createServer } from "node:http"
import { verifyWebhook } from "@watchword/callback-signature/webhook"
import * as Predicate from "effect/Predicate"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  type BeforeSend,
  type BeforeSendAnswer,
  type BeforeSendQuestion,
  type Options,
  type Watchword,
  createWatchword,
  memory
} from "watchword"

const to = "+4915123456789"
const text = "Your code is 123456"
const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrsc"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const serviceWith = async (beforeSend: BeforeSend, more: Partial<Options> = {}) => {
  const logged: Array<unknown> = []
  const note = (...line: ReadonlyArray<unknown>) => void logged.push(line)
  const service = await createWatchword({
    store: memory(),
    secret: "a secret of at least 32 characters",
    logger: { debug: note, info: note, warn: note, error: note },
    beforeSend,
    ...more
  })
  closing.push(() => service.dispose())
  const { account_id: account } = await service.operator.account.create({
    name: "Acme",
    sms_sender: "Acme",
    caller: "+4930901820123"
  })
  return { service, account, by: { account, sandbox: true }, logged }
}

/** A check that records its questions. */
const answering = (answer: BeforeSendAnswer) => {
  const asked: Array<BeforeSendQuestion> = []
  return { asked, check: (question: BeforeSendQuestion) => (asked.push(question), answer) }
}

const steps = [
  { channel: "chatgw", timeout: 30 },
  { channel: "sms", timeout: 60 }
] as const

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "sent",
    (error: unknown) => error
  )

const newest = async ({ sms }: Watchword, by: { readonly account: string; readonly sandbox: boolean }) =>
  (await sms.list(by)).list[0]

describe("a check before a send", () => {
  it("is asked what the send is about, and lets it go on", async () => {
    const { asked, check } = answering({ decision: "allow" })
    const { account, by, service } = await serviceWith(check)
    await service.sms.send(by, { to, text, client_ip: "192.0.2.7", client_ref: "user 7", trusted: true })
    expect(asked).toEqual([
      {
        account_id: account,
        sandbox: true,
        channel: "sms",
        to,
        country: "DE",
        client_ip: "192.0.2.7",
        client_ref: "user 7",
        trusted: true
      }
    ])
  })

  it("that denies leaves a blocked record with its word, and costs nothing", async () => {
    const { by, service } = await serviceWith(() => ({ decision: "deny", reason: "sim_swap" }))
    expect(await failureOf(service.sms.send(by, { to, text }))).toMatchObject({ code: "FORBIDDEN", reason: "denied" })
    expect(await newest(service, by)).toMatchObject({ status: "blocked", guard_reasons: "denied sim_swap", price: 0 })
    const started = service.verify.start(by, { to, workflow: steps })
    expect(await failureOf(started)).toMatchObject({ code: "FORBIDDEN", reason: "denied" })
    const { list } = await service.verify.list(by)
    expect(list).toMatchObject([{ status: "blocked" }])
  })

  it("that denies counts to limits of sends, so that it cannot be asked without end", async () => {
    const { asked, check } = answering({ decision: "deny" })
    const { account, by, service } = await serviceWith(check, { prices: { sms: { "*": 1 } } })
    await service.operator.guard.set({
      account_id: account,
      rules: {
        action: "deny",
        limits: [
          { name: "number", by: ["to"], rates: ["3/1h"] },
          { name: "ip", by: ["client_ip"], rates: ["4/1h"] }
        ]
      }
    })
    const other = "+4915123456790"
    const client_ip = "192.0.2.7"
    const reasonOf = async (work: Promise<unknown>) => Object(await failureOf(work)).reason
    const reasons = []
    for (let time = 0; time < 4; time++) {
      reasons.push(await reasonOf(service.verify.start(by, { to, workflow: steps, client_ip })))
    }
    reasons.push(await reasonOf(service.sms.send(by, { to: other, text, client_ip })))
    reasons.push(await reasonOf(service.sms.send(by, { to: other, text, client_ip })))
    expect(reasons).toEqual(["denied", "denied", "denied", "limit_number", "denied", "limit_ip"])
    expect(asked).toHaveLength(4)
  })

  it("that denies counts neither money nor pumping", async () => {
    let decision: "allow" | "deny" = "deny"
    const { account, by, service } = await serviceWith(() => ({ decision }), { prices: { sms: { "*": 1 } } })
    await service.operator.guard.set({
      account_id: account,
      rules: {
        action: "deny",
        limits: [{ name: "spend", by: ["account"], money: "2/1d" }],
        pumping: { prefix: { floor: 2, share: 0, window: "1h" }, block: "12h" }
      }
    })
    for (let time = 0; time < 5; time++) await failureOf(service.sms.send(by, { to, text }))
    decision = "allow"
    expect(await failureOf(service.sms.send(by, { to, text }))).toBe("sent")
    expect(await failureOf(service.sms.send(by, { to, text }))).toBe("sent")
  })

  it("that fails closed uses up no limit: no user is kept out by a fault of the check", async () => {
    let isDown = true
    const check = () => (isDown ? Promise.reject(new Error("down")) : { decision: "allow" as const })
    const { account, by, service } = await serviceWith({ check, fail: "closed" })
    await service.operator.guard.set({
      account_id: account,
      rules: {
        action: "deny",
        limits: [{ name: "number", by: ["to"], rates: ["1/1h"] }]
      }
    })
    for (let time = 0; time < 3; time++) await failureOf(service.sms.send(by, { to, text }))
    isDown = false
    expect(await failureOf(service.sms.send(by, { to, text }))).toBe("sent")
    expect(await failureOf(service.sms.send(by, { to, text }))).toMatchObject({ reason: "limit_number" })
  })

  it("is not asked what the guard refuses, and once for a start and a resend each", async () => {
    const { asked, check } = answering({ decision: "allow" })
    const { account, by, service } = await serviceWith(check)
    await service.operator.guard.set({ account_id: account, rules: { action: "deny", countries: { allow: ["FR"] } } })
    await failureOf(service.sms.send(by, { to, text }))
    expect(asked).toEqual([])
    await service.operator.guard.set({ account_id: account, rules: { action: "deny" } })
    // The first channel fails, so that a step follows by itself.
    const number = "+4915123450003"
    const { id } = await service.verify.start(by, { to: number, workflow: steps })
    await vi.waitFor(async () => expect((await service.verify.get(by, id)).channel).toBe("sms"), { timeout: 30_000 })
    expect(asked.map(({ channel }) => channel)).toEqual(["verify"])
  })

  it("has a verification try the channels that it prefers first", async () => {
    const { check } = answering({ decision: "allow", channels: ["sms", "fax"] })
    const { by, service } = await serviceWith(check)
    expect((await service.verify.start(by, { to, workflow: steps })).channel).toBe("sms")
  })

  it("has a resend take the channel that it prefers now, among the steps that are left", async () => {
    let channels = ["sms"]
    let ahead = 0
    const clock = { now: () => Date.now() + ahead }
    const { by, service } = await serviceWith(() => ({ decision: "allow", channels }), { clock })
    const workflow = (["chatgw", "sms", "call", "bizchat"] as const).map((channel) => ({ channel, timeout: 60 }))
    const { id } = await service.verify.start(by, { to, workflow })
    const seen = [(await service.verify.get(by, id)).channel]
    channels = ["bizchat", "sms"]
    for (let sends = 0; sends < 3; sends += 1) {
      ahead += 60_000
      seen.push((await service.verify.next(by, id)).channel)
    }
    expect(seen).toEqual(["sms", "bizchat", "chatgw", "call"])
  })

  it.each([
    ["throws", () => Promise.reject(new Error(`no such number ${to}`))],
    ["takes too long", () => new Promise<BeforeSendAnswer>(() => {})],
    ["answers what is no answer", () => JSON.parse('{"decision":"maybe"}')]
  ] as const)("that %s lets go on, or refuses where it fails closed", async (_, check) => {
    const open = await serviceWith({ check, timeout: 50 })
    expect(await failureOf(open.service.sms.send(open.by, { to, text }))).toBe("sent")
    expect(JSON.stringify(open.logged)).toContain("the check before a send failed")
    expect(JSON.stringify(open.logged)).not.toContain(to.slice(3))
    const closed = await serviceWith({ check, timeout: 50, fail: "closed" })
    const refused = { code: "FORBIDDEN", reason: "check_failed" }
    expect(await failureOf(closed.service.sms.send(closed.by, { to, text }))).toMatchObject(refused)
    expect(await newest(closed.service, closed.by)).toMatchObject({ status: "blocked", guard_reasons: "check_failed" })
  })
})

describe("a check over HTTP", () => {
  const listening = async (status: number, answer: object) => {
    const asked: Array<unknown> = []
    const server = createServer((request, response) => {
      void (async () => {
        const pieces: Array<Buffer> = []
        for await (const piece of request) pieces.push(piece)
        const body = Buffer.concat(pieces)
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        )
        asked.push(await verifyWebhook(body, headers, { secret: SECRET }).then(() => JSON.parse(String(body))))
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer))
      })()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const address = server.address()
    return { asked, url: `http://127.0.0.1:${Predicate.isObject(address) ? address.port : ""}/check` }
  }

  it("is signed as webhooks are, and decides", async () => {
    const { asked, url } = await listening(200, { decision: "deny", reason: "voip" })
    const { by, service } = await serviceWith({ url, secret: SECRET })
    expect(await failureOf(service.sms.send(by, { to, text }))).toMatchObject({ reason: "denied" })
    expect(asked).toMatchObject([{ type: "send.check", data: { channel: "sms", to, country: "DE" } }])
  })

  it("that answers another status has failed", async () => {
    const { url } = await listening(500, {})
    const { by, logged, service } = await serviceWith({ url, secret: SECRET, fail: "closed" })
    expect(await failureOf(service.sms.send(by, { to, text }))).toMatchObject({ reason: "check_failed" })
    expect(JSON.stringify(logged)).toContain("status 500")
  })

  it("whose answer has no end has failed, and is not read on", async () => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { "content-type": "application/json" })
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(8_192)));
        if (!response.destroyed) response.once("drain", more)
      }
      more()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))))
    const ended = new Promise((resolve) => server.once("request", (_, response) => response.once("close", resolve)))
    const address = server.address()
    const url = `http://127.0.0.1:${Predicate.isObject(address) ? address.port : ""}/check`
    const check = { url, secret: SECRET, fail: "closed", timeout: 60_000 } as const
    const { by, logged, service } = await serviceWith(check)
    expect(await failureOf(service.sms.send(by, { to, text }))).toMatchObject({ reason: "check_failed" })
    expect(JSON.stringify(logged)).toContain("an answer of more than 16384 bytes")
    await ended
  })

  it.each([
    [{ url: "ftp://127.0.0.1/", secret: SECRET }, "beforeSend.url"],
    [{ url: "http://127.0.0.1/", secret: "short" }, "beforeSend.secret"]
  ])("of which %o is wrong is named at the start", async (beforeSend, path) => {
    expect(await failureOf(serviceWith(beforeSend))).toMatchObject({ code: "BAD_REQUEST", issues: [{ path }] })
  })
})
