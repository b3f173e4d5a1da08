import { CallGateway } from "@watchword/call/CallGateway"
import * as PriceTable from "@watchword/ledger/PriceTable"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { describe, expect, it } from "vitest"
import { type Options, type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"
const satellite = "+881612345678"

const up = { events: () => Effect.void, health: Effect.succeed([{ name: "carrier", up: true }]) }

/** A carrier that remembers to which numbers it sent. */
const makeCarrier = () => {
  const sent: Array<string> = []
  const gateway = Layer.succeed(SmsGateway, {
    ...up,
    send: ({ delivery, to }) =>
      Effect.sync(() => {
        sent.push(to)
        return Outcome.accepted([`ref-${delivery}`])
      })
  })
  return { gateway, sent }
}

/** A trunk that no call should reach. */
const trunk = Layer.succeed(CallGateway, {
  ...up,
  dial: () => Effect.die(new Error("the trunk was called")),
  hangup: () => Effect.succeed(false),
  recover: () => Effect.die(new Error("the trunk was called")),
  drain: Effect.void
})

const withService = async (options: Partial<Options>, test: (service: Watchword, account: string) => Promise<void>) => {
  const service = await createWatchword({ store: memory(), ...options })
  try {
    await test(
      service,
      (await service.operator.account.create({ caller: "+4930901820123", sms_sender: "Acme" })).account_id
    )
  } finally {
    await service.dispose()
  }
}

const refused = (path: string) => ({
  code: "BAD_REQUEST",
  message: expect.stringMatching(/^No price is set for this number\./),
  issues: [{ path }]
})

describe("a price table", () => {
  it("keeps live keys from numbers and products without a price", async () => {
    const { gateway, sent } = makeCarrier()
    const options = { sms: gateway, call: trunk, prices: { sms: { "49": 0.05 } } }
    await withService(options, async ({ bizchat, call, chatgw, operator, sms }, account) => {
      await operator.account.credit({ account_id: account, amount: 1 })
      await sms.send(account, { to: german, text: "hi" })
      await expect(sms.send(account, { to: satellite, text: "hi" })).rejects.toMatchObject(refused("to"))
      await expect(call.flash(account, { callee: german })).rejects.toMatchObject(refused("callee"))
      expect(sent).toEqual([german])
      expect(await operator.account.show({ account_id: account })).toMatchObject({
        balance: 0.95,
        held: 0,
        available: 0.95
      })

      const sandbox = { account, sandbox: true }
      await sms.send(sandbox, { to: satellite, text: "hi" })
      await call.flash(sandbox, { callee: german, max_ring_time: 1 })
      await chatgw.send(sandbox, { to: german, code: "1234" })
      await bizchat.send(sandbox, { to: german, text: "hi" })
      expect(sent).toEqual([german])
    })
  })

  it("knows each number by one spelling, so that none is sent at another's price", async () => {
    const { gateway, sent } = makeCarrier()
    const prices = { sms: { "*": 0.01, "44": 0.02, "447": 0.5 }, call: { "44": 0.02 } }
    await withService({ sms: gateway, call: trunk, prices }, async ({ call, operator, sms }, account) => {
      await operator.account.credit({ account_id: account, amount: 1 })
      const wrong = "+4407400123456"
      const refusedFor = (path: string) => ({ code: "BAD_REQUEST", issues: [{ path }] })
      await expect(sms.send(account, { to: wrong, text: "hi" })).rejects.toMatchObject(refusedFor("to"))
      await expect(sms.send(account, { to: german, text: "hi", from: wrong })).rejects.toMatchObject(refusedFor("from"))
      await expect(sms.list(account, { filter: { to: wrong } })).rejects.toMatchObject(refusedFor("filter.to"))
      await expect(call.flash(account, { callee: wrong })).rejects.toMatchObject(refusedFor("callee"))
      await expect(
        operator.account.create({ caller: wrong }).then(({ account_id: account }) => account)
      ).rejects.toMatchObject(refusedFor("caller"))
      expect(sent).toEqual([])
      expect((await operator.account.show({ account_id: account })).available).toBe(1)
    })
  })

  it("is plain JSON, or was parsed before", async () => {
    for (const prices of [{ sms: { "*": "0.05" } }, PriceTable.free]) {
      await withService({ sms: makeCarrier().gateway, prices }, async ({ operator, sms }, account) => {
        await operator.account.credit({ account_id: account, amount: 1 })
        expect(await sms.send(account, { to: german, text: "hi" })).toMatchObject({ messageId: expect.any(String) })
      })
    }
  })

  it.each([
    ['{"sms":{"44":-1}}', "prices.sms.44"],
    ['{"smss":{"44":1}}', "prices.smss"],
    ['{"sms":0.05}', "prices.sms"],
    ["[]", "prices"],
    ["null", "prices"],
    // The result of PriceTable.parse, which a program forgot to take the table out of.
    ['{"_tag":"Success","success":{}}', "prices._tag"]
  ])("that is %s stops the start, and the field is named", async (json, path) => {
    await expect(createWatchword({ store: memory(), prices: JSON.parse(json) })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining(`${path} `),
      issues: [{ path }]
    })
  })
})

describe("a service without prices", () => {
  const warnings = async (options: Partial<Options>): Promise<ReadonlyArray<string>> => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
    await withService({ guards: "none", ...options, observability: Logger.layer([logger]) }, async () => {})
    return logged
  }

  it("is free, and says so at the start when it has live gateways", async () => {
    expect(await warnings({ sms: makeCarrier().gateway })).toEqual([
      expect.stringMatching(/No prices are set.*sms:carrier/)
    ])
    await withService({ sms: makeCarrier().gateway }, async ({ sms }, account) => {
      await sms.send(account, { to: satellite, text: "hi" })
    })
  })

  it("says nothing where prices are set, or all is sandbox", async () => {
    expect(await warnings({})).toEqual([])
    expect(await warnings({ sms: makeCarrier().gateway, prices: {} })).toEqual([])
  })
})
