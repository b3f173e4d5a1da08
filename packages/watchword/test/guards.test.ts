import { ServiceUnavailable } from "@watchword/schemas/Errors"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { bytes } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { afterEach, describe, expect, it } from "vitest"
import { type GuardRules, type Options, type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"
const HOUR = 3_600_000

let service: Watchword | undefined
afterEach(async () => {
  await service?.dispose()
  service = undefined
})

/** A service with an account whose sandbox sends are guarded. */
const guarded = async (rules: GuardRules | null, options: Partial<Options> = {}) => {
  service = await createWatchword({
    store: memory(),
    secret: "a secret of at least 32 characters",
    ...options
  })
  const running = service
  const { account_id: account } = await running.operator.account.create({
    name: "Acme",
    sms_sender: "Acme",
    caller: "+4930901820123"
  })
  if (rules !== null) await running.operator.guard.set({ account_id: account, rules })
  const { key } = await running.operator.key.create({ account_id: account, sandbox: true })
  const request = async (path: string, body: object) => {
    const response = await running.handle({
      method: "POST",
      path,
      headers: { "content-type": "application/json", "x-account-id": account, "x-api-key": key },
      body: bytes(new TextEncoder().encode(JSON.stringify(body))),
      remoteAddress: "127.0.0.1"
    })
    return { ...response, body: JSON.parse(String(response.body)) }
  }
  return { running, account, by: { account, sandbox: true }, request }
}

const denying = (rules: Exclude<GuardRules, "none">): GuardRules => ({ action: "deny", ...rules })
const numbers = (most: number): GuardRules =>
  denying({ limits: [{ name: "number", by: ["to"], rates: [`${most}/1h`] }] })

const text = "Your code is 123456"

describe("a send that a guard refuses", () => {
  it.each([
    ["/sms", { to: german, text }, "/sms/sdr", { status: "blocked" }],
    ["/bizchat/otp", { to: german, text }, "/bizchat/wdr", { status: "BLOCKED" }],
    ["/chatgw", { to: german, code: "123456" }, "/chatgw/tdr", { status: "BLOCKED" }],
    ["/call/flash", { callee: german }, "/call/flash/cdr", { hangup_cause: "OUTGOING_CALL_BARRED" }],
    [
      "/verifications",
      { to: german, workflow: [{ channel: "sms", timeout: 60 }] },
      "/verifications/list",
      { status: "blocked" }
    ]
  ])("on %s is answered 403 with the reason, and is in the list with it", async (path, body, list, status) => {
    const { request } = await guarded(denying({ countries: { allow: ["FR"] } }))
    const refused = await request(path, body)
    expect(refused).toMatchObject({ status: 403, body: { error: "FORBIDDEN", reason: "country_not_allowed" } })
    const found = await request(list, { filter: status })
    expect(JSON.stringify(found.body)).toContain('"guard_reasons":"country_not_allowed"')
    const named = await request(list, { filter: { guard_reasons: "country_not_allowed" } })
    expect(named.body).toEqual(found.body)
  })

  it("for a limit is answered 429 with the limit and the seconds to wait", async () => {
    const { request } = await guarded(numbers(1))
    await request("/sms", { to: german, text })
    const { body, headers, status } = await request("/sms", { to: german, text: `${text}.` })
    expect({ status, reason: body.reason, error: body.error }).toEqual({
      status: 429,
      reason: "limit_number",
      error: "TOO_MANY_REQUESTS"
    })
    expect(Number(headers["retry-after"])).toBeGreaterThan(3_500)
    expect(body.retry_after).toBe(Number(headers["retry-after"]))
    expect(body.remaining).toEqual({ limit_number: 0 })
  })

  it("is counted by the user's address, name and trust", async () => {
    const { request } = await guarded(
      denying({ limits: [{ name: "user", by: ["client_ip", "client_ref"], rates: ["1/1h"] }] })
    )
    const send = async (facts: object) => (await request("/sms", { to: german, text, ...facts })).status
    const user = { client_ip: "2001:db8::1", client_ref: "u1" }
    expect(await send(user)).toBe(200)
    expect(await send({ ...user, client_ip: "2001:db8::2" })).toBe(429)
    expect(await send({ ...user, trusted: true })).toBe(200)
    expect(await send({ ...user, client_ref: "u2" })).toBe(200)
    expect(await send({ client_ip: "2001:db8::1" })).toBe(200)
    expect(await send({ client_ip: "2001:db8::1/64" })).toBe(400)
  })

  it("has no address that is taken and not counted", async () => {
    const { request } = await guarded(denying({ limits: [{ name: "ip", by: ["client_ip"], rates: ["1/1h"] }] }))
    const send = (client_ip: string) => request("/sms", { to: german, text, client_ip })
    expect((await send("192.0.2.99")).status).toBe(200)
    for (const ip of ["::192.0.2.99", "::ffff:192.0.2.99", "::c000:263", "64:ff9b::192.0.2.99", "2002:c000:263::1"]) {
      expect((await send(ip)).body).toMatchObject({ reason: "limit_ip" })
    }
    expect((await send("fe80::1%eth0")).body).toMatchObject({ issues: [{ path: "client_ip" }] })
  })
})

describe("a verification", () => {
  const workflow = [
    { channel: "chatgw", timeout: 60 },
    { channel: "sms", timeout: 60 }
  ]

  it("counts once, however many steps it takes, and again when its user asks for it again", async () => {
    const { request } = await guarded(numbers(1))
    // The sandbox has no chat account for this number: the text follows.
    const to = "+4915123450003"
    const started = await request("/verifications", { to, workflow, client_ip: "192.0.2.7" })
    expect(started).toMatchObject({ status: 200, body: { channel: "sms", status: "pending" } })
    expect(await request("/verifications", { to, workflow, purpose: "another" })).toMatchObject({
      status: 429,
      body: { reason: "limit_number" }
    })
    // A verification's own interval comes first.
    expect(await request("/verifications", { to, workflow })).toMatchObject({
      status: 429,
      body: { reason: "resend_too_soon" }
    })
  })

  it("that is approved lets its prefix grow, and one that is not does not", async () => {
    const { request } = await guarded(
      denying({ pumping: { prefix: { floor: 2, share: 0.1, window: "1h" }, block: "1h" } })
    )
    const verify = async (index: number, guess: string) => {
      const to = `+491512345${String(1_000 + index)}`
      const sms = [{ channel: "sms", timeout: 60 }]
      const started = await request("/verifications", { to, workflow: sms, code: "424242" })
      if (started.status === 200) await request("/verifications/check", { to, code: guess })
      return started.status
    }
    for (let index = 0; index < 9; index++) expect(await verify(index, "424242")).toBe(200)
    const unverified: Array<number> = []
    for (let index = 10; index < 14; index++) unverified.push(await verify(index, "000000"))
    expect(unverified).toEqual([200, 200, 403, 403])
  })
})

describe("sends that no carrier takes", () => {
  it("are no pumping: the first code after an outage is sent", async () => {
    let isDown = true
    const down = Outcome.rejected(new ServiceUnavailable({ message: "The carrier is down." }))
    const carrier = Layer.succeed(SmsGateway, {
      send: () => Effect.succeed(isDown ? down : Outcome.accepted(["1"])),
      events: () => Effect.void,
      health: Effect.succeed([])
    })
    const rules = denying({ pumping: { prefix: { floor: 1, share: 0, window: "1h" }, block: "1h" } })
    const { account, running } = await guarded(rules, { sms: carrier })
    const workflow = [{ channel: "sms", timeout: 60 }] as const
    const verify = (index: number) =>
      running.verify.start({ account }, { to: `+491512345${String(2_000 + index)}`, workflow }).then(
        () => "sent",
        ({ code }) => code
      )
    const send = (index: number) =>
      running.sms.send({ account }, { to: `+491512345${String(1_000 + index)}`, text }).then(
        () => "sent",
        ({ code }) => code
      )
    for (let index = 0; index < 3; index++)
      expect([await send(index), await verify(index)]).toEqual(["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"])
    isDown = false
    expect([await send(4), await verify(4)]).toEqual(["sent", "FORBIDDEN"])
  })
})

describe("a reported outcome", () => {
  it("that succeeded counts as verified, once", async () => {
    const { request } = await guarded(
      denying({ pumping: { prefix: { floor: 1, share: 0, window: "1h" }, block: "1h" } })
    )
    const send = (index: number) => request("/sms", { to: `+491512345${String(1_000 + index)}`, text })
    const { body } = await send(1)
    for (let times = 0; times < 3; times++) await request("/sms/webhook", { id: body.messageId, status: "delivered" })
    expect([(await send(2)).status, (await send(3)).status]).toEqual([200, 403])
  })
})

describe("a sandbox number that ends in 0429", () => {
  it.each([
    ["/sms", { text }, "/sms/sdr"],
    ["/chatgw", { code: "123456" }, "/chatgw/tdr"],
    ["/verifications", { workflow: [{ channel: "sms", timeout: 60 }] }, "/verifications/list"]
  ])("plays a limit: %s", async (path, body, list) => {
    const { request } = await guarded(null)
    const to = "+4915123450429"
    const refused = await request(path, { to, ...body })
    expect(refused).toMatchObject({
      status: 429,
      headers: { "retry-after": "30" },
      body: { error: "TOO_MANY_REQUESTS", reason: "limit_number", retry_after: 30, remaining: { limit_number: 0 } }
    })
    const listed = await request(list, { filter: { guard_reasons: "limit_number" } })
    expect(listed.body).toMatchObject({ total: 1 })
  })
})

describe("a sandbox number", () => {
  it.each([
    ["/sms", { text }],
    ["/chatgw", { code: "123456" }],
    ["/verifications", { workflow: [{ channel: "sms", timeout: 60 }] }]
  ])("that ends in 0403 plays a blocked one, and in 0404 one without a price: %s", async (path, body) => {
    const { request } = await guarded(null)
    const to = (digits: string) => request(path, { to: `+491512345${digits}`, ...body })
    expect(await to("0403")).toMatchObject({ status: 403, body: { error: "FORBIDDEN", reason: "prefix_blocked" } })
    const issues = [{ path: "to", message: "is a number that no price is set for" }]
    expect(await to("0404")).toMatchObject({ status: 400, body: { error: "BAD_REQUEST", issues } })
    expect((await to("0405")).status).toBe(200)
  })
})

/** Takes each text, and counts them. */
const carrierOf = (taken: Array<string> = []) =>
  Layer.succeed(SmsGateway, {
    send: ({ to }) => Effect.sync(() => Outcome.accepted([String(taken.push(to))])),
    events: () => Effect.void,
    health: Effect.succeed([{ name: "carrier", up: true, detail: null }])
  })

describe("a service for which no rules are set", () => {
  it("sends a phone one text, however a loop cancels and changes the purpose; other sends are under no limit", async () => {
    const taken: Array<string> = []
    const { account, by, running } = await guarded(null, { sms: carrierOf(taken) })
    const start = async (caller: string | typeof by, more: object = {}) => {
      const body = { to: german, workflow: [{ channel: "sms", timeout: 60 }] as const, ...more }
      const answer = running.verify.start(caller, body).then(({ id }) => running.verify.cancel(caller, id))
      return answer.then(
        ({ status }) => status,
        ({ reason }) => reason
      )
    }
    const times = async (count: number, request: (index: number) => Promise<string>) => {
      const all: Array<string> = []
      for (let index = 0; index < count; index++) all.push(await request(index))
      return [...new Set(all)]
    }
    expect(await start(account)).toBe("canceled")
    expect(await times(20, () => start(account))).toEqual(["limit_number"])
    expect(await times(20, (index) => start(account, { purpose: `p${index}` }))).toEqual(["limit_number"])
    expect(taken).toHaveLength(1)
    expect(await start(account, { to: "+499001234567" })).toBe("number_not_allowed")
    expect(await times(20, () => start(by))).toEqual(["canceled"])
    const send = () => running.sms.send(account, { to: german, text }).then(() => "sent")
    expect(await times(20, send)).toEqual(["sent"])
    await running.operator.account.testNumber.add({
      account_id: account,
      number: "+4915123456700",
      code: "424242",
      until: new Date(Date.now() + HOUR).toISOString()
    })
    expect(await times(5, () => start(account, { to: "+4915123456700" }))).toEqual(["canceled"])
    await running.operator.guard.allow({ number: german, account_id: account })
    expect(await times(5, () => start(account))).toEqual(["canceled"])
  })
})

describe("the start of a service", () => {
  const carrier = carrierOf()

  it("warns of live sends that are under no rule", async () => {
    const warnings = async (more: Partial<Options>) => {
      const logged: Array<string> = []
      const observability = Logger.layer([Logger.make(({ message }) => void logged.push(JSON.stringify(message)))])
      const secret = "a secret of at least 32 characters"
      const running = await createWatchword({ store: memory(), prices: {}, secret, observability, ...more })
      await running.dispose()
      return logged
    }
    expect(await warnings({})).toEqual([])
    expect(await warnings({ sms: carrier, guards: "none" })).toEqual([])
    expect(await warnings({ sms: carrier, guards: {} })).toEqual([])
    expect(await warnings({ sms: carrier })).toEqual([
      expect.stringMatching(/No guard rules are set.*other than verifications are under no limit.*sms:carrier/)
    ])
  })
})

describe("rules of the installation", () => {
  it("hold for accounts without their own", async () => {
    const { account, by, running } = await guarded(null, { guards: denying({ countries: { allow: ["FR"] } }) })
    const send = () => running.sms.send(by, { to: german, text })
    await expect(send()).rejects.toMatchObject({ code: "FORBIDDEN", reason: "country_not_allowed" })
    await running.operator.guard.set({ account_id: account, rules: "none" })
    expect((await running.operator.guard.show({ account_id: account })).in_force).toEqual({
      from: "account",
      rules: {}
    })
    await expect(send()).resolves.toMatchObject({ to: german })
    expect(await running.operator.guard.remove({ entry: account })).toEqual({ removed: account, account_id: account })
    await expect(send()).rejects.toMatchObject({ code: "FORBIDDEN" })
  })

  it("that are wrong stop the start, with the field", async () => {
    const guards: GuardRules = { limits: [{ name: "number", by: ["to"], rates: ["5 an hour"] }] }
    await expect(createWatchword({ store: memory(), guards })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: "guards.limits[0].rates[0]" }]
    })
  })
})

