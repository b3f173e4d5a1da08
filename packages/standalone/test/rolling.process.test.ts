/**
 * A rolling restart: servers of two releases on one PostgreSQL, under load, while the newer one's migrations are
 * applied.
 */
import { writeFile } from "node:fs/promises"
import { AccountId } from "@watchword/schemas/Ids"
import { postgres } from "@watchword/store-postgres"
import { afterAll, beforeAll, expect, it } from "vitest"
import { migrations } from "../../../adapters/store-postgres/src/schema.ts"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { folderForAll } from "../../../test/folder.ts"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { realTime, until } from "../../../test/until.ts"
import { books } from "./Books.ts"
import { nextProgram } from "./next/environment.ts"
import { type Running, command, start, startFailing } from "./Standalone.ts"

const SECRET = "5d1f0f4be5ae4e3c9f52a3c5b7a2f1c09b1e7d3a"

/** The version of today's program, and of the oldest program that may use its database. */
const version = migrations.length
const floor = Math.max(...migrations.map(({ floor = 1 }) => floor))

let database: PostgresServer
let carrier: Smsc
let today: Readonly<Record<string, string>>
let next: Readonly<Record<string, string>>
const folder = folderForAll()

beforeAll(async () => {
  database = await startPostgres()
  carrier = await smsc({ script: { receipt: (submit) => receipt(submit, "DELIVRD", 20) } })
  await writeFile(folder.file("prices.json"), '{"sms": {"*": "0.05"}}')
  today = {
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: "4",
    PRICES: folder.file("prices.json"),
    SMPP_URL: carrier.url("timeout=60"),
    VERIFY_SECRET: SECRET,
    DEMO: "no",
    LOG_LEVEL: "none"
  }
  next = { ...today, ...nextProgram("expansion") }
})

afterAll(async () => {
  await carrier.stop()
  await database.stop()
})

interface Caller {
  readonly account: string
  readonly key: string
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const ask = async (server: Running, { account, key }: Caller, path: string, body: object): Promise<Answer> => {
  const response = await fetch(server.baseUrl + path, {
    method: "POST",
    headers: { "x-api-key": key, "x-account-id": account, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** Clients that send texts and verify numbers, each number once, by whichever server runs. */
const load = (caller: Caller, servers: () => ReadonlyArray<Running>) => {
  const stop = new AbortController()
  const acknowledged: Array<string> = []
  const approved: Array<string> = []
  const odd: Array<Answer> = []
  let numbers = 0

  const textTo = async (server: Running, to: string) => {
    const answer = await ask(server, caller, "/sms", { to, text: `To ${to}` }).catch(() => null)
    if (answer?.status === 200) acknowledged.push(to)
    else if (answer !== null && answer.status !== 503) odd.push(answer)
  }
  const verify = async (to: string) => {
    const [first] = servers()
    if (first === undefined) return
    const started = await ask(first, caller, "/verifications", {
      to,
      workflow: [{ channel: "sms", timeout: 60 }]
    }).catch(() => null)
    if (started?.status !== 200) return void (started !== null && started.status !== 503 && odd.push(started))
    const submit = carrier.submits.find((each) => each.to === to.slice(1) || each.to === to)
    const code = /\d{6}/.exec(submit?.text ?? "")?.[0]
    // Another server may be asked, of another release.
    const checked = await ask(servers().at(-1) ?? first, caller, "/verifications/check", {
      verification_id: started.body["id"] ?? started.body["verification_id"],
      code
    }).catch(() => null)
    if (checked?.body["valid"] === true) approved.push(to)
    else if (checked !== null && checked.status !== 503) odd.push(checked)
  }
  const client = async (index: number) => {
    while (!stop.signal.aborted) {
      // Of other blocks one after the other: rules take many of one block for pumping.
      const to = `+49151${10_000_000 + ((++numbers * 61_803_397) % 90_000_000)}`
      const all = servers()
      const server = all[index % all.length]
      if (index === 0) await verify(to)
      else if (server !== undefined) await textTo(server, to)
      await realTime(10, "a client pauses")
    }
  }
  const clients = Array.from({ length: 6 }, (_, index) => client(index))
  return {
    acknowledged,
    approved,
    odd,
    /** Waits until more has been sent and verified. */
    more: async () => {
      const [sent, verified] = [acknowledged.length, approved.length]
      await until(() => acknowledged.length > sent + 20 && approved.length > verified + 2)
    },
    end: async () => {
      stop.abort()
      await Promise.all(clients)
    }
  }
}

it(
  "a rolling restart loses nothing and doubles nothing, and the older program may come back",
  { timeout: 120_000 },
  async () => {
    let servers: ReadonlyArray<Running> = await Promise.all([start(today), start(today)])
    const account = String(
      (await command(today, "account", "create", "--balance", "1000", "--store-text"))["account_id"]
    )
    const { key } = await command(today, "key", "create", "--account", account)
    const work = load({ account, key: String(key) }, () => servers)
    await work.more()

    expect(await command(next, "migrate")).toMatchObject({ ok: true, from: version, to: version + 2, floor })
    await work.more()

    for (const program of [next, next, today]) {
      const [ending, other] = servers
      servers = servers.slice(1)
      expect(await ending?.stop()).toBe(0)
      servers = [...(other === undefined ? [] : [other]), await start(program)]
      await work.more()
    }
    await work.end()
    await carrier.until(() => carrier.acknowledgements.length >= carrier.submits.length)
    for (const server of servers) expect(await server.stop()).toBe(0)

    expect(work.odd).toEqual([])
    const submitted = carrier.submits.map(({ to }) => `+${to.replace("+", "")}`)
    expect(new Set(submitted).size).toBe(submitted.length)
    const { balance, entries, records } = await books(postgres(database.url), AccountId.make(account))
    const byNumber = new Map(records.map((record) => [record.to, record]))
    expect(byNumber.size).toBe(records.length)
    for (const record of records) {
      const isSubmitted = submitted.includes(record.to)
      expect([record.to, record.phase, entries.get(record.id)]).toEqual([
        record.to,
        isSubmitted ? "accepted" : "rejected",
        ["hold", isSubmitted ? "settle" : "release"]
      ])
    }
    expect(submitted.filter((to) => !byNumber.has(to))).toEqual([])
    expect([...work.acknowledged, ...work.approved].filter((to) => !submitted.includes(to))).toEqual([])
    expect(balance).toMatchObject({ available: 1_000_000_000 - 50_000 * submitted.length, held: 0 })
    for (const program of [today, next]) expect(await command(program, "audit")).toMatchObject({ ok: true, found: 0 })

    await command({ ...today, ...nextProgram("contraction") }, "migrate")
    const { code, printed } = await startFailing(today)
    expect([code, printed]).toEqual([
      1,
      expect.stringContaining(
        `it takes programs of version ${version + 1} or later, and this one has version ${version}`
      )
    ])
  }
)
