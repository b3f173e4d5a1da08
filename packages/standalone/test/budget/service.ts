/**
 * A service whose work is counted, in a process of its own: `fork("service.ts", [FILE, SMPP_URL, SIP_URL, ENDPOINT])`,
 * where the account has an endpoint if its URL is not empty. It says where it serves, sets its clock ahead by the
 * milliseconds of a message, and answers each message with its counts since the last one.
 */
import { take } from "./counting.ts"
import * as Sip from "@watchword/call/sip"
import { serve } from "@watchword/node"
import * as Smpp from "@watchword/sms/smpp"
import { sqlite } from "@watchword/store-sqlite"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { createWatchword } from "watchword"
import type { Caller } from "../client.ts"

const [file = "", smpp = "", sip = "", endpoint = ""] = process.argv.slice(2)

const now = Date.now.bind(Date)
let ahead = 0
Date.now = () => now() + ahead

const service = await createWatchword({
  store: sqlite(file),
  sms: Smpp.layer(Result.getOrThrow(Smpp.fromUrls(smpp))),
  call: Sip.layer(Result.getOrThrow(Sip.fromUrls(sip))),
  prices: { sms: { "*": "0.05" }, call: { "*": "0.02" } },
  webhooks: { allowPrivate: true },
  secret: Redacted.make("the secret of an installation whose work is counted")
})
const { port } = await serve(service, { basePath: "/v1", port: 0 })
const { account_id: account } = await service.operator.account.create({
  name: "Acme",
  sms_sender: "Acme",
  caller: "+4930901820123"
})
await service.operator.account.credit({ account_id: account, amount: "1000" })
if (endpoint !== "") await service.operator.webhook.add({ account_id: account, url: endpoint })
const { key } = await service.operator.key.create({ account_id: account })

process.on("message", (milliseconds: number) => {
  ahead += milliseconds
  process.send?.(take())
})
process.on("disconnect", () => process.exit())
process.send?.({ port, account, key } satisfies Caller)
