/** Attempts, page by page, through Twilio's own SDK. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { PHONE, type World, openWorld, refusalOf } from "./fixture.ts"

let world: World

beforeEach(async () => {
  world = await openWorld()
})

afterEach(() => world.close())

const numberOf = (place: number) => `+49151234567${String(place).padStart(2, "0")}`

const start = (to: string, channel = "sms") =>
  world.client.verify.v2.services(world.va).verifications.create({ to, channel })

const attempts = () => world.client.verify.v2.verificationAttempts

describe("attempts", () => {
  it("are each send, with the one that was confirmed", async () => {
    const { sid } = await start(PHONE)
    world.pass(31_000)
    const second = await start(PHONE)
    await world.client.verify.v2.services(world.va).verificationChecks.create({ to: PHONE, code: await world.code() })
    const found = await attempts().list({ verificationSid: sid })
    expect(found.map(({ conversionStatus }) => conversionStatus)).toEqual(["unconverted", "converted"])
    expect(found[1]).toMatchObject({
      sid: second.sendCodeAttempts[1]?.attempt_sid,
      accountSid: second.accountSid,
      serviceSid: world.va,
      verificationSid: sid,
      channel: "sms",
      price: { value: expect.stringMatching(/^[\d.]+$/), currency: "eur" },
      channelData: { to: PHONE, status: "confirmed", country: "DE" }
    })
    expect(found[1]?.dateCreated).toBeInstanceOf(Date)
  })

  it("are found by their SIDs", async () => {
    for (const channel of ["sms", "whatsapp"]) {
      const { sendCodeAttempts, sid } = await start(numberOf(channel.length), channel)
      const fetched = await attempts()(sendCodeAttempts[0]?.attempt_sid).fetch()
      expect(fetched).toMatchObject({ verificationSid: sid, channel, conversionStatus: "unconverted" })
    }
    expect(await refusalOf(attempts()("VL00000000000000000000000000000000").fetch())).toMatchObject({
      status: 404,
      code: 20404
    })
  })

  it("are followed to the last page, on the door's own host, with their filters", async () => {
    for (let place = 0; place < 5; place++) await start(numberOf(place))
    const found = await attempts().list({ pageSize: 2 })
    expect(found.map(({ channelData }) => channelData.to).sort()).toEqual([0, 1, 2, 3, 4].map(numberOf))
    const page = await attempts().page({ pageSize: 2, country: "DE", channel: "sms" })
    expect(page.instances).toHaveLength(2)
    expect(page.nextPageUrl).toBe(`${world.url}/v2/Attempts?Country=DE&Channel=sms&PageSize=2&Page=1`)
    expect(await attempts().list({ country: "FR" })).toEqual([])
    expect(await attempts().list({ "channelData.to": numberOf(3) })).toHaveLength(1)
    expect(await attempts().list({ dateCreatedAfter: new Date(Date.now() + 3_600_000) })).toEqual([])
    expect(await attempts().list({ limit: 2_000 })).toHaveLength(5)
  })

  it("are of the services that are asked for, and of no other interface", async () => {
    await start(PHONE)
    await world.service.verify.start({ account: world.account, sandbox: true }, { to: numberOf(1) })
    expect(await attempts().list()).toHaveLength(1)
    expect(await attempts().list({ verifyServiceSid: "VA00000000000000000000000000000000" })).toEqual([])
  })

  it("are summed up", async () => {
    const summary = () => world.client.verify.v2.verificationAttemptsSummary().fetch()
    expect(await summary()).toMatchObject({ totalAttempts: 0, conversionRatePercentage: "0.0" })
    for (let place = 0; place < 3; place++) await start(numberOf(place))
    const code = await world.code(numberOf(1))
    await world.client.verify.v2.services(world.va).verificationChecks.create({ to: numberOf(1), code })
    expect(await summary()).toMatchObject({
      totalAttempts: 3,
      totalConverted: 1,
      totalUnconverted: 2,
      conversionRatePercentage: "33.3",
      url: `${world.url}/v2/Attempts/Summary`
    })
  })
})
