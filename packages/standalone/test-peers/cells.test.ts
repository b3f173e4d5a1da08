/**
 * Two cells, each with a PostgreSQL of its own, behind Debian's HAProxy with the configuration of `deploy/cells`.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { renameSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { fileURLToPath } from "node:url"
import { AccountId } from "@watchword/schemas/Ids"
import { postgres } from "@watchword/store-postgres"
import { afterAll, beforeAll, expect, it } from "vitest"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { folderForAll } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { realTime, until } from "../../../test/until.ts"
import { books, expectSettled } from "../test/Books.ts"
import { type Cell, startCell, writeCells } from "../test/Cell.ts"
import { answerOf, command } from "../test/Standalone.ts"

const configuration = fileURLToPath(new URL("../../../deploy/cells/haproxy.cfg", import.meta.url))
const { file } = folderForAll()

/** Both cells share it, so that values sealed in one can be opened in the other. */
const SECRET = "5d1f0f4be5ae4e3c9f52a3c5b7a2f1c09b1e7d3a"

let databases: ReadonlyArray<PostgresServer>
let carriers: ReadonlyArray<Smsc>
let one: Cell
let two: Cell
let cells: string
let haproxy: ChildProcess
let ended: Promise<unknown>
let port: number
let environment: Readonly<Record<string, string | undefined>>

const addressOf = ({ server }: Cell): string => new URL(server.origin).host

/**
 * Writes the map of the accounts as its operator does: another file first, so that the proxy never reads half of one.
 */
const writeMap = async (): Promise<void> => {
  const { code, stderr, stdout } = await answerOf({}, "--cells", cells, "cells", "map")
  expect([code, stderr]).toEqual([0, ""])
  writeFileSync(file("accounts.new"), stdout)
  renameSync(file("accounts.new"), file("accounts.map"))
}

beforeAll(async () => {
  databases = await Promise.all([startPostgres(), startPostgres()])
  carriers = await Promise.all(
    [0, 1].map(() => smsc({ script: { receipt: (submit) => receipt(submit, "DELIVRD", 20) } }))
  )
  writeFileSync(file("prices.json"), '{"sms": {"*": "0.05"}}')
  const [first, second] = databases.map(({ url }, n) => ({
    DATABASE_URL: url,
    DATABASE_CONNECTIONS: "4",
    PRICES: file("prices.json"),
    SMPP_URL: carriers[n]?.url() ?? "",
    VERIFY_SECRET: SECRET
  }))
  one = await startCell("eu-1", first ?? {})
  two = await startCell("eu-2", second ?? {})
  cells = await writeCells([one, two], "support", file)
  await writeMap()
  writeFileSync(file("hosts.map"), "eu-1.otp.example eu-1\neu-2.otp.example eu-2\n")
  port = await freePort()
  environment = {
    PATH: process.env["PATH"],
    LISTEN: `127.0.0.1:${port}`,
    CELL_MAPS: file("."),
    EU_1: addressOf(one),
    EU_1_READY_PORT: new URL(one.server.origin).port,
    EU_2: addressOf(two),
    EU_2_READY_PORT: new URL(two.server.origin).port
  }
  haproxy = spawn("haproxy", ["-W", "-db", "-f", configuration], { env: environment, stdio: "ignore" })
  ended = once(haproxy, "exit")
  await until(async () => (await send(one)) === 200)
}, 60_000)

afterAll(async () => {
  haproxy.kill("SIGKILL")
  await ended
  await Promise.all([one.server.kill(), two.server.kill()])
  await Promise.all(databases.map((database) => database.stop()))
  await Promise.all(carriers.map((carrier) => carrier.stop()))
})

interface Message {
  readonly host?: string
  readonly to?: string
  readonly text?: string
}

/** Sends a text of a cell's account through the proxy, to a host of it; the status, 0 without an answer. */
const send = (
  { account, key }: Pick<Cell, "account" | "key">,
  { host = "otp.example", text = "Your code is 123456", to = "+4915123411111" }: Message = {}
): Promise<number> =>
  new Promise((resolve) => {
    const headers = {
      host,
      "x-account-id": account,
      "x-api-key": key,
      "content-type": "application/json",
      "idempotency-key": `${to}-${text}`.replaceAll(/\W/g, "-")
    }
    const sent = request({ port, host: "127.0.0.1", path: "/v1/sms", method: "POST", headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0))
    })
    sent.once("error", () => resolve(0))
    sent.end(JSON.stringify({ to, text }))
  })

