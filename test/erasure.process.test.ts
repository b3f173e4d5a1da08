/**
 * An erased number, searched for in the bytes of the database's files: it is in no file, and another number is intact.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { audit } from "@watchword/operator/Audit"
import { type AccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import * as Outcome from "@watchword/send/Outcome"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import type { Snapshots } from "@watchword/store/Snapshots"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { PostgresStore, postgres } from "@watchword/store-postgres"
import { SqliteStore, sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { chmodSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import { type PostgresServer, start } from "./PostgresServer.ts"
import { opening, receipt } from "./stores/fixtures.ts"

const ERASED = "+4915123456701"
const KEPT = "+4915123456802"

/** The data that is stored about a person in addition to the number. */
interface Person {
  readonly to: string
  readonly text: string
  readonly code: string
  readonly client: string
  readonly ip: string
}

const erased: Person = {
  to: ERASED,
  text: "Dear Ada, your code is 71930482",
  code: "71930482",
  client: "device-of-ada",
  ip: "203.0.113.77"
}

const kept: Person = {
  to: KEPT,
  text: "Dear Bob, your code is 60271953",
  code: "60271953",
  client: "device-of-bob",
  ip: "203.0.113.88"
}

/** The strings that would reveal a person: the digits occur in every spelling of the number. */
const tracesOf = ({ client, code, ip, text, to }: Person) => [to.slice(1), text, code, client, ip]

const carrier = Layer.succeed(SmsGateway, {
  send: ({ delivery }) => Effect.succeed(Outcome.accepted([`carrier-${delivery}`])),
  events: () => Effect.void,
  health: Effect.succeed([])
})

/** Sends to a person on every channel, live and in the sandbox, and does everything else that stores a number. */
const send = async (service: Watchword, account: string, { client, code, ip, text, to }: Person): Promise<void> => {
  const sandbox = { account, sandbox: true }
  const facts = { client_ip: ip, client_ref: client }
  await service.sms.send(account, { to, text, ...facts })
  await service.sms.send(sandbox, { to, text, ...facts })
  await service.chatgw.send(sandbox, { to, code, ...facts })
  await service.bizchat.send(sandbox, { to, text, ...facts })
  const { uuid } = await service.call.flash(sandbox, { callee: to, caller: `+49301${code}`, ...facts })
  await service.call.hangup(sandbox, uuid)
  const workflow = [{ channel: "sms", timeout: 30 }] as const
  const about = { to, workflow, ...facts, metadata: { name: client }, code }
  const { id } = await service.verify.start(account, { ...about, purpose: "login" })
  await service.verify.check(account, id, { code })
  const other = await service.verify.start(sandbox, { ...about, purpose: "payment" })
  await service.verify.cancel(sandbox, other.id)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await service.operator.account.testNumber.add({ account_id: account, number: to, code, until, anyway: true })
  await service.sandbox.setPhone(sandbox, to, { mode: "manual" })
  await service.operator.guard.allow({ number: to, account_id: account })
  await service.operator.guard.allow({ number: to })
}

/** Leaves the traces of a crash or a strange carrier: the dialog of a call that never ended, and a stray receipt. */
const leave = ({ text, to }: Person, account: AccountId) =>
  Store.use((store) =>
    Effect.gen(function* () {
      const at = Date.now() - 7_200_000
      const details = { dialog: `INVITE sip:${to.slice(1)}@trunk`, failure_message: text }
      const delivery = opening(account, { id: nextDeliveryId(at), channel: "call", to, details })
      const close = { outcome: "accepted", status: { name: "ringing", rank: 1 }, refs: [], details: {} } as const
      yield* store.open({ ...delivery, at, close })
      const target = { _tag: "Part", channel: "sms", refs: ["early"], message: { to, reference: null } } as const
      yield* store.report(receipt("early", { at: Date.now(), target }))
    })
  )

