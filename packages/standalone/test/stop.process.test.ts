/**
 * Stops the server while sends, calls and chats are in flight, by every signal that terminals and supervisors send.
 */
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { realTime, until } from "../../../test/until.ts"
import { AccountId } from "@watchword/schemas/Ids"
import { postgres } from "@watchword/store-postgres"
import { sqlite } from "@watchword/store-sqlite"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { createWatchword } from "watchword"
import { trunk as startTrunk, type Trunk } from "@watchword/sandbox/trunk"
import { smsc, type Smsc } from "@watchword/sandbox/smsc"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { books } from "./Books.ts"
import { type Program, type Running, start } from "./Standalone.ts"
import { type TelegramApi, telegramApi } from "@watchword/sandbox/http"

const CHAT_TOKEN = "chat-token"

/** How long gateways take to answer, in milliseconds: longer than a second signal takes to come. */
const SLOW = 1_500

let database: PostgresServer
let schemas = 0

beforeAll(async () => {
  database = await startPostgres()
})

afterAll(() => database.stop())

const folder = folderForEach()
let carrier: Smsc
let trunk: Trunk
let telegram: TelegramApi
let gateways: Readonly<Record<string, string>>
let account: AccountId
let key: string

beforeEach(async () => {
  await writeFile(
    folder.file("prices.json"),
    '{"sms": {"*": 0.05}, "call": {"*": 0.02}, "chatgw": {"*": 0.01}, "chatgw_probe": {"*": 0.01}, "bizchat": {"*": 1}}'
  )
  carrier = await smsc({ script: { submit: () => ({ after: SLOW }), receipt: () => null } })
  trunk = await startTrunk({
    script: {
      invite: (call) => {
        call.respond(100)
        void realTime(SLOW, "the phone is looked for").then(() => call.respond(180))
      }
    }
  })
  telegram = await telegramApi({ token: CHAT_TOKEN, script: { answer: () => ({ after: SLOW }) } })
  gateways = {
    PRICES: folder.file("prices.json"),
    SMPP_URL: carrier.url(),
    SIP_URL: trunk.url(),
    CHATGW_URL: telegram.url(),
    CHATGW_TOKEN: CHAT_TOKEN,
    LOG_LEVEL: "warn"
  }
})

afterEach(async () => {
  await carrier.stop()
  await trunk.stop()
  await telegram.stop()
})

const file = (): string => folder.file("test.db")

interface Database {
  readonly environment: Readonly<Record<string, string>>
  readonly store: ReturnType<typeof sqlite>
}

const onSqlite = (): Database => ({
  environment: { DATABASE_URL: `sqlite:${file()}` },
  store: sqlite(file())
})

const onPostgres = (): Database => {
  const schema = `stop ${++schemas}`
  return {
    environment: { DATABASE_URL: database.url, DATABASE_SCHEMA: schema },
    store: postgres(database.url, { schema })
  }
}

/** Starts a server on a store with an account. */
const begin = async ({ environment, store }: Database, program: Program): Promise<Running> => {
  const { dispose, operator } = await createWatchword({ store })
  account = AccountId.make((await operator.account.create({ caller: "+4930901820123" })).account_id)
  await operator.account.credit({ account_id: account, amount: 10 })
  key = (await operator.key.create({ account_id: account })).key
  await dispose()
  return start({ ...gateways, ...environment }, program)
}

