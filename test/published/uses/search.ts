/**
 * Lists more records of a number than SQLite reads on the event loop. The thread that reads them is a module that
 * nothing imports.
 *
 * In a function, because a bundle of CommonJS has no await at its top.
 */
import { sqlite } from "@watchword/store-sqlite"
import { createWatchword } from "watchword"

const MANY = 1_100
/** Sends at once. The store refuses steps when too many wait. */
const AT_ONCE = 500

const search = async () => {
  const service = await createWatchword({ store: sqlite(process.argv[2] ?? "search.db") })
  const account = { account: (await service.operator.account.create()).account_id, sandbox: true }
  const message = { to: "+4915123450001", text: "Your code is 123456" }
  for (let sent = 0; sent < MANY; sent += AT_ONCE) {
    const count = Math.min(AT_ONCE, MANY - sent)
    await Promise.all(Array.from({ length: count }, () => service.sms.send(account, message)))
  }

  const { total } = await service.sms.list(account, { filter: { to: message.to }, sort_by: "price" })
  await service.dispose()
  if (total !== MANY) throw new Error(`found ${total} of ${MANY}`)
}

void search()