/** How often each trace of a person occurs in some files. */
const found = (files: ReadonlyArray<string>, person: Person): ReadonlyArray<string> => {
  const contents = files.map((file) => [file, readFileSync(file)] as const)
  return tracesOf(person).flatMap((trace) =>
    contents.filter(([, bytes]) => bytes.includes(trace)).map(([file]) => `${trace} in ${file}`)
  )
}

const folder = mkdtempSync(join(tmpdir(), "watchword-erasure-"))
let server: PostgresServer

beforeAll(async () => {
  // PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o755)
  server = await start({ folder: join(folder, "postgres") })
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Place {
  readonly store: Layer.Layer<Store, StoreError, ChannelRegistry.ChannelRegistry>
  readonly snapshots: Layer.Layer<Snapshots, StoreError, ChannelRegistry.ChannelRegistry>
  /** Makes the database write its memory to its files. */
  readonly settle: () => Promise<void>
  readonly files: () => ReadonlyArray<string>
}

const file = join(folder, "watchword.db")
const filesBelow = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())

const places: ReadonlyArray<readonly [name: string, rewrite: boolean, place: () => Place]> = [
  [
    "SQLite",
    false,
    () => ({
      store: sqlite(file),
      snapshots: SqliteStore.snapshots(file),
      settle: async () => {},
      files: () => globSync(`${file}*`)
    })
  ],
  [
    "PostgreSQL",
    true,
    () => ({
      store: postgres(server.url),
      snapshots: PostgresStore.snapshots({ url: server.url }),
      // Segments of the write-ahead log are archives: like backups, they are not searched.
      settle: () => checkpoint(server.url),
      files: () => filesBelow(join(folder, "postgres", "data", "base"))
    })
  ]
]

const checkpoint = async (url: string): Promise<void> => {
  const client = new Client(url)
  await client.connect()
  await client.query("CHECKPOINT")
  await client.end()
}

describe.each(places)("an erased number in %s", (_, rewrite, place) => {
  it("is in no file, nor is its text; another number is as it was, and the audit is clean", async () => {
    const { files, settle, snapshots, store } = place()
    const service = await createWatchword({ store, sms: carrier, secret: "a secret of at least 32 characters" })
    const { account_id: account } = await service.operator.account.create({
      sms_sender: "Acme",
      store_text: true,
      caller: "+4930901820123"
    })
    await service.operator.account.credit({ account_id: account, amount: 10 })
    await service.operator.webhook.add({ url: "https://127.0.0.1:9/hook", anyway: true })
    for (const person of [erased, kept]) {
      await send(service, account, person)
      await Effect.runPromise(
        Effect.provide(leave(person, account as AccountId), Layer.provide(store, ChannelRegistry.layerBuiltIn))
      )
    }
    await settle()
    expect(found(files(), erased).length).toBeGreaterThan(0)
    const money = await service.operator.account.show({ account_id: account })

    await expect
      .poll(async () => (await service.operator.erase({ number: ERASED, rewrite })).under_way, { timeout: 20_000 })
      .toBe(0)
    expect(await service.operator.erase({ number: ERASED, rewrite })).toEqual({
      records: 0,
      claims: 0,
      reports: 0,
      settings: 0,
      blocks_kept: 0,
      under_way: 0,
      reclaimed: true
    })
    await settle()

    expect(found(files(), erased)).toEqual([])
    expect((await service.operator.why({ number: ERASED })).items).toEqual([])
    expect((await service.operator.why({ number: KEPT })).items).toHaveLength(10)
    // Settings are read again after some seconds.
    await expect
      .poll(() => service.operator.account.show({ account_id: account }), { timeout: 20_000 })
      .toEqual({ ...money, test_numbers: [KEPT] })
    await service.dispose()
    expect(found(files(), erased)).toEqual([])
    expect(
      await Effect.runPromise(Effect.provide(audit, Layer.provideMerge(snapshots, ChannelRegistry.layerBuiltIn)))
    ).toMatchObject({ ok: true })
  }, 60_000)
})
