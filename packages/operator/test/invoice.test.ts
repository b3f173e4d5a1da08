import { builtInChannels } from "watchword/Hosting"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import { AccountId, DeliveryId, firstUlid, nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import * as Prefixes from "@watchword/schemas/Prefixes"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { makeMemory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import { PriceLists, invoice } from "../src/insight/traffic/Invoice.ts"

const german = "+4915123456789"
const berlin = "+493012345678"
const refused = "+4915100000000"
const lost = "+4915100000001"

/** A carrier that counts its messages: their ids are m1, m2 … and, of the second part, m2-2. */
const makeCarrier = () => {
  let sent = 0
  const gateway = Layer.succeed(SmsGateway, {
    events: () => Effect.void,
    health: Effect.succeed([]),
    webhook: null,
    send: ({ text, to }) =>
      Effect.sync(() => {
        sent += 1
        const failure = new ServiceUnavailable({ message: "The carrier is disconnected." })
        if (to === refused) return Outcome.rejected(failure)
        if (to === lost) return Outcome.unknown(failure)
        const refs = text.parts.map((_, part) => `acme:m${sent}${part === 0 ? "" : `-${part + 1}`}`)
        return Outcome.accepted(refs, { carrier: "acme", cost: 60_000 * refs.length })
      })
  })
  return gateway
}

const january = Date.UTC(2027, 0, 15, 12)
const february = Date.UTC(2027, 1, 1, 0, 1)

let now: number
let service: Watchword
let account: string
const store = makeMemory()

beforeEach(async () => {
  now = january
  service = await createWatchword({
    store: Layer.succeed(Store, store),
    clock: { now: () => now, after: () => () => {} },
    sms: makeCarrier(),
    guards: "none"
  })
  account = (await service.operator.account.create({ sms_sender: "Acme" })).account_id
})
afterEach(() => service.dispose())

const send = (to: string, text = "Hello") => service.sms.send(account, { to, text })

describe("an invoice", () => {
  it("has the messages that the carrier took, by day and prefix, and names each that its file has otherwise", async () => {
    await send(german)
    await send(german, "x".repeat(200))
    await expect(send(refused)).rejects.toMatchObject({ status: 503 })
    await expect(send(lost)).rejects.toMatchObject({ status: 503 })
    await service.sms.send({ account, sandbox: true }, { to: german, text: "Hello" })
    now += 24 * 3_600_000
    await send(berlin)
    await send(german)
    now = february
    await send(german)

    const { operator } = service
    const day = { channel: "sms", prefix: "49" }
    const { lines, ...totals } = await operator.invoice({ carrier: "acme", month: "2027-01" })
    expect(lines).toEqual([
      { ...day, day: "2027-01-15", messages: 2, parts: 3, cost: 0.18 },
      { ...day, day: "2027-01-16", messages: 2, parts: 2, cost: 0.12 }
    ])
    expect(totals).toMatchObject({ messages: 4, parts: 5, cost: 0.3, unknown: 0, differences: null, found: 0 })
    expect(await operator.invoice({ carrier: "sms", month: "2027-01" })).toMatchObject({ messages: 0, unknown: 1 })
    await expect(operator.invoice({ carrier: "other", month: "2027-01" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [
        {
          path: "carrier",
          message:
            "is no carrier of the settings, of running servers or of the records of 2027-01; use acme, or bizchat, call, chatgw, sms for a carrier without a name"
        }
      ]
    })

    const agreed = "Message ID,Price\r\nm1,0.06\r\nm2,0.06\r\nm2-2,0.06\r\nm5,0.06\r\nm6,0.06\r\n"
    const compared = await operator.invoice({ carrier: "acme", month: "2027-01", against: agreed })
    expect(compared).toMatchObject({ differences: [], found: 0 })

    const other = '"msg_id";"amount"\nm1;0,07\nm2;0,06\nm5;0,06\nm5;0,06\nm7;0,06\n"m""9";0,06\n'
    const { differences } = await operator.invoice({ carrier: "acme", month: "2027-01", against: other })
    expect(differences?.map(({ kind, message, says }) => [kind, message, says])).toEqual([
      ["twice", "m5", "line 5: the id is also in an earlier line"],
      ["other_month", "m7", "line 6: the record is of 2027-02-01T00:01:00.000Z"],
      ["unknown_id", 'm"9', "line 7: no record has the id"],
      ["cost", "m1", "0.07 EUR in the file, 0.06 EUR by its costs"],
      ["not_charged", "m2", "1 of 2 ids of its parts are in the file"],
      ["not_charged", null, "0 of 1 ids of its parts are in the file"]
    ])
  })

  it("names a message that the file has, and by its record the carrier did not take, or another one did", async () => {
    const at = Date.UTC(2027, 2, 1)
    const written = async (outcome: "accepted" | "refunded", ref: string, carrier: string) => {
      const id = DeliveryId.make(firstUlid(at).slice(0, 10) + nextDeliveryId(at).slice(10))
      const status = { name: "sent", rank: 1 }
      const delivery = {
        id,
        account: AccountId.make(account),
        mode: "live",
        channel: "sms",
        to: german,
        from: null,
        status,
        price: MicroEuros.make(0),
        parts: 1,
        reference: null,
        details: {},
        dueAt: null
      } as const
      const close = { outcome, status, refs: [ref], details: { carrier, cost: 10 } } as const
      const opened = store.open({ delivery, claims: [], owner: nextProcessId(at), at, close })
      expect(await Effect.runPromise(opened)).toMatchObject({ _tag: "Opened" })
    }
    await written("refunded", "acme:r1", "acme")
    await written("accepted", "r2", "bell")
    const against = "id\nr1\nr2\n"
    const { differences } = await service.operator.invoice({ carrier: "acme", month: "2027-03", against })
    expect(differences).toMatchObject([
      { kind: "not_taken", message: "r1" },
      { kind: "other_carrier", message: "r2" }
    ])
  })

  it("of a carrier that is known by its channel, its settings, a drain or a route is empty, and of none else", async () => {
    const { operator } = service
    await operator.carrier.drain({ carrier: "drained" })
    const asked = (carrier: string) =>
      invoice({ carrier, month: "2027-08" }).pipe(
        Effect.provideService(PriceLists, new Map([["costless", null]])),
        Effect.provide(Settings.layer),
        Effect.provideService(Store, store),
        Effect.provide(builtInChannels),
        Effect.runPromise
      )
    for (const carrier of ["chatgw", "costless", "drained"]) {
      expect(await asked(carrier)).toMatchObject({ messages: 0, unknown: 0, lines: [] })
    }
    await expect(asked("acmee")).rejects.toMatchObject({
      issues: [{ path: "carrier", message: expect.stringContaining("; use costless, drained, or bizchat,") }]
    })
    await expect(asked("verify")).rejects.toMatchObject({ code: "BAD_REQUEST" })
    await operator.carrier.resume({ carrier: "drained" })
  })

  it("has the prefixes of the carrier's price list", async () => {
    now = Date.UTC(2027, 4, 1)
    await send(german)
    await send(berlin)
    const costs = Prefixes.make(new Map(["4915", "*"].map((prefix) => [prefix, MicroEuros.make(60_000)])))
    const { lines } = await invoice({ carrier: "acme", month: "2027-05" }).pipe(
      Effect.provideService(PriceLists, new Map([["acme", costs]])),
      Effect.provide(Settings.layer),
      Effect.provideService(Store, store),
      Effect.provide(builtInChannels),
      Effect.runPromise
    )
    expect(lines.map(({ prefix }) => prefix)).toEqual(["*", "4915"])
  })

  it.each([
    [{ carrier: "acme", month: "2027-13" }, "month", "must be a month such as 2027-01"],
    [{ carrier: "acme", month: "2027-01", against: "price\n1\n" }, "against", /a column message_id$/],
    [
      { carrier: "acme", month: "2027-01", against: "id,price\na,b\n" },
      "against",
      /an amount in the column price of line 2$/
    ],
    [{ carrier: "acme", month: "2027-01", against: "id,price\n,1\n" }, "against", /an id in line 2$/]
  ])("%j is refused", async (options, path, message) => {
    await expect(service.operator.invoice(options)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path, message: expect.stringMatching(message) }]
    })
  })
})
