/**
 * A process that starts a verification and is killed in the middle: `node dying.ts STORE ACCOUNT WORKFLOW SMPP_URL
 * SIP_URL`. The store is the URL of a PostgreSQL, or the file of a SQLite. It prints a line once the record of a send
 * is open.
 */
import { sip } from "@watchword/call/sip"
import { smpp } from "@watchword/sms/smpp"
import { createWatchword } from "watchword"
import { storeOf } from "./killed.ts"
import { realTime, until } from "../until.ts"
import { NUMBER, PRICES, SECRET } from "./settings.ts"

const [, , store = "", account = "", workflow = "[]", sms = "", call = ""] = process.argv

const service = await createWatchword({
  store: storeOf(store),
  sms: smpp({ url: sms }),
  call: sip({ url: call }),
  prices: PRICES,
  secret: SECRET
})

void service.verify.start(account, { to: NUMBER, workflow: JSON.parse(workflow) })

await until(async () => {
  const [texts, calls] = await Promise.all([service.sms.list(account), service.call.list(account)])
  return texts.total + calls.total > 0
})
console.log("opened")
await realTime(60_000, "the process is killed")
