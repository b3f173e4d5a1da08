/**
 * Several servers on one PostgreSQL are one service: whichever is asked, and when one of them is killed.
 */
import { writeFile } from "node:fs/promises"
import { AccountId } from "@watchword/schemas/Ids"
import { postgres } from "@watchword/store-postgres"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { until } from "../../../test/until.ts"
import { createWatchword } from "watchword"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { type Books, books as booksOf, expectSettled } from "./Books.ts"
import { type Running, command, start, startFailing } from "./Standalone.ts"

const PRICE = 50_000
const BALANCE = 1_000_000_000

let database: PostgresServer
let schemas = 0

beforeAll(async () => {
  database = await startPostgres({ durable: true })
})

afterAll(() => database.stop())

const folder = folderForAll()
let schema: string
let carrier: Smsc
let environment: Readonly<Record<string, string>>
let account: AccountId
let servers: readonly [Running, Running]

/** Two servers on data of their own, and an account. */
const open = async (): Promise<void> => {
  schema = `cluster ${++schemas}`
  await writeFile(folder.file("prices.json"), '{"sms": {"*": "0.05"}}')
  carrier = await smsc({ script: { receipt: (submit) => receipt(submit, "DELIVRD", 20) } })
  environment = {
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: schema,
    DATABASE_CONNECTIONS: "4",
    PRICES: folder.file("prices.json"),
    SMPP_URL: carrier.url("timeout=60"),
    LOG_LEVEL: "none"
  }
  servers = await Promise.all([start(environment), start(environment)])
  const created = await command(
    environment,
    "account",
    "create",
    "--balance",
    String(BALANCE / 1e6),
    "--store-text",
    "--caller",
    "+4930901820123"
  )
  account = AccountId.make(String(created["account_id"]))
}

const close = async (): Promise<void> => {
  await Promise.all(servers.map((server) => (server.process.exitCode === null ? server.stop() : null)))
  await carrier.stop()
}

const newKey = async (...flags: ReadonlyArray<string>) => {
  const made = await command(environment, "key", "create", "--account", account, ...flags)
  return { id: String(made["key_id"]), key: String(made["key"]) }
}

const ask = async (server: Running, key: string, method: string, path: string, body?: object) => {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, body: text === "" ? null : JSON.parse(text) }
}

const books = (): Promise<Books> => booksOf(postgres(database.url, { schema }), account)

/** Lets a day pass for the reconciler, which then releases sends of unknown outcome. */
const giveUp = async (): Promise<void> => {
  const store = postgres(database.url, { schema })
  const service = await createWatchword({ store, reconcile: { releaseAfter: 0 } })
  await service.dispose()
}

describe("two servers on one database, one of which is killed under load", () => {
  beforeAll(open)
  afterAll(close)

  it("lose no message and no cent, and double none", { timeout: 120_000 }, async () => {
    const { key } = await newKey()
    const [killed, survivor] = servers
    const acknowledged: Array<string> = []
    let numbers = 0
    const send = async (server: Running, text: string): Promise<void> => {
      const to = `+49151${String(10_000_000 + ++numbers)}`
      const answer = await ask(server, key, "POST", "/sms", { to, text }).catch(() => null)
      if (answer?.status === 200) acknowledged.push(text)
    }
    carrier.script.submit = ({ text }) =>
      text.startsWith("silent") ? "silence" : { after: carrier.submits.length % 8 }

    const stop = new AbortController()
    const client = async (server: Running, name: string) => {
      for (let count = 0; !stop.signal.aborted; count++) await send(server, `client ${name} code ${count}`)
    }
    const clients = servers.flatMap((server, index) =>
      Array.from({ length: 10 }, (_, number) => client(server, `${index}.${number}`))
    )
    // The carrier has these; the other server learns of them when their server is dead.
    const silent = ["silent 1", "silent 2", "silent 3"]
    const unanswered = silent.map((text) => send(killed, text))
    await carrier.until(() => silent.every((text) => carrier.submits.some((submit) => submit.text === text)))
    await carrier.until(() => acknowledged.length > 50)
    await killed.kill()
    const before = acknowledged.length
    await carrier.until(() => acknowledged.length > before + 50)
    stop.abort()
    await Promise.all([...clients, ...unanswered])
    expect(acknowledged.length).toBeGreaterThan(before)

    const phases = async () =>
      new Map((await books()).records.map((record) => [String(record.details["text"]), record.phase]))
    const doubted = await until(phases, (all) => ![...all.values()].includes("pending"))
    expect(silent.map((text) => doubted.get(text))).toEqual(["unknown", "unknown", "unknown"])
    expect((await books()).balance.held).toBeGreaterThanOrEqual(3 * PRICE)

    // Their receipts come to the server that is left.
    for (const submit of carrier.submits) if (submit.text.startsWith("silent")) submit.answer({})
    await carrier.until(
      () => carrier.acknowledgements.filter((status) => status === 0).length >= carrier.submits.length
    )
    expect(await survivor.stop()).toBe(0)
    await giveUp()
    const found = await books()
    expectSettled(found, carrier.submits, acknowledged, { price: PRICE, spent: BALANCE - found.balance.available })
  })
})

