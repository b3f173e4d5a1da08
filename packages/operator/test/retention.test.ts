import { describe, expect, it } from "vitest"
import { createWatchword, memory } from "watchword"

const NUMBER = "+4915123456789"

describe("operator.erase", () => {
  it("leaves records that are told of without their person", async () => {
    const service = await createWatchword({ store: memory() })
    const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
    const sandbox = { account, sandbox: true } as const
    const { messageId } = await service.sms.send(sandbox, { to: NUMBER, text: "Your code is 424242" })
    const started = await service.verify.start(sandbox, { to: NUMBER, client_ref: "ada", metadata: { name: "Ada" } })
    expect(await service.operator.erase({ number: NUMBER })).toMatchObject({ under_way: 1 })
    await service.verify.cancel(sandbox, started.id)
    expect(await service.operator.erase({ number: NUMBER })).toMatchObject({ under_way: 0, reclaimed: true })

    expect(await service.sms.get(sandbox, messageId)).toMatchObject({ to: "erased" })
    const verification = await service.verify.get(sandbox, started.id)
    expect(verification).toMatchObject({ to: "erased", status: "canceled", client_ref: null, metadata: {} })
    expect(await service.sms.list(sandbox, { filter: { to: "erased" } })).toMatchObject({ total: expect.any(Number) })
    const again = await service.verify.start(sandbox, { to: NUMBER })
    expect(await service.verify.get(sandbox, again.id)).toMatchObject({ to: NUMBER, status: "pending" })
    await service.dispose()
  })

  it("rejects what is no number", async () => {
    const service = await createWatchword({ store: memory() })
    await expect(service.operator.erase({ number: "0151" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      issues: [{ path: "number" }]
    })
    await service.dispose()
  })
})

describe("operator.retention", () => {
  it("shows what was set, and rejects what may not be", async () => {
    const service = await createWatchword({ store: memory() })
    const { retention } = service.operator
    expect(await retention.show()).toEqual({ records: null, texts: null })
    expect(await retention.set({ records: 90 })).toEqual({ records: 90, texts: null })
    await expect(retention.set({ texts: 91 })).rejects.toMatchObject({ issues: [{ path: "texts" }] })
    expect(await retention.show()).toEqual({ records: 90, texts: null })
    await service.dispose()
  })
})
