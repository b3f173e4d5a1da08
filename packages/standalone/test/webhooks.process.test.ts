/**
 * Webhooks of servers as processes: set by the command, sent by any server on the database, and by the next one when a
 * server was killed.
 */
import { readFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import Sqlite from "better-sqlite3"
import { Webhook } from "standardwebhooks"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Got, type Receiver, closeReceivers, receive, status } from "../../events/test/receiver.ts"
import { type PostgresServer, start as startPostgres } from "../../../test/PostgresServer.ts"
import { folderForAll } from "../../../test/folder.ts"
import { realTime, until } from "../../../test/until.ts"
import { type Environment, type Running, answerOf, command, failingCommand, start } from "./Standalone.ts"
import { callerOf, request } from "./client.ts"

const { file } = folderForAll()

afterEach(closeReceivers)

const sqliteIn = (name: string) => ({
  DATABASE_URL: `sqlite:${file(name)}`,
  WEBHOOK_ALLOW_PRIVATE: "true"
})

const webhook = (environment: Environment, ...args: ReadonlyArray<string>) => command(environment, "webhook", ...args)

const customer = async (environment: Environment, server: Running) => {
  const account = String((await command(environment, "account", "create"))["account_id"])
  const { key } = await command(environment, "key", "create", "--account", account, "--sandbox")
  const caller = callerOf(server, account, String(key))
  const text = "Your code is 778899"
  return { account, send: (n = 0) => request(caller, "/sms", { to: `+49151234${String(n).padStart(5, "0")}`, text }) }
}

const bodyOf = ({ body }: Got) => JSON.parse(body)

/** The numbers of messages that a receiver got. */
const told = (receiver: Receiver): ReadonlySet<unknown> => new Set(receiver.got.map((got) => bodyOf(got).data.to))