it("leads each account to its cell, and refuses one that is in none", async () => {
  expect(await Promise.all([one, two, one, two].map((cell) => send(cell)))).toEqual([200, 200, 200, 200])
  expect(await send({ account: "acc_01KAJ3T8ZZ0000000000000000", key: two.key })).toBe(401)
})

it("leads callbacks of providers to the cell that their host names, whatever account they are of", async () => {
  expect(await send(one, { host: "eu-1.otp.example" })).toBe(200)
  expect(await send(one, { host: "EU-2.otp.example:443" })).toBe(401)
})

it("keeps the map that it has where a new one cannot be read, and takes the next good one", async () => {
  const reload = () => haproxy.kill("SIGUSR2")
  writeFileSync(file("hosts.map"), "eu-1.otp.example\n")
  renameSync(file("accounts.map"), file("kept.map"))
  expect(spawnSync("haproxy", ["-c", "-f", configuration], { env: environment }).status).toBe(1)
  reload()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n % 2 === 0 ? one : two)))
  expect(new Set(answers)).toEqual(new Set([200]))
  renameSync(file("kept.map"), file("accounts.map"))
  writeFileSync(file("hosts.map"), "eu-1.otp.example eu-1\neu-2.otp.example eu-2\n")
  const { account, key } = await newAccountIn(two)
  expect(await send({ account, key })).toBe(401)
  await writeMap()
  reload()
  await until(async () => (await send({ account, key })) === 200)
})

const newAccountIn = async (cell: Cell) => {
  const created = await answerOf(cell.environment, "account", "create", "--name", "New", "--json")
  const account: string = JSON.parse(created.stdout).account_id
  const made = await answerOf(cell.environment, "key", "create", "--account", account, "--sandbox", "--json")
  return { account, key: String(JSON.parse(made.stdout).key) }
}

it("moves an account under load, and no message or cent is lost or doubled", async () => {
  const created = await command(one.environment, "account", "create", "--balance", "100", "--store-text")
  const account = AccountId.make(String(created["account_id"]))
  const key = String((await command(one.environment, "key", "create", "--account", account))["key"])
  await writeMap()
  haproxy.kill("SIGUSR2")
  await until(async () => (await send({ account, key }, { text: "First" })) === 200)

  const acknowledged: Array<string> = ["First"]
  const refused = new Set<number>()
  const over = new AbortController()
  const client = async (index: number) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const text = `Text ${index}.${n}`
      // A client repeats a refused request under its idempotency key.
      for (;;) {
        const status = await send({ account, key }, { to: `+4915${index}23${10_000 + n}`, text })
        if (status === 200) break
        refused.add(status)
        await realTime(50, "a client waits before it repeats")
      }
      acknowledged.push(text)
      await realTime(5, "a client pauses")
    }
  }
  const clients = Array.from({ length: 6 }, (_, index) => client(index))
  await until(() => acknowledged.length > 100)
  writeFileSync(file("there.url"), databases[1]?.url ?? "")
  const moved = await command(one.environment, "move", account, "--to", file("there.url"))
  await writeMap()
  haproxy.kill("SIGUSR2")
  const before = acknowledged.length
  await until(() => acknowledged.length > before + 100)
  over.abort()
  await Promise.all(clients)
  await realTime(1_000, "the last receipts arrive")
  expect([...refused].filter((status) => status !== 403 && status !== 0)).toEqual([])

  const [old, now] = await Promise.all(databases.map(({ url }) => books(postgres(url), account)))
  if (old === undefined || now === undefined) throw new Error("there are two")
  expect(old.balance).toMatchObject({ available: 0, held: 0 })
  expect(old.records).toHaveLength(Number(moved["deliveries"]))
  // A receipt that came after the copy is in the old cell.
  const records = new Map([...now.records, ...old.records].map((record) => [record.id, record]))
  expect(records.size).toBe(now.records.length)
  const submits = carriers.flatMap((carrier) => carrier.submits)
  expect(carriers.map((carrier) => carrier.submits.length > 50)).toEqual([true, true])
  const spent = 100_000_000 - now.balance.available
  expectSettled({ ...now, records: [...records.values()] }, submits, acknowledged, { price: 50_000, spent })
  for (const { environment } of [one, two]) expect((await command(environment, "audit"))["ok"]).toBe(true)
})

it("goes on in one cell while the PostgreSQL of the other is lost", async () => {
  await databases[1]?.crash()
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(one)))
  expect(answers).toEqual(answers.map(() => 200))
  expect(await send(two)).toBe(503)
  const { code, stdout } = await answerOf({}, "--cells", cells, "why", "+4915123411111")
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^eu-1:\n(?: {2}.*\n)+eu-2:\n {2}.*\n$/)])
  expect(stdout).toContain(one.account)
})