describe("the operator", () => {
  it("blocks, allows and shows", async () => {
    const { account, by, running } = await guarded(numbers(9))
    const { guard } = running.operator
    await guard.block({ place: "+4915", for: 3600 })
    await expect(running.sms.send(by, { to: german, text })).rejects.toMatchObject({ reason: "prefix_blocked" })
    await guard.allow({ number: german, account_id: account })
    await expect(running.sms.send(by, { to: german, text })).resolves.toMatchObject({ to: german })
    expect(await guard.list({ account_id: null })).toMatchObject({
      guards: [{ account_id: null, action: null, blocks: [{ place: "+4915", by: "operator" }] }]
    })
    const inForce = { from: "account", rules: { action: "deny" } }
    expect(await guard.show({ account_id: account })).toMatchObject({
      rules: { action: "deny" },
      in_force: inForce,
      allowed: [{ number: german, until: null }]
    })
    expect((await guard.list()).guards).toMatchObject([
      { account_id: null, action: null, blocks: [{ place: "+4915" }] },
      { account_id: account, action: "deny", allowed: [{ number: german, until: null }] }
    ])
    expect(await guard.remove({ entry: "+4915" })).toEqual({ removed: "+4915", account_id: null })
    expect(await guard.remove({ entry: german, account_id: account })).toEqual({ removed: german, account_id: account })
    await expect(guard.remove({ entry: german, account_id: account })).rejects.toMatchObject({ code: "BAD_REQUEST" })
    expect(await guard.set({ account_id: account, rules: { limits: [] } })).toEqual({
      account_id: account,
      rules: { limits: [] }
    })
    await expect(guard.block({ place: "4915", for: 3600 })).rejects.toMatchObject({ code: "BAD_REQUEST" })
  })
})

describe("a limit by a client's own value", () => {
  it("counts starts and resends of one session over all numbers, and no starts without a session", async () => {
    const { by, request, running } = await guarded(
      denying({ limits: [{ name: "session", by: ["limit_key:session"], rates: ["2/1h"] }] })
    )
    const start = (last: number, more: object = {}) =>
      request("/verifications", { to: `+4915123456${700 + last}`, ...more })
    const mine = { limit_keys: { session: "abc", device: "1" } }
    expect((await start(1, mine)).status).toBe(200)
    expect((await start(2, mine)).status).toBe(200)
    const third = await start(3, mine)
    expect(third).toMatchObject({ status: 429, body: { reason: "limit_session", remaining: { limit_session: 0 } } })
    expect((await start(4, { limit_keys: { session: "other" } })).status).toBe(200)
    expect((await start(5)).status).toBe(200)
    const wrong = await start(6, { limit_keys: { "a b": "1" } })
    expect(wrong).toMatchObject({ status: 400, body: { issues: [{ path: "limit_keys" }] } })
    const { list } = await running.verify.list(by, { filter: { status: "blocked" } })
    expect(list.map(({ guard_reasons: reasons }) => reasons)).toEqual(["limit_session"])
  })
})
