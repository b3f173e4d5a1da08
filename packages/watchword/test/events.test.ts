import { verifyWebhook } from "@watchword/callback-signature/webhook"
import type { EventPattern } from "@watchword/schemas/Event"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Event, type HandledEvent, type Watchword, createWatchword, memory } from "watchword"
import { closeReceivers, receive } from "../../events/test/receiver.ts"
import { closeNameServers, nameServer } from "../../events/test/nameServer.ts"

const german = "+4915123456789"

const carrier = Layer.succeed(SmsGateway, {
  events: () => Effect.void,
  health: Effect.succeed([]),
  send: ({ delivery }) => Effect.succeed(Outcome.accepted([`ref-${delivery}`]))
})

let service: Watchword
let account: string
let sandbox: { readonly account: string; readonly sandbox: true }

const open = async (options: Partial<Parameters<typeof createWatchword>[0]> = {}) => {
  service = await createWatchword({
    store: memory(),
    secret: "0123456789abcdef0123456789abcdef",
    webhooks: { allowPrivate: true },
    ...options
  })
  account = (await service.operator.account.create()).account_id
  sandbox = { account, sandbox: true }
}

beforeEach(() => open())

afterEach(async () => {
  await service.dispose()
  await closeReceivers()
})

/** Collects events in the process until there are so many. */
const collected = <P extends EventPattern>(pattern: P) => {
  const events: Array<HandledEvent<P>> = []
  const waiting = new Set<() => void>()
  const off = service.on(pattern, (event) => {
    events.push(event)
    for (const look of waiting) look()
  })
  const until = (count: number) =>
    new Promise<ReadonlyArray<HandledEvent<P>>>((resolve) => {
      const look = () => (events.length >= count ? resolve(events) : undefined)
      waiting.add(look)
      look()
    })
  return { events, until, off }
}

const approved = async () => {
  const { id } = await service.verify.start(sandbox, { to: german, workflow: [{ channel: "sms", timeout: 60 }] })
  const { messages } = await service.sandbox.inbox(sandbox, { to: german })
  const code = messages[0]?.code ?? ""
  await service.verify.check(sandbox, id, { code })
  return { id, code }
}

describe("service.on", () => {
  it("tells of a verification from its start to its approval, by versions that rise and without the code", async () => {
    const all = collected("verification.*")
    const { code, id } = await approved()
    const events = [...(await all.until(3))].toSorted((a, b) => a.data.version - b.data.version)
    expect(events.map(({ type }) => type)).toEqual([
      "verification.created",
      "verification.attempted",
      "verification.approved"
    ])
    expect(events.map(({ data }) => data.version)).toEqual([1, 2, 3])
    for (const event of events) {
      expect(event.data).toMatchObject({ id, account_id: account, mode: "sandbox", to: german })
      expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp)
    }
    expect(events[1]?.data).toMatchObject({ attempt: 1, status: "pending" })
    expect(events[2]?.data).toMatchObject({ status: "approved" })
    expect(JSON.stringify(events)).not.toContain(code)
  })

  it("types handlers by the name of the event, and takes no name that is none", async () => {
    const one = collected("verification.approved")
    await approved()
    const [event] = await one.until(1)
    const at: string | null | undefined = event?.data.approved_at
    expect(at).toBe(event?.data.approved_at)
    const unknown = JSON.parse('"verification.done"')
    expect(() => service.on(unknown, () => {})).toThrow("There is no event verification.done.")
  })

  it("tells of messages by the ids that sends answer, without their texts, and calls no handler that left", async () => {
    const gone = collected("*")
    gone.off()
    const all = collected("delivery.updated")
    const { messageId } = await service.sms.send(sandbox, { to: german, text: "Your code is 778899" })
    const events = await all.until(2)
    expect(new Set(events.map(({ data }) => data.status))).toEqual(new Set(["sent", "delivered"]))
    expect(events.every(({ data }) => data.id === messageId && data.channel === "sms")).toBe(true)
    expect(JSON.stringify(events)).not.toContain("778899")
    expect(gone.events).toEqual([])
  })

  it("tells of the end of a call", async () => {
    const all = collected("call.ended")
    const { uuid } = await service.call.flash(sandbox, { callee: german, caller: "+4930901820000", max_ring_time: 1 })
    const [event] = await all.until(1)
    expect(event?.data).toMatchObject({ id: uuid, callee: german })
    expect(event?.data.hangup_cause).toEqual(expect.any(String))
  })

  it("tells of a guard's refusal with its reasons", async () => {
    await service.operator.guard.set({ account_id: account, rules: { action: "deny", countries: { allow: ["AT"] } } })
    const all = collected("guard.tripped")
    await expect(service.sms.send(sandbox, { to: german, text: "x" })).rejects.toThrow()
    const [event] = await all.until(1)
    expect(event?.data).toMatchObject({ channel: "sms", to: german, reasons: ["country_not_allowed"] })
  })

  it("sends what is due before it is disposed of", async () => {
    const told: Array<Event> = []
    service.on("*", (event) => void told.push(event))
    await approved()
    await service.dispose()
    expect(told.map(({ type }) => type)).toContain("verification.approved")
  })
})

