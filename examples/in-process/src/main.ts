/**
 * Verifies a phone number without HTTP, in the sandbox: nothing leaves this machine, and nothing is charged.
 */
import { createWatchword, memory } from "watchword"

// For a real phone: `sms: smpp({ url: "smpp://…" })` here, a balance for the account, and `account` instead of
// `caller`.
const service = await createWatchword({ store: memory() })
const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
const caller = { account, sandbox: true }
const to = "+4915123456789"

const { channel, id } = await service.verify.start(caller, { to })
console.log(`A code was sent by ${channel}.`)

// Reads the code from the sandbox inbox instead of a phone.
const { messages } = await service.sandbox.inbox(caller, { to })
const code = messages[0]?.code ?? ""

for (const entered of [code === "000000" ? "000001" : "000000", code]) {
  const { checks_left, status, valid } = await service.verify.check(caller, id, { code: entered })
  console.log(`${valid ? "Right" : "Wrong"}: the verification is ${status}, with ${checks_left} checks left.`)
}

// The sandbox has no gateway that reaches a number ending in 0480.
await service.verify.start(caller, { to: "+491512340480" }).catch((error) => console.log(`Not sent: ${error.code}`))
await service.dispose()
