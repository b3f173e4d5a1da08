import { expect, it } from "vitest"
import { createWatchword, memory } from "watchword"

it("answers no request whose key was revoked while it waited", async () => {
  const service = await createWatchword({ store: memory() })
  try {
    const { account_id: account } = await service.operator.account.create({ name: "Acme" })
    const { key, key_id } = await service.operator.key.create({ account_id: account, sandbox: true })
    const caller = { account, sandbox: true }
    const to = "+4915123456789"
    const receive = { channel: "receive", by: ["call"], timeout: 300 } as const
    const { id, present = [] } = await service.verify.start(caller, { to, workflow: [receive] })
    const ask = (path: string) =>
      service.handle({
        method: "GET",
        path,
        headers: { "x-api-key": key, "x-account-id": account },
        body: { _tag: "Absent" },
        remoteAddress: null
      })
    const waiting = ask(`/verifications/${id}?wait=25`)
    await ask(`/verifications/${id}`)
    await service.operator.key.revoke({ key_id })
    const number = present[0]?.number ?? ""
    expect(await service.sandbox.placeCall(caller, to, { to: number })).toMatchObject({ result: "approved" })
    const { body, status } = await waiting
    expect([status, String(body)]).toEqual([401, expect.not.stringContaining("approved")])
  } finally {
    await service.dispose()
  }
})