describe("two servers on one database", () => {
  beforeAll(open)
  afterAll(close)

  it("end a call that rings at the other, and tell what became of it", async () => {
    const { key } = await newKey("--sandbox")
    const [caller, other] = servers
    const { body, status } = await ask(caller, key, "POST", "/call/flash", { callee: "+4915123456789" })
    expect([status, typeof body.uuid]).toEqual([200, "string"])
    const path = `/call/flash/${body.uuid}`
    expect((await ask(other, key, "DELETE", path)).status).toBeLessThan(300)
    const records = await Promise.all(servers.map((server) => ask(server, key, "GET", `${path}/cdr`)))
    for (const record of records) expect(record.body).toMatchObject({ hangup_cause: "ORIGINATOR_CANCEL" })
    expect((await ask(other, key, "DELETE", path)).status).toBe(404)
  })

  it("refuse a key that was revoked, both of them", async () => {
    const { id, key } = await newKey("--sandbox")
    const list = (server: Running) => ask(server, key, "POST", "/sms/sdr", {})
    for (const server of servers) expect((await list(server)).status).toBe(200)
    await command(environment, "key", "revoke", id)
    for (const server of servers)
      await until(
        () => list(server),
        ({ status }) => status === 401
      )
  })

  it("have one inbox of the sandbox, which is cleared at both", async () => {
    const [one, other] = servers
    const { key } = await newKey("--sandbox")
    const path = "/sandbox/inbox?to=+4915123456780"
    const waiting = ask(other, key, "GET", `${path}&wait=30`)
    await ask(one, key, "POST", "/sms", { to: "+4915123456780", text: "Your code is 123456" })
    const inbox = { status: 200, body: { messages: [{ channel: "sms", code: "123456" }] } }
    expect(await waiting).toMatchObject(inbox)
    expect(await ask(one, key, "GET", path)).toMatchObject(inbox)
    expect(await ask(one, key, "DELETE", "/sandbox/inbox")).toEqual({ status: 204, body: null })
    expect(await ask(other, key, "GET", path)).toEqual({ status: 200, body: { messages: [] } })
  })

  it("see each other's repeats of a request", async () => {
    const { key } = await newKey()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        fetch(`${servers[index % 2 === 0 ? 0 : 1].baseUrl}/sms`, {
          method: "POST",
          headers: {
            "x-api-key": key,
            "x-account-id": account,
            "x-request-id": "7b2f4c0e-2f0a-4d0e-9a3f-0f5c5a1c9e11",
            "content-type": "application/json"
          },
          body: JSON.stringify({ to: "+4915123456789", text: "once" })
        })
      )
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(carrier.submits).toHaveLength(1)
  })
})

describe("a server whose database cannot be used", () => {
  it("says so in one sentence, without the password", async () => {
    const url = database.url.replace("postgres@", "postgres:secret@")
    const { code, printed } = await startFailing({ DATABASE_URL: `${url.replace(/postgres$/, "absent")}` })
    expect([code, printed.trim()]).toEqual([
      1,
      'DATABASE_URL cannot be used: The database could not be opened: database "absent" does not exist (3D000).'
    ])
  })
})

it("a newcomer without VERIFY_SECRET is shown how to make one, and no command that fails", async () => {
  const empty = { DATABASE_URL: database.url, DATABASE_SCHEMA: `cluster ${++schemas}` }
  const server = await start(empty)
  expect(server.printed()).toContain('export VERIFY_SECRET="$(openssl rand -hex 32)"')
  expect(server.printed()).not.toContain("/verifications")
  expect(server.printed()).toContain(`curl ${server.baseUrl}/sms`)
  await server.stop()
})
