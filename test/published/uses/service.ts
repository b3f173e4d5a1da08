/**
 * Serves the interface on SQLite, sends in the sandbox by the client, reads the record, and verifies a signed callback.
 */
import { signCallback, verifyCallback } from "@watchword/callback-signature"
import { createClient } from "@watchword/client"
import { serve } from "@watchword/node"
import { sqlite } from "@watchword/store-sqlite"
import { createWatchword } from "watchword"

const service = await createWatchword({ store: sqlite(`service-${process.pid}.db`) })
const { account_id: account } = await service.operator.account.create()
const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
const { close, port } = await serve(service, { port: 0 })

const { sms } = createClient({ baseUrl: `http://127.0.0.1:${port}`, accountId: account, apiKey: key })
const { messageId } = await sms.send({ to: "+4915123456789", text: "Your code is 123456" })
const record = await sms.get(messageId)
if (record.to !== "+4915123456789") throw new Error(`the record is ${JSON.stringify(record)}`)

await close()
await service.dispose()

const accessToken = "TEST_TOKEN"
const body = '{"request_id":"abc"}'
const event = await verifyCallback(body, await signCallback(body, { accessToken }), { accessToken })
if (event.request_id !== "abc") throw new Error(`the event is ${JSON.stringify(event)}`)