describe("service.operator.webhook", () => {
  it("adds an endpoint that gets signed events of its patterns, and shows what it answered", async () => {
    const receiver = await receive()
    const { webhook_id: webhookId, secret } = await service.operator.webhook.add({
      account_id: account,
      url: `${receiver.url}/hook`,
      events: ["verification.approved"]
    })
    const { id } = await approved()
    await receiver.until(1)
    const [{ body, headers } = { body: "", headers: {} }] = receiver.got
    const event = await verifyWebhook(body, headers, { secret })
    expect(event).toMatchObject({ type: "verification.approved", data: { id, account_id: account } })
    await service.dispose()
    expect(receiver.got).toHaveLength(1)
    expect(webhookId).toMatch(/^whk_/)
  })

  it("tests, lists, replays, rotates and removes", async () => {
    const receiver = await receive()
    const { webhook } = service.operator
    const { webhook_id: id, secret } = await webhook.add({ url: receiver.url })
    expect(await webhook.test({ webhook_id: id })).toEqual({
      webhook_id: id,
      answer: "204",
      taken: true,
      message: "answered 204"
    })
    expect((await webhook.list()).webhooks).toMatchObject([
      { webhook_id: id, account_id: null, events: ["*"], pending: 0, disabled: null, last_answer: { answer: "204" } }
    ])
    expect(await webhook.list({ account_id: account })).toEqual({ webhooks: [] })
    expect(await webhook.replay({ webhook_id: id, since: new Date(0).toISOString() })).toEqual({
      webhook_id: id,
      events: 1
    })
    await receiver.until(2)
    expect(receiver.got[1]?.headers["webhook-id"]).toBe(receiver.got[0]?.headers["webhook-id"])
    const rotated = await webhook.rotate({ webhook_id: id })
    expect(rotated.secret).not.toBe(secret)
    expect(await webhook.test({ webhook_id: id })).toMatchObject({ taken: true })
    const [{ body, headers } = { body: "", headers: {} }] = receiver.got.slice(-1)
    await verifyWebhook(body, headers, { secret })
    await verifyWebhook(body, headers, { secret: rotated.secret })
    await webhook.remove({ webhook_id: id })
    expect(await webhook.list()).toEqual({ webhooks: [] })
    await expect(webhook.test({ webhook_id: id })).rejects.toThrow("There is no such webhook.")
  })

  it("tells of a balance that a send takes below the threshold, once", async () => {
    await service.dispose()
    await open({ prices: { sms: { "*": 0.6 } }, sms: carrier })
    await service.operator.account.credit({ account_id: account, amount: 3 })
    await service.operator.webhook.lowBalance({ account_id: null, euros: 2 })
    const all = collected("balance.low")
    const last = collected("delivery.updated")
    const send = () => service.sms.send(account, { to: german, text: "x", from: "Acme" })
    await send()
    await send()
    await send()
    await last.until(3)
    const events = await all.until(1)
    expect(events.map(({ data }) => data)).toMatchObject([{ account_id: account, available: 1.8, threshold: 2 }])
  })

  it("names each field that is wrong", async () => {
    const { webhook } = service.operator
    await expect(webhook.add({ url: "ftp://a.example" })).rejects.toMatchObject({ issues: [{ path: "url" }] })
    const wrong = JSON.parse('{ "url": "https://a.example", "events": ["sms.*"] }')
    await expect(webhook.add(wrong)).rejects.toMatchObject({
      issues: [{ path: "events[0]" }]
    })
    await expect(webhook.lowBalance({ account_id: null, euros: -1 })).rejects.toMatchObject({
      issues: [{ path: "euros" }]
    })
  })

  it("refuses private addresses unless they are allowed, and says so when they are added", async () => {
    expect(await service.operator.webhook.add({ url: "http://127.0.0.1:9/" })).toMatchObject({ warning: null })
    await service.dispose()
    const { address } = await nameServer()
    await open({ webhooks: { nameServers: [address] } })
    const { webhook } = service.operator
    const receiver = await receive()
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      const url = `http://${host}:${receiver.port}/`
      const listed = await webhook.list()
      await expect(webhook.add({ url })).rejects.toMatchObject({
        code: "BAD_REQUEST",
        issues: [
          { path: "url", message: expect.stringMatching(/^is private: .* WEBHOOK_ALLOW_PRIVATE=true .* set anyway /) }
        ]
      })
      expect(await webhook.list()).toEqual(listed)
      const { webhook_id: id, warning } = await webhook.add({ url, anyway: true })
      const reason = "private addresses are refused; WEBHOOK_ALLOW_PRIVATE=true on the server allows them"
      expect(warning).toBe(`The address is private: ${reason}.`)
      expect(await webhook.test({ webhook_id: id })).toEqual({
        webhook_id: id,
        answer: "private address",
        taken: false,
        message: `no answer: ${reason}`
      })
    }
    expect(receiver.got).toEqual([])
    const unknown = await webhook.add({ url: "https://shop.example/hooks" })
    expect(unknown.warning).toBe(null)
    expect(await webhook.test({ webhook_id: unknown.webhook_id })).toMatchObject({
      taken: false,
      message: "no answer: the name shop.example does not resolve (ENOTFOUND)"
    })
    await closeNameServers()
  })
})
