/**
 * The verification server by hand, killed under load: every answered start is in its database, an approval is neither
 * lost nor doubled, and each has its event.
 */
import { type Receipt, receipt, smsc } from "@watchword/sandbox/smsc"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { start as startPostgres } from "../PostgresServer.ts"
import { endWithRunner } from "../exits/endWithRunner.ts"
import { seeded } from "../random.ts"
import { until } from "../until.ts"

const SERVER = join(import.meta.dirname, "../../bench/rivals/verify/server.ts")
const LIVES = 4
const WORKERS = 10
const CREDIT = 1_000_000 * 1e6

type Row = Readonly<Record<string, unknown>>

const databases = [
  {
    name: "SQLite",
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), "rival-verify-"))
      const address = join(folder, "verify.db")
      const read = async (query: string): Promise<ReadonlyArray<Row>> => {
        const db = new DatabaseSync(address, { readOnly: true })
        try {
          return db.prepare(query).all()
        } finally {
          db.close()
        }
      }
      return { address, read, close: () => rm(folder, { recursive: true }) }
    }
  },
  {
    name: "PostgreSQL",
    open: async () => {
      const server = await startPostgres()
      const read = async (query: string): Promise<ReadonlyArray<Row>> => {
        const client = new Client(server.url)
        await client.connect()
        const { rows } = await client.query<Row>(query)
        await client.end()
        return rows
      }
      return { address: server.url, read, close: server.stop }
    }
  }
]

describe.each(databases)("the rival on $name", ({ open }) => {
  let database: Awaited<ReturnType<typeof open>>
  let folder: string
  beforeAll(async () => {
    database = await open()
    folder = await mkdtemp(join(tmpdir(), "rival-prices-"))
    writeFileSync(join(folder, "prices.json"), JSON.stringify({ sms: { "*": 0.07 } }))
  })
  afterAll(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })

  it("loses nothing that it answered, and approves once, when it is killed", async () => {
    const draws = seeded()
    const codes = new Map<string, string>()
    const carrier = await smsc({
      script: {
        submit: ({ text, to }) => {
          codes.set(`+${to}`, /\d{6}/.exec(text)?.[0] ?? "")
          return {}
        },
        receipt: (submit): Receipt => receipt(submit, "DELIVRD")
      }
    })
    const received: Array<string> = []
    const endpoint = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () => {
        const isTaken = draws.below(4) > 0
        if (isTaken) received.push(body)
        response.writeHead(isTaken ? 204 : 503).end()
      })
    }).listen(0, "127.0.0.1")
    await once(endpoint, "listening")
    const at = endpoint.address()
    const endpointPort = typeof at === "object" ? at?.port : undefined

    const launch = async () => {
      const child: ChildProcess = spawn(process.execPath, [SERVER], {
        env: {
          ...process.env,
          CODE_SECRET: "secret of the codes",
          DATABASE: database.address,
          PRICES: join(folder, "prices.json"),
          SMPP_PORT: new URL(carrier.url()).port,
          WEBHOOK_SECRET: "secret of the events",
          WEBHOOK_URL: `http://127.0.0.1:${endpointPort}/`
        },
        stdio: ["ignore", "pipe", "inherit"]
      })
      endWithRunner(child)
      let text = ""
      child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()))
      const ready = await until(() => /ready (.*)\n/.exec(text)?.[1])
      const { port, senders } = JSON.parse(ready ?? "{}")
      const kill = async (): Promise<void> => {
        const exited = once(child, "exit")
        child.kill("SIGKILL")
        await exited
      }
      return { port: Number(port), sender: senders[0], kill }
    }

    let server = await launch()
    const { sender } = server
    const ask = async (path: string, body: object) => {
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/verifications${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": sender.key, "x-account-id": sender.account },
        body: JSON.stringify(body)
      }).catch(() => null)
      const answer = await response?.json().catch(() => null)
      return response == null || answer == null ? null : { status: response.status, answer }
    }

    const started = new Map<string, string>()
    const valid: Array<string> = []
    const isChecked = async (id: string): Promise<void> => {
      const code = codes.get(started.get(id) ?? "")
      // Two at once: one of them approves.
      const body = { verification_id: id, code }
      for (const each of await Promise.all([ask("/check", body), ask("/check", body)])) {
        if (each?.status === 200 && each.answer.valid === true) valid.push(id)
      }
    }

    let serial = 10_000_000
    for (let life = 0; life < LIVES; life++) {
      const last = started.size + 30 + draws.below(60)
      const state = { isOver: false }
      const work = async (): Promise<void> => {
        while (!state.isOver) {
          const to = `+49151${++serial}`
          const start = await ask("", { to })
          if (start?.status !== 200) continue
          started.set(start.answer.id, to)
          await isChecked(start.answer.id)
        }
      }
      const workers = Array.from({ length: WORKERS }, work)
      await until(() => started.size >= last, Boolean, 1)
      const killed = server.kill()
      state.isOver = true
      await Promise.all([killed, ...workers])
      server = await launch()
    }
    // An unanswered check is made again.
    for (const id of started.keys()) if (!valid.includes(id)) await isChecked(id)
    await server.kill()
    endpoint.close()
    await carrier.stop()

    const records = await database.read("SELECT id, status FROM verifications")
    const statuses = new Map(records.map(({ id, status }) => [id, status]))
    expect([...started.keys()].filter((id) => statuses.get(id) !== "approved")).toEqual([])
    expect(new Set(valid).size).toBe(valid.length)

    const outbox = await database.read("SELECT event FROM outbox")
    const events = [...received, ...outbox.map(({ event }) => String(event))].map((event) => JSON.parse(event))
    const approvals = new Map(
      events.filter(({ type }) => type === "verification.approved").map(({ data, id }) => [id, data.verification_id])
    )
    const approved = records.filter(({ status }) => status === "approved").map(({ id }) => id)
    expect([...approvals.values()].sort()).toEqual(approved.sort())

    const [money] = await database.read(
      `SELECT count(*) AS accounts, sum(available + held) AS left_over, sum(held) AS held,
       (SELECT sum(price) FROM messages WHERE phase = 'accepted') AS spent,
       (SELECT sum(price) FROM messages WHERE phase IN ('pending', 'unknown')) AS open FROM accounts`
    )
    expect(Number(money?.["left_over"]) + Number(money?.["spent"])).toBe(Number(money?.["accounts"]) * CREDIT)
    expect(Number(money?.["held"])).toBe(Number(money?.["open"]))
  })
})
