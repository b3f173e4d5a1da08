/**
 * What docs/data-model.md says of a database, against one with sandbox sends of all channels.
 */
import { DatabaseSync } from "node:sqlite"
import { readFileSync } from "node:fs"
import { sqlite } from "@watchword/store-sqlite"
import { expect, it } from "vitest"
import { createWatchword } from "watchword"
import { folderForAll } from "./folder.ts"

const { file } = folderForAll()

const page = readFileSync(new URL("../docs/data-model.md", import.meta.url), "utf8")
const named = new Set([...page.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name))

/** Numbers that are delivered, undelivered, without an account, and out of reach. */
const NUMBERS = ["+4915123457711", "+4915123450002", "+4915123450003", "+4915123450480"]

const open = async (path: string) => {
  const service = await createWatchword({ store: sqlite(path), secret: "0123456789abcdef0123456789abcdef" })
  const { account_id: account } = await service.operator.account.create({
    sms_sender: "Acme",
    caller: "+4930901820123",
    store_text: true
  })
  const caller = { account, sandbox: true }
  for (const to of NUMBERS) {
    await Promise.allSettled([
      service.sms.send(caller, { to, text: "Your code is 123456" }),
      service.call.flash(caller, { callee: to, max_ring_time: 1 }),
      service.chatgw.checkSendAbility(caller, { to }),
      service.bizchat.send(caller, { to, text: "Your code is 123456" })
    ])
    await Promise.allSettled([
      service.chatgw.send(caller, { to, code: "123456" }),
      service.verify.start(caller, { to })
    ])
  }
  await service.dispose()
}

it("every table, status and detail of a database is in the page on the data model", async () => {
  const path = file("model.db")
  await open(path)
  using database = new DatabaseSync(path, { readOnly: true })
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
  const records = database.prepare("SELECT status, details FROM deliveries").all()
  const details = records.flatMap((row) => Object.keys(JSON.parse(String(row["details"]))))
  expect(new Set(details).size).toBeGreaterThan(40)
  const found = [...tables.map(({ name }) => name), ...records.map(({ status }) => status), ...details]
  expect([...new Set(found.map(String))].filter((name) => !named.has(name))).toEqual([])
})
