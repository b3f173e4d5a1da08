/**
 * Runs the app in the sandbox: nothing leaves this machine, and nothing is paid.
 */
import { showPhones } from "@watchword/in-process/showPhones"
import { randomBytes } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { createWatchword, memory } from "watchword"
import { makeApp } from "./app.ts"

// To real phones: `sms: smpp({ url: "smpp://…" })` here, a balance for the account, and `account` instead of `caller`.
const service = await createWatchword({ store: memory() })
const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
const caller = { account, sandbox: true }

const database = new DatabaseSync(process.env.USERS ?? ":memory:")
const server = await makeApp(service, caller, database, randomBytes(32).toString("hex"))
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  console.log(`The app is at http://127.0.0.1:${port}/api/auth`)
  showPhones(service, caller)
})

process.once("SIGINT", () => stop())
process.once("SIGTERM", () => stop())
const stop = () => {
  server.close(() => void service.dispose())
  server.closeIdleConnections()
}
