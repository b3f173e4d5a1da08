/**
 * Runs the app in the sandbox: nothing leaves this machine, and nothing is paid.
 */
import * as MemoryStore from "@watchword/store/MemoryStore"
import { createWatchword } from "watchword"
import { makeApp } from "./app.ts"

// To real phones: `sms: smpp("smpp://…")` here, a balance for the account, and `send` without the sandbox.
const service = await createWatchword({ store: MemoryStore.layer })
const account = await service.operator.createAccount({ name: "Acme", smsSender: "Acme" })

const app = makeApp(service, (to, text) => {
  // Only a demonstration may print a text: here the terminal stands for the phone.
  console.log(`The phone ${to} shows: ${text}`)
  return service.sms.send({ account, sandbox: true }, { to, text })
})

const url = await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT ?? 3000) })
console.log(`The app is at ${url}, and Watchword's interface under /v1.`)

const stop = () => app.close().then(service.dispose)
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