const post = async (server: Running, path: string, body: object): Promise<number> => {
  const response = await fetch(server.baseUrl + path, {
    method: "POST",
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  await response.text()
  return response.status
}

const to = "+4915123456789"

/** Has four texts, three calls and three chats in flight, and gives the statuses that they are answered with. */
const sendAll = async (server: Running): Promise<{ readonly answers: Promise<ReadonlyArray<number>> }> => {
  const answers = Promise.all([
    ...Array.from({ length: 4 }, (_, index) => post(server, "/sms", { to, text: `code ${index}` })),
    ...Array.from({ length: 3 }, () => post(server, "/call/flash", { callee: to, max_ring_time: 30 })),
    ...Array.from({ length: 3 }, (_, index) => post(server, "/chatgw", { to, code: `12345${index}` }))
  ])
  await carrier.until(() => carrier.submits.length === 4)
  await trunk.until(() => trunk.calls.length === 3)
  await until(() => telegram.calls.length > 2)
  return { answers }
}

/** What must be so once the server has ended: each message left once, was answered and is paid for; no phone rings. */
const expectFinished = async (
  server: Running,
  answers: Promise<ReadonlyArray<number>>,
  store: Parameters<typeof books>[0]
) => {
  expect(await answers).toEqual(Array(10).fill(200))
  expect(await server.exited).toBe(0)
  const { balance, entries } = await books(store, account)
  expect([...entries.values()]).toEqual(Array.from({ length: 10 }, () => ["hold", "settle"]))
  expect(balance).toMatchObject({ held: 0, available: 10_000_000 - 4 * 50_000 - 3 * 20_000 - 3 * 10_000 })
  expect([carrier.submits.length, telegram.calls.length, trunk.calls.length]).toEqual([4, 3, 3])
  expect(trunk.calls.map(({ finalStatus }) => finalStatus)).toEqual([487, 487, 487])
  expect(carrier.bound).toEqual([])
}

describe("a server with sends, calls and chats in flight", () => {
  describe.each<Program>(["server", "npm start"])("started as %s", (program) => {
    it.each(["SIGINT", "SIGTERM"] as const)("answers all when its process group gets %s, on SQLite", async (signal) => {
      const server = await begin(onSqlite(), program)
      const { answers } = await sendAll(server)
      server.signalGroup(signal)
      await expectFinished(server, answers, sqlite(file()))
      expect(existsSync(`${file()}-wal`)).toBe(false)
    })

    it.each(["SIGINT", "SIGTERM"] as const)(
      "answers all when its process group gets %s, on PostgreSQL",
      async (signal) => {
        const stored = onPostgres()
        const server = await begin(stored, program)
        const { answers } = await sendAll(server)
        server.signalGroup(signal)
        await expectFinished(server, answers, stored.store)
      }
    )
  })

  it("answers all when Ctrl-C is pressed on the terminal of npm start", async () => {
    const server = await begin(onSqlite(), "npm start on a terminal")
    const { answers } = await sendAll(server)
    server.process.stdin?.write("\x03")
    await expectFinished(server, answers, sqlite(file()))
    expect(existsSync(`${file()}-wal`)).toBe(false)
  })

  it("answers all when it is signalled alone, and again a second later", async () => {
    const server = await begin(onSqlite(), "server")
    const { answers } = await sendAll(server)
    server.process.kill("SIGTERM")
    await realTime(1_000, "the server drains, and takes another signal for the same one")
    server.process.kill("SIGINT")
    await expectFinished(server, answers, sqlite(file()))
  })

  it("ends at once when it is signalled again later than two seconds", async () => {
    carrier.script.submit = () => "silence"
    const server = await begin(onSqlite(), "server")
    const { answers } = await sendAll(server)
    const refused = answers.then(
      () => "answered",
      (error: unknown) => String(error)
    )
    server.process.kill("SIGTERM")
    await realTime(2_200, "another signal counts from two seconds on")
    server.process.kill("SIGTERM")
    expect(await server.exited).toBeNull()
    expect(server.process.signalCode).toBe("SIGTERM")
    expect(await refused).toContain("fetch failed")
  })
})

describe("a server that drains", () => {
  it("says so for DRAIN_SECONDS before it closes its ports, and on the operators' port until it ends", async () => {
    const { environment, store } = onSqlite()
    const server = await begin(
      { environment: { ...environment, DRAIN_SECONDS: "1", OPERATIONS_PORT: "0" }, store },
      "server"
    )
    const operations = /metrics are at (\S+)/.exec(server.printed())?.[1] ?? ""
    const ready = async () => {
      const response = await fetch(`${operations}/readyz`)
      const body: { readonly status: string } = JSON.parse(await response.text())
      return [response.status, body.status]
    }
    expect((await ready())[0]).toBe(200)
    server.process.kill("SIGTERM")
    expect(await until(ready, ([code]) => code !== 200)).toEqual([503, "draining"])
    // It still takes new requests, which are answered after the port is closed.
    const { answers } = await sendAll(server)
    await until(async () => !(await isOpen(server)))
    expect(await ready()).toEqual([503, "draining"])
    await expectFinished(server, answers, sqlite(file()))
    await expect(ready()).rejects.toThrow("fetch failed")
  })
})

const isOpen = (server: Running): Promise<boolean> =>
  fetch(`${server.origin}/healthz`, { headers: { connection: "close" } }).then(
    (response) => response.ok,
    () => false
  )
