/** Users who act first, after an operator has erased their numbers. */
import { createWatchword, memory } from "watchword"
import { expect, it } from "vitest"

const NUMBER = "+4915123456789"

it("a text of an erased number proves nothing, and leaves no number", async () => {
  await using service = await createWatchword({ store: memory() })
  const { account_id: account } = await service.operator.account.create({ name: "Acme" })
  const caller = { account, sandbox: true }
  const workflow = [{ channel: "receive", by: ["sms"], timeout: 300, reply: false }] as const
  const started = await service.verify.start(caller, { to: NUMBER, workflow })
  const [form] = started.present ?? []
  await service.verify.cancel(caller, started.id)
  const write = () => service.sandbox.writeText(caller, NUMBER, { to: form?.number ?? "", text: form?.text ?? "" })
  expect((await write()).result).toBe("late")
  await service.operator.erase({ number: NUMBER })
  expect((await write()).result).toBe("late")
  const { list } = await service.verify.list(caller)
  expect(list.map(({ status, to }) => [status, to])).toEqual([["canceled", "erased"]])
  expect(JSON.stringify(list)).not.toContain(NUMBER.slice(1))
})
