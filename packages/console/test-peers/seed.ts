/**
 * Records of some numbers that got no code, each for a reason of its own.
 */
import type { Watchword } from "watchword"

export const seed = async (service: Watchword): Promise<string> => {
  const { operator } = service
  const account = await operator.createAccount({ name: "Acme Shop", smsSender: "Acme" })
  const caller = { account, sandbox: true }
  const tried = async (does: Promise<unknown>): Promise<void> => void (await does.catch(() => {}))
  await operator.credit(account, 25)
  await tried(service.verify.start(caller, { to: "+491512340480" }))
  const workflow = [
    { channel: "sms", timeout: 10 },
    { channel: "call", timeout: 60 }
  ]
  await service.verify.start(caller, { to: "+4915123456789", workflow })
  await service.sms.send(caller, { to: "+4915123456789", text: "Hello" })
  await operator.guards.block("+2348", 43_200_000)
  await tried(service.verify.start(caller, { to: "+2348012345678" }))
  return account
}
