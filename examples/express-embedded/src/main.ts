/**
 * Runs the app in the sandbox: nothing leaves this machine, and nothing is paid.
 */
import { showPhones } from "@watchword/in-process/showPhones"
import { createWatchword, memory } from "watchword"
import { makeApp } from "./after.ts"

// To real phones: `sms: smpp({ url: "smpp://…" })` here, a balance for the account, and `account` instead of `caller`.
const service = await createWatchword({ store: memory() })
const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
const caller = { account, sandbox: true }

const server = makeApp(service, caller).listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  console.log(`The app is at http://127.0.0.1:${port}, and Watchword's interface under /v1.`)
  showPhones(service, caller)
})

process.once("SIGINT", () => stop())
process.once("SIGTERM", () => stop())
const stop = () => {
  server.close(() => void service.dispose())
  server.closeIdleConnections()
}
