/**
 * Backups and restores of a server under load of all channels, with processes that are killed: no carrier is given a
 * message twice by the service itself, and every cent is explained.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { realTime, until } from "../../../test/until.ts"
import { AccountId } from "@watchword/schemas/Ids"
import { sqlite } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import Sqlite from "better-sqlite3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createWatchword } from "watchword"
import { folderForAll } from "../../../test/folder.ts"
import { trunk as startTrunk, type Trunk } from "@watchword/sandbox/trunk"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import { type Answer, type Caller, callerOf, request } from "./client.ts"
import { type Environment, type Running, command, failingCommand, start, watchword } from "./Standalone.ts"
import { endWithRunner } from "../../../test/exits/endWithRunner.ts"
import { type TelegramApi, type WhatsAppApi, telegramApi, whatsAppApi } from "@watchword/sandbox/http"

const folder = folderForAll()
let carrier: Smsc
let trunk: Trunk
let telegram: TelegramApi
let platform: WhatsAppApi
let environment: Environment
let account: string
let key: string
let server: Running
let by: Caller

const file = () => folder.file("test.db")
const backupFile = () => folder.file("backup.db")

beforeAll(async () => {
  carrier = await smsc({
    script: {
      submit: () => ({ after: carrier.submits.length % 8 }),
      receipt: (submit) => receipt(submit, "DELIVRD", 20)
    }
  })
  trunk = await startTrunk()
  telegram = await telegramApi({ token: "token-of-the-chat-gateway" })
  platform = await whatsAppApi({ token: "token-of-the-platform" })
  const one = { "*": "0.01" }
  await writeFile(
    folder.file("prices.json"),
    JSON.stringify({ sms: one, call: one, chatgw: one, chatgw_probe: one, bizchat: one })
  )
  environment = {
    DATABASE_URL: `sqlite:${file()}`,
    PRICES: folder.file("prices.json"),
    SMPP_URL: carrier.url("timeout=5"),
    SIP_URL: trunk.url(),
    CHATGW_URL: telegram.url(),
    CHATGW_TOKEN: "token-of-the-chat-gateway",
    BIZCHAT_URL: platform.url(),
    BIZCHAT_TOKEN: "token-of-the-platform",
    BIZCHAT_PHONE_NUMBER_ID: "106540352242922",
    LOG_LEVEL: "none"
  }
  const created = ["account", "create", "--balance", "1000", "--caller", "+4930901820123"]
  account = String((await command(environment, ...created))["account_id"])
  await command(environment, "account", "callers", account, "+4930901820000-+4930901821999")
  // No one enters the codes of this load.
  await command(environment, "guard", "set", account, "none")
  key = String((await command(environment, "key", "create", "--account", account))["key"])
  // An account that asks for nothing makes backups long enough to be killed.
  const other = AccountId.make(String((await command(environment, "account", "create"))["account_id"]))
  const padding = { account: other, name: "padding", value: JSON.stringify("x".repeat(12_000_000)) }
  await Effect.runPromise(
    Store.use((store) => store.changeSetting(padding)).pipe(
      Effect.provide(Layer.provide(sqlite(file()), ChannelRegistry.layerBuiltIn))
    )
  )
  await serve()
})

afterAll(async () => {
  if (server.process.exitCode === null) await server.stop()
  await Promise.all([carrier.stop(), trunk.stop(), telegram.stop(), platform.stop()])
})

const serve = async (): Promise<void> => {
  server = await start(environment)
  by = callerOf(server, account, key)
}

/** The answer of a request, or null for none. */
const ask = (...given: Parameters<typeof request>): Promise<Answer | null> => request(...given).catch(() => null)

let numbers = 0
const newNumber = (): string => `+49151${String(10_000_000 + ++numbers)}`

/** How many messages of each channel reached each number. */
const received = (): ReadonlyMap<string, number> => {
  const all = [
    ...carrier.submits.map(({ to }) => `sms ${to}`),
    ...trunk.calls.map(({ callee }) => `call ${callee}`),
    ...[...telegram.requests.values()].filter(({ code }) => code !== null).map((sent) => `chatgw ${sent.to}`),
    ...platform.messages.map(({ to }) => `bizchat ${to}`)
  ]
  const counts = new Map<string, number>()
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}

const sends: ReadonlyArray<(to: string) => Promise<Answer | null>> = [
  (to) => ask(by, "/sms", { to, text: "Your code is 123456" }),
  (to) => ask(by, "/call/flash", { callee: to, max_ring_time: 5 }),
  (to) => ask(by, "/chatgw", { to, code: "123456" }),
  (to) => ask(by, "/bizchat/otp", { to, text: "Your code is 123456" }),
  ...["sms", "call", "chatgw", "bizchat"].map((channel) => (to: string) => {
    const workflow = [
      { channel, timeout: 10 },
      { channel: channel === "sms" ? "chatgw" : "sms", timeout: 10 }
    ]
    return ask(by, "/verifications", { to, workflow })
  })
]

