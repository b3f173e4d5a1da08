/**
 * Records of some numbers that got no code, each for a reason of its own.
 */
import type { Watchword } from "watchword"

export const seed = async (service: Watchword) => {
  const { operator } = service
  const account = await operator.createAccount({ name: "Acme Shop", smsSender: "Acme" })
  await operator.createAccount({ name: "Second", smsSender: "Second" })
  const caller = { account, sandbox: true }
  const tried = async (does: Promise<unknown>) => void (await does.catch(() => {}))
  const late = "+491512340480"
  await tried(service.verify.start(caller, { to: late }))
  await service.verify.start(caller, {
    to: "+4915123456789",
    workflow: [
      { channel: "sms", timeout: 10 },
      { channel: "call", timeout: 60 }
    ]
  } as never)
  await tried(service.verify.start(caller, { to: "+4915123456789" }))
  await tried(service.sms.send(caller, { to: "+4915123456789", text: "Hello" }))
  await operator.credit(account, 25)
  await operator.guards.block("+2348", 43_200_000)
  await tried(service.verify.start(caller, { to: "+2348012345678" }))
  return { account }
}
