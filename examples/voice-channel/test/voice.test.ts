import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { EventHub, respond } from "@watchword/send/gateway"
import { updatesAnd, withGateway } from "@watchword/send/channel/Channel"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import { accepted, rejected, unknown } from "@watchword/send/Outcome"
import * as Docs from "@watchword/server/Docs"
import { bytes } from "@watchword/server/Host"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { SqliteStore, sqlite } from "@watchword/store-sqlite"
import { VoiceEnded } from "@watchword/voice-channel/Schemas"
import { voice } from "@watchword/voice-channel/Voice"
import { type Ended, VoiceGateway } from "@watchword/voice-channel/VoiceGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"
import { audit } from "@watchword/operator/Audit"
import type { retentionLayer } from "@watchword/operator/jobs"
import { channels } from "watchword/Hosting"

const folder = mkdtempSync(join(tmpdir(), "voice-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const german = "+4915123456789"
const encode = (value: unknown) => bytes(new TextEncoder().encode(JSON.stringify(value)))

/** A provider by the last digit: 0 refuses, 1 does not answer, 2 ends the call before it answers the request. */
const makeProvider = () => {
  const hub = new EventHub<Ended, StoreError>()
  const ended = (ref: string): Ended => ({ ref, of: null, isHeard: true, listened: 7 })
  const gateway = Layer.succeed(VoiceGateway, {
    send: ({ delivery, to }) => {
      const ref = `ref-${delivery}`
      const failure = new ServiceUnavailable({ message: "The provider is away." })
      if (to.endsWith("0")) return Effect.succeed(rejected(failure))
      if (to.endsWith("1")) return Effect.succeed(unknown(failure))
      const early = to.endsWith("2") ? Effect.orDie(hub.publish(ended(ref))) : Effect.void
      return Effect.as(early, accepted([ref]))
    },
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([{ name: "provider", up: true }]),
    webhook: {
      maxBodyBytes: 65_536,
      signatureHeaders: [],
      handle: ({ rawBody }) =>
        Effect.suspend(() => hub.publish(JSON.parse(new TextDecoder().decode(rawBody)))).pipe(
          Effect.match({ onSuccess: () => respond(200), onFailure: () => respond(503) })
        )
    }
  })
  return { gateway, ended }
}

const stores: Readonly<Record<string, () => Layer.Layer<Store, StoreError, ChannelRegistry.ChannelRegistry>>> = {
  memory,
  SQLite: () => sqlite(join(folder, `${++files}.db`))
}

describe.each(Object.entries(stores))("a fifth channel on %s", (_name, store) => {
  const { ended, gateway } = makeProvider()
  const start = (on: Layer.Layer<Store, StoreError, ChannelRegistry.ChannelRegistry>) =>
    createWatchword({
      store: on,
      channels: [withGateway(voice, gateway)],
      prices: { voice: { "*": 0.05 } },
      pages: Docs.layer({ baseUrl: "/v1", channels: [voice] })
    })

  let service: Watchword<readonly [typeof voice]>
  let account: string

  beforeEach(async () => {
    service = await start(store())
    account = (await service.operator.account.create()).account_id
    await service.operator.account.credit({ account_id: account, amount: "0.1" })
  })
  afterEach(() => service.dispose())

  const ask = async (path: string, body: unknown, scopes?: ReadonlyArray<string>) => {
    const { key } = await service.operator.key.create(
      scopes === undefined ? { account_id: account } : { account_id: account, scopes }
    )
    const headers = { "x-api-key": key, "x-account-id": account }
    const answer = await service.handle({ method: "POST", path, headers, body: encode(body), remoteAddress: null })
    return [answer.status, JSON.parse(String(answer.body))]
  }

  it("is sent and charged, found, listed and reported in-process", async () => {
    const sent = await service.voice.send(account, { to: german, code: "123456" })
    expect(sent).toEqual({ uuid: sent.uuid, to: german })
    expect(await service.voice.get(account, sent.uuid)).toMatchObject({ status: "sent", price: 0.05 })
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.05,
      held: 0,
      available: 0.05
    })
    const report = { uuid: sent.uuid, status: "heard" } as const
    expect(await service.voice.report(account, report)).toEqual({ message: "OK", ...report })
    await expect(service.voice.report(account, { ...report, status: "unanswered" })).rejects.toMatchObject({
      code: "CONFLICT"
    })
    expect(await service.voice.list(account, { filter: { to: german, status: "heard" } })).toMatchObject({ total: 1 })
    expect(await service.voice.list(account, { filter: { created_at: { lt: "2020-01-01" } } })).toMatchObject({
      total: 0
    })
    await expect(service.sms.get(account, sent.uuid)).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("is served over HTTP behind its own scopes", async () => {
    const body = { to: german, code: "123456" }
    expect(await ask("/voice", body, ["sms:send", "voice:read"])).toMatchObject([403, { error: "FORBIDDEN" }])
    const [status, sent] = await ask("/voice", body, ["voice:send"])
    expect([status, sent]).toEqual([200, { uuid: sent.uuid, to: german }])
    expect(await ask("/voice/vdr", { filter: { uuid: sent.uuid } }, ["voice:read"])).toMatchObject([200, { total: 1 }])
    expect(await ask("/voice/webhook", { uuid: sent.uuid, status: "heard" }, ["voice:report"])).toMatchObject([
      200,
      { message: "OK", status: "heard" }
    ])
    expect(await ask("/voice", { to: "1", code: "x" })).toMatchObject([
      400,
      { issues: [{ path: "to" }, { path: "code" }] }
    ])
    expect(service.endpoints.has("POST", "/voice/vdr?x")).toBe(true)
  })

  it("takes what the provider posts to its webhook", async () => {
    const { uuid } = await service.voice.send(account, { to: german, code: "123456" })
    const body = encode(ended(`ref-${uuid}`))
    const request = { method: "POST", path: "/voice/events", headers: {}, body, remoteAddress: null }
    expect((await service.handle(request)).status).toBe(200)
    expect(await service.voice.get(account, uuid)).toMatchObject({ status: "heard", listened: 7 })
    expect(await service.voice.list(account, { filter: { listened: { gte: 7 } } })).toMatchObject({ total: 1 })
  })

  it("applies an end that came before the answer to the send", async () => {
    const { uuid } = await service.voice.send(account, { to: "+4915123456782", code: "123456" })
    expect(await service.voice.get(account, uuid)).toMatchObject({ status: "heard", listened: 7 })
  })

  it("finds the delivery of an answer that was lost by what the provider repeats", async () => {
    await expect(service.voice.send(account, { to: "+4915123456781", code: "123456" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE"
    })
    const { list } = await service.voice.list(account)
    expect(list).toMatchObject([{ status: "sent", price: 0.05 }])
    const uuid = list[0]?.uuid
    const body = encode({ ...ended("late"), of: uuid })
    await service.handle({ method: "POST", path: "/voice/events", headers: {}, body, remoteAddress: null })
    expect((await service.voice.list(account)).list).toMatchObject([{ uuid, status: "heard" }])
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: 0.05,
      held: 0,
      available: 0.05
    })
  })

  describe("as a step of a verification", () => {
    const workflow = [
      { channel: "voice", timeout: 30 },
      { channel: "sms", timeout: 30 }
    ]
    const end = (uuid: string | null | undefined, isHeard = true) =>
      service.handle({
        method: "POST",
        path: "/voice/events",
        headers: {},
        body: encode({ ...ended(`ref-${uuid}`), isHeard, listened: isHeard ? 7 : 0 }),
        remoteAddress: null
      })

    it("carries the code, is heard, and is approved", async () => {
      const { attempts, id } = await service.verify.start(account, { to: german, workflow })
      expect(attempts).toMatchObject([{ channel: "voice", status: "accepted", price: 0.05 }])
      await end(attempts[0]?.delivery_id)
      expect(await service.verify.get(account, id)).toMatchObject({
        attempts: [{ channel: "voice", status: "delivered" }],
        next: null
      })
      const sandbox = { account, sandbox: true }
      const started = await service.verify.start(sandbox, { to: german, workflow })
      const { messages } = await service.sandbox.inbox(sandbox, { to: german })
      const code = messages[0]?.code ?? ""
      expect(await service.verify.check(sandbox, started.id, { code })).toMatchObject({
        valid: true,
        channel: "voice"
      })
    })

    it("is named in a workflow over HTTP", async () => {
      const [status, { attempts }] = await ask("/verifications", { to: german, workflow })
      expect([status, attempts]).toMatchObject([200, [{ channel: "voice", status: "accepted" }]])
    })

    it("is chosen where no workflow is set, because it has a gateway", async () => {
      expect(await service.verify.start(account, { to: german })).toMatchObject({ channel: "voice", next: null })
    })

    it("is followed by the next step once the provider says that nobody answered", async () => {
      const steps = [
        { channel: "voice", timeout: 30 },
        { channel: "voice", timeout: 30 }
      ]
      const { attempts, id } = await service.verify.start(account, { to: german, workflow: steps })
      await end(attempts[0]?.delivery_id, false)
      await expect
        .poll(async () => (await service.verify.get(account, id)).attempts.map(({ status }) => status))
        .toEqual(["undelivered", "accepted"])
    })

    it("is watched: each send and each change of the record is an event", async () => {
      const events: Array<string> = []
      await service.on("*", ({ data, type }) => void events.push("channel" in data ? `${type} ${data.channel}` : type))
      const { attempts } = await service.verify.start(account, { to: german, workflow })
      await end(attempts[0]?.delivery_id)
      await expect.poll(() => events).toContain("verification.attempted voice")
      await expect.poll(() => events.filter((event) => event === "delivery.updated voice").length).toBeGreaterThan(0)
    })

    it("is explained in its own words", async () => {
      const { attempts } = await service.verify.start(account, { to: german, workflow })
      await end(attempts[0]?.delivery_id)
      const { items, reason } = await service.operator.why({ number: german })
      expect(reason).toBe("the phone showed it: voice says heard")
      expect(items.flatMap(({ lines }) => lines)).toContain("the network said: 7 s were listened to")
    })

    it("is erased with its verification", async () => {
      const { attempts, id } = await service.verify.start(account, { to: german, workflow })
      await service.verify.cancel(account, id)
      await end(attempts[0]?.delivery_id)
      expect(await service.operator.erase({ number: german })).toMatchObject({ records: 2, under_way: 0 })
      expect(await service.verify.get(account, id)).toMatchObject({ to: "erased" })
    })

    it("is named among the channels where a workflow names none of them", async () => {
      const refused = [400, { issues: [{ path: "workflow[0].channel", message: expect.stringMatching(/sms.*voice/) }] }]
      expect(await ask("/verifications", { to: german, workflow: [{ channel: "fax", timeout: 30 }] })).toMatchObject(
        refused
      )
      const set = service.operator.account.workflow.set({
        account_id: account,
        name: "by-fax",
        steps: [{ channel: "fax", timeout: 30 }]
      })
      await expect(set).rejects.toMatchObject({ issues: [{ path: "steps[0].channel" }] })
      await service.operator.account.workflow.set({
        account_id: account,
        name: "by-voice",
        steps: [{ channel: "voice", timeout: 30 }]
      })
      expect(await service.verify.start(account, { to: german, workflow: "by-voice" })).toMatchObject({
        channel: "voice"
      })
    })
  })

  it("has an event of its own, for handlers and for webhooks", async () => {
    const listened: Array<number> = []
    const updates: Array<string> = []
    await service.on("voice.ended", ({ data }) => void listened.push(data.listened))
    await service.on("voice.*", ({ data, type }) => void updates.push(`${type} ${data.status} ${data.mode}`))
    const { webhook_id: id } = await service.operator.webhook.add({ url: "https://a.example", events: ["voice.ended"] })
    const { uuid } = await service.voice.send(account, { to: german, code: "123456" })
    await service.handle({
      method: "POST",
      path: "/voice/events",
      headers: {},
      body: encode(ended(`ref-${uuid}`)),
      remoteAddress: null
    })
    await expect.poll(() => listened).toEqual([7])
    expect(updates).toEqual(["voice.ended heard live"])
    expect((await service.operator.webhook.list()).webhooks).toMatchObject([
      { webhook_id: id, events: ["voice.ended"] }
    ])

    const wrong = { url: "https://a.example", events: ["*", "voice.begun"] }
    await expect(service.operator.webhook.add(wrong)).rejects.toMatchObject({ issues: [{ path: "events[1]" }] })
    // @ts-expect-error there is no such event
    expect(() => service.on("voice.begun", () => {})).toThrow("There is no event voice.begun.")
  })

  it("is erased with what every send leaves, and with what its description calls personal", async () => {
    const { uuid } = await service.voice.send(account, { to: german, code: "123456" })
    const body = encode(ended(`ref-${uuid}`))
    await service.handle({ method: "POST", path: "/voice/events", headers: {}, body, remoteAddress: null })
    const sandbox = { account, sandbox: true }
    await service.voice.send(sandbox, { to: german, code: "123456" })
    expect(await service.sandbox.inbox(sandbox, { to: german })).toMatchObject({ messages: [{ code: "123456" }] })

    expect(await service.operator.erase({ number: german })).toMatchObject({ records: 2, under_way: 0 })
    expect(await service.voice.get(account, uuid)).toMatchObject({ to: "erased", status: "heard", listened: 0 })
    expect(JSON.stringify(await service.sandbox.inbox(sandbox, {}))).not.toContain("123456")
  })

  it("costs nothing where the provider refuses, and where the balance is too small", async () => {
    await expect(service.voice.send(account, { to: "+4915123456780", code: "123456" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE"
    })
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({ available: 0.1 })
    const caller = { account, sandbox: true }
    await expect(service.voice.send(caller, { to: "+4915123450402", code: "123456" })).rejects.toMatchObject({
      code: "PAYMENT_REQUIRED"
    })
    await expect(service.voice.send(caller, { to: "+4915123450603", code: "123456" })).rejects.toMatchObject({
      code: "DECLINE"
    })
    const { uuid } = await service.voice.send(caller, { to: "+4915123450001", code: "123456" })
    expect(await service.voice.get(caller, uuid)).toMatchObject({ status: "sent", price: 0 })
  })

  it("is ready with its gateway, and documented", async () => {
    const get = (path: string) =>
      service.operations({ method: "GET", path, headers: {}, body: { _tag: "Absent" }, remoteAddress: null })
    expect(JSON.parse(String((await get("/readyz")).body))).toEqual({
      status: "ready",
      checks: { store: "up", "voice:provider": "up" }
    })
    const { body } = await get("/openapi.json")
    const document = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body)
    expect(Object.keys(JSON.parse(document).paths)).toContain("/voice/vdr")
    expect(document).toContain("Seconds that the recipient listened.")
    expect(JSON.parse(document).webhooks["voice.ended"].post).toMatchObject({
      operationId: "webhook.voice.ended",
      summary: "A call that read a code out is over"
    })
  })
})

it("cannot have a number that is kept for Watchword's own channels", async () => {
  const products = voice.products.map((product) => ({ ...product, number: 63 }))
  const channels = [withGateway({ ...voice, products }, makeProvider().gateway)]
  await expect(createWatchword({ store: memory(), channels })).rejects.toThrow("from 64 to 127, but has 63")
})

it("cannot have an event that another channel may have", async () => {
  const events = updatesAnd({ "call.ended": VoiceEnded }, () => ({}))
  const channels = [withGateway({ ...voice, events }, makeProvider().gateway)]
  await expect(createWatchword({ store: memory(), channels })).rejects.toThrow("voice.call.ended")
})

describe("a file with records of a fifth channel", () => {
  it("is read by the next service", async () => {
    const file = join(folder, "shared.db")
    const { gateway } = makeProvider()
    const start = () => createWatchword({ store: sqlite(file), channels: [withGateway(voice, gateway)] })
    const first = await start()
    const { account_id: account } = await first.operator.account.create()
    const { uuid } = await first.voice.send(account, { to: german, code: "123456" })
    await first.dispose()
    const second = await start()
    expect(await second.voice.get(account, uuid)).toMatchObject({ uuid, to: german, status: "sent" })
    expect(await second.voice.list(account)).toMatchObject({ total: 1 })
    await second.dispose()
  })

  it("breaks no rule of an audit that knows the channel", async () => {
    const file = join(folder, "audited.db")
    const one = await createWatchword({ store: sqlite(file), channels: [withGateway(voice, makeProvider().gateway)] })
    const { account_id: account } = await one.operator.account.create()
    await one.voice.send(account, { to: german, code: "123456" })
    await one.verify.start(account, { to: german, workflow: [{ channel: "voice", timeout: 30 }] })
    const known = Layer.provideMerge(SqliteStore.snapshots(file), ChannelRegistry.layer([...channels, voice]))
    const report = await Effect.runPromise(Effect.provide(audit, known))
    expect(report).toMatchObject({ ok: true, checked: { deliveries: 3 } })
    await one.dispose()
  })

  it("is asked for in the types of what reads records, so that no program takes the built-in channels by mistake", () => {
    type Asks<Needs> = Extract<Needs, ChannelRegistry.ChannelRegistry>
    expectTypeOf<Asks<Effect.Services<typeof audit>>>().toEqualTypeOf<ChannelRegistry.ChannelRegistry>()
    expectTypeOf<Asks<Layer.Services<typeof retentionLayer>>>().toEqualTypeOf<ChannelRegistry.ChannelRegistry>()
    expectTypeOf<Asks<Layer.Services<ReturnType<typeof sqlite>>>>().toEqualTypeOf<ChannelRegistry.ChannelRegistry>()
    expect(expectTypeOf<Layer.Services<ReturnType<typeof memory>>>().toBeNever()).toBe(true)
  })

  it("is not half erased by a service that lacks the channel", async () => {
    const file = join(folder, "foreign.db")
    const { gateway } = makeProvider()
    const one = await createWatchword({ store: sqlite(file), channels: [withGateway(voice, gateway)] })
    const { account_id: account } = await one.operator.account.create()
    const { uuid } = await one.voice.send(account, { to: german, code: "123456" })
    const other = await createWatchword({ store: SqliteStore.layer({ filename: file, severalServers: true }) })
    await expect(other.operator.erase({ number: german })).rejects.toMatchObject({
      cause: { message: expect.stringContaining("product 64, whose channel this program lacks") }
    })
    expect(await one.voice.get(account, uuid)).toMatchObject({ to: german })
    expect(await one.operator.erase({ number: german })).toMatchObject({ records: 1 })
    expect(await other.operator.erase({ number: german })).toMatchObject({ records: 0, under_way: 0 })
    await Promise.all([one.dispose(), other.dispose()])
  })
})
