import { describe, expect, it } from "vitest"
import { createWatchword, memory } from "watchword"

const NUMBER = "+4915123456789"

describe("operator.why", () => {
  it("tells of the verification and its send, since a time", async () => {
    const service = await createWatchword({ store: memory() })
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
    const workflow = [{ channel: "sms", timeout: 30 }] as const
    await service.verify.start({ account, sandbox: true }, { to: NUMBER, workflow })
    const { items, reason } = await service.operator.why({ number: NUMBER })
    expect(items.map(({ channel, mode }) => [channel, mode])).toEqual([
      ["verify", "sandbox"],
      ["sms", "sandbox"]
    ])
    expect(items[1]?.verification).toBe(items[0]?.id)
    expect(reason).toMatch(/sms/)
    const later = await service.operator.why({ number: NUMBER, since: new Date(Date.now() + 60_000).toISOString() })
    expect(later.items).toEqual([])
    await service.dispose()
  })

  it("tells of both numbers of a phone that two numbers reach, in the order of time", async () => {
    let time = Date.now()
    const service = await createWatchword({ store: memory(), clock: { now: () => time } })
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
    for (const to of ["+5491123456789", "+541123456789", "+5491123456789"]) {
      await service.sms.send({ account, sandbox: true }, { to, text: "Hello" })
      time += 2
    }
    for (const number of ["+5491123456789", "+541123456789"]) {
      const { items, number: told } = await service.operator.why({ number })
      expect(told).toBe(number)
      expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted())
      expect(items).toHaveLength(3)
    }
    await service.dispose()
  })

  it("rejects what is no number", async () => {
    const service = await createWatchword({ store: memory() })
    await expect(service.operator.why({ number: "0151" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: "number", message: expect.stringContaining("must begin with a plus sign") }]
    })
    await service.dispose()
  })
})
