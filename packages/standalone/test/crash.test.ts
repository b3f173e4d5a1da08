/**
 * Kills the server again and again in the middle of its work, then asks the database and the carrier what
 * became of every message and every cent.
 */
import { realTime, until } from "../../../test/until.ts"
import { writeFile } from "node:fs/promises"
import { AccountId } from "@watchword/schemas/Ids"
import { sqlite } from "@watchword/store-sqlite"
import { afterEach, beforeEach, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { createWatchword } from "watchword"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { type Books, books as booksOf, expectSettled } from "./Books.ts"
import { type Running, start } from "./Standalone.ts"
import { seeded } from "../../../test/random.ts"

const PRICE = 50_000
const BALANCE = 1_000_000_000

const folder = folderForEach()
let file: string
let carrier: Smsc
let environment: Readonly<Record<string, string>>
let account: AccountId
let key: string

beforeEach(async () => {
  file = folder.file("test.db")
  await writeFile(folder.file("prices.json"), '{"sms": {"*": "0.05"}}')
  carrier = await smsc({ script: { receipt: (submit) => receipt(submit, "DELIVRD", 20) } })
  environment = {
    DATABASE_URL: `sqlite:${file}`,
    PRICES: folder.file("prices.json"),
    SMPP_URL: carrier.url("timeout=5"),
    LOG_LEVEL: "none"
  }
  const { dispose, operator } = await createWatchword({ store: sqlite(file) })
  account = AccountId.make((await operator.account.create({ store_text: true })).account_id)
  await operator.account.credit({ account_id: account, amount: BALANCE / 1e6 })
  key = (await operator.key.create({ account_id: account })).key
  await dispose()
})

afterEach(async () => {
  await carrier.stop()
})

/** Sends one text; the message's id when the server said 200, null when it said anything else or nothing. */
const send = async (server: Running, text: string): Promise<string | null> => {
  try {
    const response = await fetch(`${server.baseUrl}/sms`, {
      method: "POST",
      headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
      body: JSON.stringify({ to: "+4915123456789", text })
    })
    const body = JSON.parse(await response.text())
    return response.status === 200 ? body.messageId : null
  } catch {
    return null
  }
}

/** Starts the server once more, and lets it take every receipt that the carrier holds. */
const recover = async (): Promise<void> => {
  const server = await start(environment)
  const receipts = carrier.submits.length
  await carrier.until(() => carrier.acknowledgements.filter((status) => status === 0).length >= receipts)
  expect(await server.stop()).toBe(0)
}

/** Lets a day pass for the reconciler, which then releases sends of unknown outcome. */
const giveUp = async (): Promise<void> => {
  const service = await createWatchword({ store: sqlite(file), reconcile: { releaseAfter: 0 } })
  await service.dispose()
}

const books = () => booksOf(sqlite(file), account)

/** What must be so when everything has come to rest. */
const expectAtRest = (found: Books, acknowledged: ReadonlyArray<string>): void =>
  expectSettled(found, carrier.submits, acknowledged, { price: PRICE, spent: BALANCE - found.balance.available })

it("killed at random under load, it loses no message and no cent, and doubles none", { timeout: 120_000 }, async () => {
  const acknowledged: Array<string> = []
  const { below } = seeded()
  carrier.script.submit = () => ({ after: below(2) === 0 ? 0 : below(8) })
  for (let round = 0; round < 8; round++) {
    const server = await start(environment)
    const stop = new AbortController()
    const client = async (name: string) => {
      for (let count = 0; !stop.signal.aborted; count++) {
        const text = `round ${round} client ${name} code ${count}`
        if ((await send(server, text)) !== null) acknowledged.push(text)
      }
    }
    const clients = Array.from({ length: 20 }, (_, index) => client(String(index)))
    const enough = acknowledged.length + 5 + below(60)
    await carrier.until(() => acknowledged.length >= enough)
    await server.kill()
    stop.abort()
    await Promise.all(clients)
  }
  expect(acknowledged.length).toBeGreaterThan(50)
  await recover()
  await giveUp()
  expectAtRest(await books(), acknowledged)
})

it("killed between the carrier's receiving a message and its answer, it charges for it once", async () => {
  carrier.script.submit = () => ({ after: 300 })
  const server = await start(environment)
  const sending = send(server, "in flight")
  await carrier.until(() => carrier.submits.length === 1)
  await server.kill()
  expect(await sending).toBeNull()

  const pending = await books()
  expect(pending.records).toMatchObject([{ phase: "pending" }])
  expect(pending.balance).toMatchObject({ held: PRICE })
  await recover()
  expectAtRest(await books(), [])
})

it("killed as the answer arrives, it charges for the message once", async () => {
  for (let run = 0; run < 5; run++) {
    const server = await start(environment)
    const sending = send(server, `answered ${run}`)
    await carrier.until(() => carrier.submits.length === run + 1)
    if (run > 0) await realTime(run, "the answer is on its way")
    await server.kill()
    await sending
  }
  await recover()
  await giveUp()
  expectAtRest(await books(), [])
})

it("killed before the message could leave, it gives the money back in the end", async () => {
  carrier.script.bind = () => "silence"
  const server = await start(environment)
  const sending = send(server, "never left")
  await until(books, ({ records }) => records.length > 0)
  await server.kill()
  expect(await sending).toBeNull()

  carrier.script.bind = () => 0
  const again = await start(environment)
  expect((await books()).records).toMatchObject([{ phase: "unknown" }])
  expect((await books()).balance).toMatchObject({ held: PRICE })
  await again.stop()
  await giveUp()
  expect(carrier.submits).toHaveLength(0)
  expectAtRest(await books(), [])
})
