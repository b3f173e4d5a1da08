/**
 * Runs the app in the sandbox: nothing leaves this machine, and nothing is paid.
 */
import * as MemoryStore from "@watchword/store/MemoryStore"
import { createWatchword } from "watchword"
import { makeApp } from "./after.ts"

// To real phones: `sms: smpp("smpp://…")` here, a balance for the account, and `send` without the sandbox.
const service = await createWatchword({ store: MemoryStore.layer })
const account = await service.operator.createAccount({ name: "Acme", smsSender: "Acme" })

const send = (to: string, text: string) => {
  // Only a demonstration may print a text: here the terminal stands for the phone.
  console.log(`The phone ${to} shows: ${text}`)
  return service.sms.send({ account, sandbox: true }, { to, text })
}

const server = makeApp(service, send).listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  console.log(`The app is at http://127.0.0.1:${port}, and Watchword's interface under /v1.`)
})

process.once("SIGINT", () => stop())
process.once("SIGTERM", () => stop())
const stop = () => {
  server.close(() => void service.dispose())
  server.closeIdleConnections()
}
