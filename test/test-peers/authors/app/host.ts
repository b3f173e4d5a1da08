/** The host, by the suite of hosts. */
import { cases } from "@watchword/server/conformance"
import { listen } from "plain-host"
import { createWatchword, memory } from "watchword"
import { run } from "./suite.ts"

const service = await createWatchword({ store: memory() })
const { account_id: account } = await service.operator.account.create({ name: "Acme", caller: "+4930901820123" })
const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
const { key: readKey } = await service.operator.key.create({ account_id: account, sandbox: true, scopes: ["sms:read"] })
const { baseUrl, close } = await listen({ handle: service.handle, prefix: "/v1" })
await run(cases({ service: () => ({ baseUrl, account, key, readKey }) }))
await close()
await service.dispose()