/** Begins to send by all channels, each time to another number, and answers how to end it. */
const load = (): (() => Promise<number>) => {
  const stop = new AbortController()
  let answered = 0
  const client = async (n: number): Promise<void> => {
    for (let turn = n; !stop.signal.aborted; turn++) {
      const answer = await sends[turn % sends.length]?.(newNumber())
      if (answer?.status === 200 || answer?.status === 201) answered += 1
      else await realTime(5, "a client pauses")
    }
  }
  const clients = Promise.all(Array.from({ length: 12 }, (_, n) => client(n)))
  return async () => {
    stop.abort()
    await clients
    return answered
  }
}

const cli = (...args: ReadonlyArray<string>): ChildProcess => {
  const env = { PATH: process.env["PATH"], ...environment }
  const child = spawn(process.execPath, [watchword, ...args], { env, stdio: "ignore" })
  endWithRunner(child)
  return child
}

const partials = () => readdirSync(folder.path()).filter((name) => name.endsWith(".partial"))

/** Kills a command after it has begun to write a file and some milliseconds more. */
const killWhileWriting = async (child: ChildProcess, milliseconds: number): Promise<void> => {
  const before = partials().length
  await until(() => partials().length !== before || child.exitCode !== null, Boolean, 1)
  await realTime(milliseconds, "the command writes")
  child.kill("SIGKILL")
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
}

/** The code that the phone of a number shows. */
const codeTo = (number: string): string => {
  const submit = carrier.submits.find(({ to }) => number.endsWith(to))
  return /\d{6}/.exec(submit?.text ?? "")?.[0] ?? ""
}

describe("a server under load of all channels", () => {
  const repeated = { number: newNumber(), headers: { "idempotency-key": "order-17-of-the-shop" } }
  let verified: { readonly id: unknown; readonly code: string }
  let end: ReturnType<typeof load>

  it("is backed up meanwhile; a backup that is killed leaves nothing under its name", { timeout: 60_000 }, async () => {
    end = load()
    await carrier.until(() => carrier.submits.length > 50)
    const to = newNumber()
    const started = await request(by, "/verifications", { to, workflow: [{ channel: "sms", timeout: 300 }] })
    verified = { id: started.body["id"], code: codeTo(to) }
    for (const after of [0, 40]) {
      await killWhileWriting(cli("backup", backupFile()), after)
      expect(existsSync(backupFile())).toBe(false)
    }
    const made = await command(environment, "backup", backupFile())
    expect(made).toMatchObject({ file: backupFile() })
    expect(await command({ ...environment, DATABASE_URL: `sqlite:${backupFile()}` }, "audit")).toMatchObject({
      ok: true
    })
  })

  it("goes on to send and to verify, which the backup does not know, until it is killed", async () => {
    const before = carrier.submits.length
    await carrier.until(() => carrier.submits.length > before + 50)
    const checked = await request(by, "/verifications/check", { verification_id: verified.id, code: verified.code })
    expect(checked.body).toMatchObject({ valid: true })
    const sent = await request(by, "/sms", { to: repeated.number, text: "Your order" }, repeated.headers)
    expect(sent).toMatchObject({ status: 200 })
    const { stderr } = await failingCommand(environment, "restore", backupFile())
    expect(stderr).toContain(`A server works on the database ${file()}: stop it first.`)
    await server.kill()
    expect(await end()).toBeGreaterThan(100)
  })

  it("is restored, though the restore is killed before, and sends nothing by itself", { timeout: 60_000 }, async () => {
    for (const after of [0, 200]) {
      await killWhileWriting(cli("restore", backupFile()), after)
      expect(existsSync(file())).toBe(true)
    }
    expect(await command(environment, "audit")).toMatchObject({ ok: true })
    const before = received()
    const restored = await command(environment, "restore", backupFile())
    expect(restored).toMatchObject({ replaced: true, audit: { ok: true } })
    expect(restored["verifications_ended"]).toBeGreaterThan(10)

    await serve()
    // The carrier holds receipts of messages that the database does not know.
    await carrier.until(
      () => carrier.acknowledgements.filter((status) => status === 0).length >= carrier.submits.length
    )
    await realTime(2_500, "two looks for steps that are due")
    expect(received()).toEqual(before)
    expect([...before].filter(([, times]) => times > 1)).toEqual([])
  })

  it("takes no code again that was used since the backup, and starts the verification anew", async () => {
    const again = await request(by, "/verifications/check", { verification_id: verified.id, code: verified.code })
    expect(again.body).toMatchObject({ valid: false, status: "expired" })
    const found = await request(by, `/verifications/${String(verified.id)}`)
    expect(found.body).toMatchObject({ status: "expired", reason: "restored" })
    const to = newNumber()
    const started = await request(by, "/verifications", { to, workflow: [{ channel: "sms", timeout: 300 }] })
    const checked = await request(by, "/verifications/check", { verification_id: started.body["id"], code: codeTo(to) })
    expect(checked.body).toMatchObject({ valid: true, status: "approved" })
  })

  it("sends again what a client repeats, because its key is forgotten", async () => {
    const sent = await request(by, "/sms", { to: repeated.number, text: "Your order" }, repeated.headers)
    expect(sent).toMatchObject({ status: 200 })
    expect([...received()].filter(([, times]) => times > 1)).toEqual([[`sms ${repeated.number.slice(1)}`, 2]])
  })

  it("has every hold settled or released in the end", async () => {
    expect(await server.stop()).toBe(0)
    // A day passes for the reconciler.
    const service = await createWatchword({ store: sqlite(file()), reconcile: { releaseAfter: 0 } })
    await service.dispose()
    expect(await command(environment, "account", "show", account)).toMatchObject({ held: 0 })
    expect(await command(environment, "audit")).toMatchObject({ ok: true })
  })
})

