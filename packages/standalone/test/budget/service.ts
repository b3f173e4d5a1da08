/**
 * A service whose work is counted, in a process of its own: `fork("service.ts", [FILE, SMPP_URL, SIP_URL])`. It says
 * where it serves, and answers each message with its counts since the last one.
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

const [file = "", smpp = "", sip = ""] = process.argv.slice(2)

const service = await createWatchword({
  store: sqlite(file),
  sms: Smpp.layer(Result.getOrThrow(Smpp.fromUrls(smpp))),
  call: Sip.layer(Result.getOrThrow(Sip.fromUrls(sip))),
  prices: { sms: { "*": "0.05" }, call: { "*": "0.02" } },
  secret: Redacted.make("the secret of an installation whose work is counted")
})
const { port } = await serve(service, { basePath: "/v1", port: 0 })
const { account_id: account } = await service.operator.account.create({
  name: "Acme",
  sms_sender: "Acme",
  caller: "+4930901820123"
})
await service.operator.account.credit({ account_id: account, amount: "1000" })
const { key } = await service.operator.key.create({ account_id: account })

process.on("message", () => process.send?.(take()))
process.on("disconnect", () => process.exit())
process.send?.({ port, account, key } satisfies Caller)
