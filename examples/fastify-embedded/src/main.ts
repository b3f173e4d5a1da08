/**
 * Runs the app in the sandbox: nothing leaves this machine, and nothing is paid.
 */
import { showPhones } from "@watchword/in-process/showPhones"
import { createWatchword, memory } from "watchword"
import { makeApp } from "./app.ts"

// To real phones: `sms: smpp({ url: "smpp://…" })` here, a balance for the account, and `account` instead of `caller`.
const service = await createWatchword({ store: memory() })
const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })

const caller = { account, sandbox: true }

const app = makeApp(service, caller)

const url = await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT ?? 3000) })
console.log(`The app is at ${url}, and Watchword's interface under /v1.`)
showPhones(service, caller)

const stop = () => app.close().then(service.dispose)
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