describe("a backup in which a rule is broken", () => {
  const broken = () => folder.file("broken.db")

  it("is not restored unless it is asked for, and the database stays", async () => {
    await command(environment, "backup", broken())
    const db = new Sqlite(broken())
    db.prepare("UPDATE accounts SET available = available + 1 WHERE id = ?").run(account)
    db.close()
    const { code } = await failingCommand(environment, "restore", broken())
    expect(code).toBe(1)
    expect(await command(environment, "audit")).toMatchObject({ ok: true })

    expect((await failingCommand(environment, "restore", broken(), "--anyway")).code).toBe(1)
    expect((await failingCommand(environment, "audit")).code).toBe(1)
  })
})

describe("the commands", () => {
  it("refuse what has tools of its own, or nothing to keep", async () => {
    const postgres = { DATABASE_URL: "postgres://watchword@localhost/watchword" }
    for (const name of ["backup", "restore"]) {
      const { stderr } = await failingCommand(postgres, name, folder.file("other.db"))
      expect(stderr).toContain("pg_dump and pg_restore, or base backups with WAL archiving")
      expect(stderr).toContain("docs/operators/backups.md")
    }
    const memory = { DATABASE_URL: "sqlite::memory:" }
    expect((await failingCommand(memory, "backup", folder.file("other.db"))).stderr).toContain("A database in memory")
    expect(existsSync(folder.file("other.db"))).toBe(false)
  })

  it("put no backup in the place of the secret, or of a file of settings", async () => {
    const secret = `${file()}.secret`
    const before = await readFile(secret, "utf8")
    const { stderr } = await failingCommand(environment, "backup", secret, "--overwrite")
    expect(stderr).toContain(`The file ${secret} is the secret of the installation`)
    expect(await readFile(secret, "utf8")).toBe(before)

    const other = folder.file("with another secret.db")
    const elsewhere = { DATABASE_URL: `sqlite:${other}`, VERIFY_SECRET: "0123456789abcdef0123456789abcdef" }
    await command(elsewhere, "account", "create")
    expect((await failingCommand(elsewhere, "backup", `${other}.secret`)).stderr).toContain("is the secret")

    const prices = folder.file("prices.json")
    expect((await failingCommand(environment, "backup", prices, "--overwrite")).stderr).toContain("no SQLite database")
    expect(JSON.parse(await readFile(prices, "utf8"))).toMatchObject({ sms: { "*": "0.01" } })
  })

  it("finish a restore by other tools", async () => {
    const copied = { DATABASE_URL: `sqlite:${backupFile()}` }
    await command(copied, "operator", "grant", "--name", "left", "--role", "admin")
    const finished = await command(copied, "restore", "--finish")
    const { audit, open_sends, operators_ended, verifications_ended } = finished
    expect(operators_ended).toBe(1)
    expect(await command(copied, "operator", "list")).toMatchObject({ operators: [] })
    expect(audit).toMatchObject({ ok: true })
    expect(open_sends).toHaveProperty("pending")
    expect(verifications_ended).toBeGreaterThan(10)
    expect(await command(copied, "restore", "--finish")).toMatchObject({ verifications_ended: 0 })
    const { stderr } = await failingCommand({ DATABASE_URL: `sqlite:${folder.file("none.db")}` }, "restore", "--finish")
    expect(stderr).toContain("There is no database")
    expect((await failingCommand(copied, "restore")).stderr).toContain("Give either a backup file, or --finish")
  })
})
