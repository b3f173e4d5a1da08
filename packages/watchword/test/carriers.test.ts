import { BizchatGateway } from "@watchword/bizchat/BizchatGateway"
import * as Outcome from "@watchword/send/Outcome"
import { carriers } from "@watchword/sms/carriers"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, expect, it, vi } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

let service: Watchword | undefined
afterEach(async () => {
  await service?.dispose()
  service = undefined
})

let sent: Array<string>

/** A carrier of one's own, which takes everything. */
const own = (name: string) =>
  Layer.succeed(
    SmsGateway,
    SmsGateway.of({
      send: () => Effect.sync(() => Outcome.accepted([`${sent.push(name)}`])),
      events: () => Effect.void,
      health: Effect.succeed([{ name: "api", up: true }])
    })
  )

it("records name the carrier of a gateway that has one alone, to operators only", async () => {
  const chat = Layer.succeed(BizchatGateway, {
    carrier: "platform",
    check: () => Effect.void,
    send: ({ delivery }) => Effect.succeed(Outcome.accepted([delivery])),
    events: () => Effect.void,
    health: Effect.succeed([]),
    webhook: null
  })
  service = await createWatchword({
    store: memory(),
    secret: "a secret of at least 32 characters",
    bizchat: chat
  })
  const { bizchat, operator } = service
  const { account_id: account } = await operator.account.create({ name: "Acme" })
  const to = "+4915123456789"
  const { uuid } = await bizchat.send({ account }, { to, text: "Your code is 123456" })
  expect(JSON.stringify(await bizchat.get({ account }, uuid))).not.toContain("platform")
  expect((await operator.why({ number: to })).items[0]?.lines).toContain("by carrier platform")
})

it("the operator's calls drain carriers, and set routes of accounts", async () => {
  sent = []
  service = await createWatchword({
    store: memory(),
    secret: "a secret of at least 32 characters",
    sms: carriers({ acme: { gateway: own("acme"), cost: { "*": 0.061 } }, bell: own("bell") })
  })
  const { operator, sms } = service
  const { account_id: account } = await operator.account.create({ sms_sender: "Acme" })
  const send = () => sms.send({ account }, { to: "+4915123456789", text: "Hello" })

  await send()
  await operator.route.set({ account_id: account, routes: [{ channel: "sms", to: "49", via: ["bell"] }] })
  expect((await operator.route.show({ account_id: account })).routes).toEqual([
    { channel: "sms", to: "49", via: ["bell"] }
  ])
  await send()
  await operator.carrier.drain({ carrier: "bell", for: 60 })
  await expect(send()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", reason: "no_route" })
  expect(await operator.route.remove({ account_id: account })).toEqual({ account_id: account })
  await send()
  expect(sent).toEqual(["acme", "bell", "acme"])

  const found = await vi.waitUntil(
    async () => {
      const { carriers: all } = await operator.carrier.list()
      return all.length === 2 && all[0]?.sent === 2 ? all : null
    },
    { timeout: 20_000 }
  )
  expect(found).toMatchObject([
    { carrier: "acme", servers: 1, up: 1, drained: false, cost: 0.061, sent: 2, approved: 0 },
    { carrier: "bell", drained: true, drained_until: expect.stringMatching(/Z$/), cost: null, sent: 1 }
  ])
  expect(await operator.carrier.resume({ carrier: "bell" })).toEqual({ carrier: "bell" })
  await expect(operator.carrier.resume({ carrier: "bell" })).rejects.toMatchObject({ code: "BAD_REQUEST" })
  await expect(operator.carrier.drain({ carrier: "bull" })).rejects.toMatchObject({
    issues: [{ path: "carrier", message: "is no carrier of a running server; use acme, bell" }]
  })
})
