/**
 * Lists so many records that SQLite is asked by a thread, which is a module that nothing imports.
 */
import { sqlite } from "@watchword/store-sqlite"
import { createWatchword } from "watchword"

const MANY = 10_100

const service = await createWatchword({ store: sqlite("search.db") })
const account = { account: await service.operator.createAccount(), sandbox: true }
const message = { to: "+4915123450001", text: "Your code is 123456" }
await Promise.all(Array.from({ length: MANY }, () => service.sms.send(account, message)))

const { total } = await service.sms.list(account, { sort_by: "price" })
await service.dispose()
if (total !== MANY) throw new Error(`found ${total} of ${MANY}`)