describe("webhook", () => {
  it("is added, tested, listed, rotated, replayed and removed by the command, and signs as Standard Webhooks ask", async () => {
    const environment = sqliteIn("command.db")
    const server = await start(environment)
    const receiver = await receive()
    const { account, send } = await customer(environment, server)
    const added = await webhook(
      environment,
      "add",
      "--account",
      account,
      "--url",
      receiver.url,
      "--events",
      "delivery.*"
    )
    const id = String(added["webhook_id"])
    const secret = String(added["secret"])
    expect(added["warning"]).toBe(null)
    expect(await webhook(environment, "test", id)).toEqual({
      webhook_id: id,
      answer: "204",
      taken: true,
      message: "answered 204"
    })
    await send()
    await until(() => receiver.got.some((got) => bodyOf(got).data.status === "delivered"))
    for (const { body, headers } of receiver.got) expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
    expect(receiver.got.map(({ body }) => body).join()).not.toContain("778899")
    expect((await webhook(environment, "list"))["webhooks"]).toMatchObject([
      { webhook_id: id, account_id: account, events: ["delivery.*"], disabled: null, last_answer: { answer: "204" } }
    ])
    const { secret: fresh } = await webhook(environment, "rotate", id)
    const before = receiver.got.length
    expect(await webhook(environment, "replay", id, "--since", "2020-01-01T00:00:00Z")).toEqual({
      webhook_id: id,
      events: before
    })
    await receiver.until(2 * before)
    const [{ body, headers } = { body: "", headers: {} }] = receiver.got.slice(-1)
    for (const each of [secret, String(fresh)]) expect(new Webhook(each).verify(body, headers)).toBeTruthy()
    expect(await webhook(environment, "enable", id)).toEqual({ webhook_id: id, enabled: true })
    expect(await webhook(environment, "low-balance", "all", "5")).toEqual({ account_id: null, euros: 5 })
    expect(await webhook(environment, "remove", id)).toEqual({ removed: id })
    expect((await webhook(environment, "list"))["webhooks"]).toEqual([])
    const complaint = async (...args: ReadonlyArray<string>) =>
      (await failingCommand(environment, "webhook", ...args)).stderr
    expect(await complaint("add", "--url", "nowhere")).toContain("--url must be an https or http address")
    expect(await complaint("add", "--url", receiver.url, "--events", "sms.*")).toContain("--events")
    expect(await complaint("test", id)).toContain("There is no such webhook.")
    await server.stop()
  }, 90_000)

  it("refuses private addresses unless the server allows them", async () => {
    const environment = { DATABASE_URL: sqliteIn("private.db").DATABASE_URL }
    const server = await start(environment)
    const receiver = await receive()
    await command(environment, "account", "create")
    const url = `http://localhost:${receiver.port}/`
    const refused = await failingCommand(environment, "webhook", "add", "--url", url)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/--url is private: .* set anyway where/) })
    expect((await webhook(environment, "list"))["webhooks"]).toEqual([])
    const added = await webhook(environment, "add", "--url", url, "--anyway")
    const id = String(added["webhook_id"])
    const reason = "private addresses are refused; WEBHOOK_ALLOW_PRIVATE=true on the server allows them"
    expect(added["warning"]).toBe(`The address is private: ${reason}.`)
    const { code, stdout } = await answerOf(environment, "webhook", "test", id, "--json")
    const answer = { webhook_id: id, answer: "private address", taken: false, message: `no answer: ${reason}` }
    expect([code, JSON.parse(stdout)]).toEqual([1, answer])
    const told = await answerOf(environment, "webhook", "test", id)
    expect([told.code, told.stdout]).toEqual([1, `Webhook ${id}: no answer: ${reason}\n`])
    const refusing = await receive(status(503))
    const failing = await webhook(environment, "add", "--url", `http://localhost:${refusing.port}/`, "--anyway")
    expect((await answerOf(environment, "webhook", "test", String(failing["webhook_id"]))).code).toBe(1)
    expect(receiver.got).toEqual([])
    await server.stop()
  }, 90_000)

  it("keeps its secret out of the database and of backups, for commands and servers with the installation's secret", async () => {
    const environment = sqliteIn("sealed.db")
    const server = await start(environment)
    const receiver = await receive()
    const account = String((await command(environment, "account", "create"))["account_id"])
    const added = await webhook(environment, "add", "--account", account, "--url", receiver.url)
    const [id, secret] = [String(added["webhook_id"]), String(added["secret"])]
    const number = ["--number", "+4915123456788"]
    const end = new Date(Date.now() + 86_400_000).toISOString()
    const testNumber = (settings: Environment, ...args: ReadonlyArray<string>) =>
      answerOf(settings, "account", "test-number", ...args)
    await testNumber(environment, "add", account, ...number, "--code", "47114711", "--until", end)
    expect((await testNumber(environment, "list", account)).stdout).toContain("47114711")
    await command(environment, "backup", file("backup.db"))
    for (const name of ["sealed.db", "sealed.db-wal", "backup.db"]) {
      const bytes = await readFile(file(name), "latin1")
      for (const plain of [secret, "whsec_", "47114711"]) expect(bytes).not.toContain(plain)
    }
    expect(await webhook(environment, "test", id)).toMatchObject({ taken: true })
    const [{ body, headers } = { body: "", headers: {} }] = receiver.got
    expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
    // With another secret, and without the file next to the database.
    for (const other of [
      { ...environment, VERIFY_SECRET: "another-secret-of-32-characters-or-more" },
      { ...environment, DATABASE_URL: `sqlite:${file("backup.db")}` }
    ]) {
      const unknown = "are sealed with a secret of the installation that is not known here: set VERIFY_SECRET"
      expect((await failingCommand(other, "webhook", "rotate", id)).stderr).toContain(unknown)
      expect((await failingCommand(other, "webhook", "add", "--url", receiver.url)).stderr).toContain(unknown)
      expect((await testNumber(other, "list", account)).stderr).toContain(unknown)
      expect(await command(other, "account", "show", account)).toMatchObject({ test_numbers: ["+4915123456788"] })
      expect((await webhook(other, "list"))["webhooks"]).toMatchObject([{ webhook_id: id, url: receiver.url }])
    }
    await server.stop()
  }, 120_000)

  it("takes lists of events, and no more requests at once than its throughput allows", async () => {
    const environment = sqliteIn("throughput.db")
    const server = await start(environment)
    let open = 0
    let most = 0
    const slow = async (response: ServerResponse) => {
      most = Math.max(most, ++open)
      await realTime(100, "the receiver is slow")
      open--
      response.writeHead(204).end()
    }
    const receiver = await receive((response) => void slow(response))
    const { account, send } = await customer(environment, server)
    const added = await webhook(environment, "add", "--account", account, "--url", receiver.url)
    const id = String(added["webhook_id"])
    const set = { webhook_id: id, concurrency: 1, batch: 20 }
    expect(await webhook(environment, "throughput", id, "--concurrency", "1", "--batch", "20")).toEqual(set)
    expect((await webhook(environment, "list"))["webhooks"]).toMatchObject([set])
    await realTime(1_500, "the server reads the settings")
    await Promise.all(Array.from({ length: 40 }, (_, n) => send(n)))
    const events = () => receiver.got.flatMap((got) => bodyOf(got))
    await until(() => events().length === 79)
    expect(most).toBe(1)
    expect(receiver.got.length).toBeLessThan(40)
    expect(new Set(events().map((event) => event.id)).size).toBe(79)
    const secret = String(added["secret"])
    for (const { body, headers } of receiver.got) expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
    const { stderr } = await failingCommand(environment, "webhook", "throughput", id, "--concurrency", "65")
    expect(stderr).toContain("concurrency must be from 1 to 64")
    expect(await webhook(environment, "throughput", id, "--clear", "concurrency,batch")).toEqual({
      webhook_id: id,
      concurrency: 8,
      batch: null
    })
    await server.stop()
  }, 90_000)

  it("is told of every message by the next server when one was killed before it could tell", async () => {
    const environment = sqliteIn("killed.db")
    const first = await start(environment)
    let isOpen = false
    const receiver = await receive((response) => response.writeHead(isOpen ? 204 : 503).end())
    const { account, send } = await customer(environment, first)
    await webhook(environment, "add", "--account", account, "--url", receiver.url)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await first.kill()
    isOpen = true
    receiver.forget()
    // The lease of the events that it had taken, and the pauses before further attempts, are over.
    const db = new Sqlite(file("killed.db"))
    db.prepare("UPDATE events SET due_at = due_at - 30000").run()
    db.close()
    const second = await start(environment)
    await until(() => told(receiver).size === 20)
    await second.stop()
  }, 90_000)
})

describe("two servers on one PostgreSQL", () => {
  let database: PostgresServer

  beforeAll(async () => {
    database = await startPostgres()
  })

  afterAll(() => database.stop())

  it("share the work, and send nothing twice", async () => {
    const environment = { DATABASE_URL: database.url, DATABASE_CONNECTIONS: "4", WEBHOOK_ALLOW_PRIVATE: "true" }
    const servers = await Promise.all([start(environment), start(environment)])
    const receiver = await receive()
    const [one] = servers
    const { account, send } = await customer(environment, one)
    await webhook(environment, "add", "--account", account, "--url", receiver.url, "--events", "delivery.updated")
    await Promise.all(Array.from({ length: 40 }, (_, n) => send(n)))
    // The number that ends in 0002 is never reached, which is one event.
    await until(() => receiver.got.length >= 79 && told(receiver).size === 40)
    const ids = receiver.got.map(({ headers }) => headers["webhook-id"])
    expect(new Set(ids).size).toBe(ids.length)
    expect(told(receiver).size).toBe(40)
    await Promise.all(servers.map((server) => server.stop()))
  }, 90_000)
})
