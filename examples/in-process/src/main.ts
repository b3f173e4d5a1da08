/**
 * Verifies a phone number without any HTTP, in the sandbox: nothing leaves this machine, and nothing is paid.
 */
import * as MemoryStore from "@watchword/store/MemoryStore"
import { createWatchword } from "watchword"
import { PhoneVerification } from "./PhoneVerification.ts"

// To a real phone: `sms: smpp("smpp://…")` here, a balance for the account, and `account` instead of `sandboxed` below.
const service = await createWatchword({ store: MemoryStore.layer })
const account = await service.operator.createAccount({ name: "Acme", smsSender: "Acme" })
const sandboxed = { account, sandbox: true }

// Only a demonstration may see the text: here it stands for the phone.
let display = ""
const verification = new PhoneVerification({
  send: (to, text) => {
    display = text
    return service.sms.send(sandboxed, { to, text })
  }
})

await verification.start("user 1", "+4915123456789")
console.log(`The phone shows: ${display}`)
console.log(`Confirmed with "guess": ${verification.confirm("user 1", "guess")}`)
console.log(`Confirmed with the code: ${verification.confirm("user 1", display.match(/\d{6}/)?.[0] ?? "")}`)

const { list } = await service.sms.list(sandboxed)
console.log(`Delivery records: ${list.map(({ to, status }) => `${to} ${status}`).join(", ")}`)

// A number that ends in 0480 is one whose carrier is out of reach.
await verification.start("user 1", "+491512340480").catch((error) => console.log(`Not sent: ${error._tag}`))
await service.dispose()
