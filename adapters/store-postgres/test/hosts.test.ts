/**
 * A database with two hosts, a primary and its synchronous standby, which is promoted when the primary fails.
 */
import { nextAccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { PostgresStore } from "@watchword/store-postgres"
import type { Service as StoreService } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { execFile } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { realTime, turns } from "../../../test/until.ts"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { someAccount } from "../../../test/accounts.ts"
import { Hosts } from "../src/Hosts.ts"
import * as Pools from "../src/Pools.ts"
import { opening, sql } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

const PATIENTLY = { timeout: 60_000, interval: 50 }

interface Pair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  readonly stop: () => Promise<void>
}

/** A primary, and a standby that has every commit that the primary has answered. */
const pair = async (): Promise<Pair> => {
  const folder = mkdtempSync(join(tmpdir(), "watchword-"))
  // PostgreSQL runs as a different user.
  chmodSync(folder, 0o755)
  const [first, second] = [join(folder, "first"), join(folder, "second")]
  await (await start({ folder: first })).stop()
  await promisify(execFile)("cp", ["-a", first, second])
  writeFileSync(join(second, "data/standby.signal"), "")
  const primary = await start({ folder: first })
  const { port } = new URL(primary.url)
  const standby = await start({
    folder: second,
    settings: { primary_conninfo: `host=127.0.0.1 port=${port} user=postgres application_name=second` }
  })
  await sql(primary.url, "ALTER SYSTEM SET synchronous_standby_names = 'second'")
  await sql(primary.url, "SELECT pg_reload_conf()")
  const stop = async () => {
    await primary.stop()
    await standby.stop()
    rmSync(folder, { recursive: true })
  }
  return { primary, standby, stop }
}

const hostOf = ({ url }: PostgresServer): string => new URL(url).host

/** Promotes a standby. Polls, because recovery may cancel a single query that waits for the promotion. */
const promote = async ({ url }: PostgresServer): Promise<void> => {
  await sql(url, "SELECT pg_promote(false)")
  const isPrimary = () => sql<{ done: boolean }>(url, "SELECT NOT pg_is_in_recovery() AS done").catch(() => [])
  await vi.waitUntil(async () => (await isPrimary())[0]?.done, PATIENTLY)
}

let primary: PostgresServer
let standby: PostgresServer
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ primary, standby, stop } = await pair())
})

afterAll(() => stop())

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const urlOf = (hosts: string): string => `postgres://postgres@${hosts}/postgres`

const open = (hosts: string, options: { readonly direct?: string } = {}): Promise<StoreService> =>
  Effect.runPromise(Scope.provide(BuiltIn.make({ url: urlOf(hosts), connections: 3, ...options }), scope))

const rolesOf = async (hosts: string) =>
  (await Effect.runPromise(PostgresStore.roles({ url: urlOf(hosts) }))).map(
    ({ role, why }) => `${role}${why && `: ${why}`}`
  )

const sentenceOf = (hosts: string): Promise<string> =>
  open(hosts).then(
    () => "opened",
    (error: Error) => error.message
  )

/** Signals a server process, which may have ended already. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // For example, an autovacuum worker.
  }
}

const idsOn = async (server: PostgresServer): Promise<ReadonlySet<string>> =>
  new Set((await sql<{ id: string }>(server.url, "SELECT id FROM watchword.accounts")).map(({ id }) => id))

/** Ends the connections to a server, except this one. */
const disconnect = (server: PostgresServer) =>
  sql(
    server.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'watchword' AND pid <> pg_backend_pid()"
  )

/** Writers that continue until they are ended, and the ids of their answered writes. */
const writing = (store: StoreService) => {
  const answered: Array<string> = []
  const ended = new AbortController()
  const all = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!ended.signal.aborted) {
        const account = someAccount({ id: nextAccountId(Date.now()) })
        const written = await Effect.runPromise(Effect.result(store.createAccount(account)))
        if (written._tag === "Success") answered.push(account.id)
        else await realTime(20, "a writer waits for a primary")
      }
    })
  )
  const end = async () => {
    ended.abort()
    await all
  }
  return { answered, end }
}

describe("a URL with several hosts", () => {
  it("leads to the primary, wherever it is in the list", async () => {
    const store = await open(`${hostOf(standby)},${hostOf(primary)}`)
    const account = someAccount({ id: nextAccountId(Date.now()) })
    await Effect.runPromise(store.createAccount(account))
    // The standby applies a commit a moment after it receives it.
    await expect
      .poll(() => sql(standby.url, "SELECT id FROM watchword.accounts").catch(() => []), PATIENTLY)
      .toContainEqual({ id: account.id })
  })

  it("of which none is a primary is refused in one sentence", async () => {
    expect(await sentenceOf(`${hostOf(standby)},${hostOf(standby)}`)).toBe(
      "The database could not be opened: no host that answers is a primary."
    )
    expect(await sentenceOf(`${hostOf(standby)}/postgres?target_session_attrs=read-write&x=`)).toContain("option")
  })

  it("has every answered write on the new primary, and goes on there", async () => {
    const store = await open(`${hostOf(primary)},${hostOf(standby)}`)
    const listener = await open(`${hostOf(primary)},${hostOf(standby)}`)
    const heard: Array<string> = []
    const signals = listener.signals(({ delivery }) => Effect.sync(() => void heard.push(delivery)))
    await Effect.runPromise(Scope.provide(signals, scope))

    const { answered, end } = writing(store)
    await vi.waitUntil(() => answered.length > 50, PATIENTLY)
    await primary.crash()
    await promote(standby)
    const before = answered.length
    await vi.waitUntil(() => answered.length > before + 50, PATIENTLY)

    // The former primary comes back and believes that it is still the primary; connections stay where they are.
    await primary.restart()
    const since = answered.length
    await vi.waitUntil(() => answered.length > since + 50, PATIENTLY)
    await end()
    const there = await idsOn(standby)
    expect(answered.filter((id) => !there.has(id))).toEqual([])

    const delivery = nextDeliveryId(Date.now())
    await vi.waitUntil(async () => {
      await Effect.runPromise(store.signal({ topic: "after", delivery }))
      return heard.includes(delivery)
    }, PATIENTLY)
  })

  it("goes on where the primary freezes, and says nothing", async () => {
    const { primary, standby, stop } = await pair()
    const store = await open(`${hostOf(primary)},${hostOf(standby)}`)
    const { answered, end } = writing(store)
    await vi.waitUntil(() => answered.length > 50, PATIENTLY)
    const backends = await sql<{ pid: number }>(
      primary.url,
      "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    )
    const frozen = [primary.pid(), ...backends.map(({ pid }) => pid)]
    for (const pid of frozen) signal(pid, "SIGSTOP")
    try {
      await promote(standby)
      const before = answered.length
      await vi.waitUntil(() => answered.length > before + 50, PATIENTLY)
    } finally {
      for (const pid of frozen) signal(pid, "SIGCONT")
    }
    await end()
    const there = await idsOn(standby)
    expect(answered.filter((id) => !there.has(id))).toEqual([])
    await stop()
  })

  it("loses no connection whose query stops waiting while the host is asked what it is", async () => {
    const server = await start()
    await sql(
      server.url,
      `CREATE SCHEMA ours;
       CREATE FUNCTION ours.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT pg_sleep(0.8); SELECT false'`
    )
    await sql(server.url, "ALTER DATABASE postgres SET search_path = ours, pg_catalog")
    const { hostname: host, port } = new URL(server.url)
    const at = { host, port: Number(port), ssl: false } as const
    const pool = await Effect.runPromise(
      Scope.provide(
        Pools.make(
          {
            ...at,
            user: "postgres",
            database: "postgres",
            hosts: new Hosts([at]),
            connectionTimeoutMillis: 500,
            max: 1
          },
          10
        ),
        scope
      )
    )
    const answers = (): Promise<boolean> =>
      Pools.withClient(pool, (query) => query("SELECT 1")).then(
        () => true,
        () => false
      )
    await vi.waitUntil(answers, PATIENTLY)
    // One call waits for the connection, which ends; a new connection is made, and is checked when the wait is over.
    const isAsked = Promise.withResolvers<void>()
    const ending = Pools.withClient(pool, async (query) => {
      await isAsked.promise
      await query("SELECT pg_terminate_backend(pg_backend_pid())")
    }).catch(() => {})
    const other = answers()
    await turns()
    isAsked.resolve()
    await Promise.all([ending, other])
    expect(await vi.waitUntil(answers, PATIENTLY)).toBe(true)
    await server.stop()
  })

  it("says what each host is", async () => {
    const { primary, standby, stop } = await pair()
    const hosts = `${hostOf(standby)},${hostOf(primary)},127.0.0.1:1`
    expect(await rolesOf(hosts)).toEqual(["standby", "primary", "unreachable: no connection (ECONNREFUSED)"])
    expect(await rolesOf(hostOf(primary))).toEqual([])
    await promote(standby)
    expect((await rolesOf(hosts)).slice(0, 2)).toEqual(["primary", "former primary"])
    await stop()
  })

  it("takes no answer for one that waited for a standby until the former primary was set not to wait", async () => {
    const { primary, standby, stop } = await pair()
    const store = await open(`${hostOf(primary)},${hostOf(standby)}`)
    const account = someAccount({ id: nextAccountId(Date.now()) })
    await Effect.runPromise(store.createAccount(account))
    const isThere = () => idsOn(standby).then((ids) => ids.has(account.id))
    // The standby applies a commit a moment after it receives it.
    await vi.waitUntil(() => isThere().catch(() => false), PATIENTLY)
    await promote(standby)
    const other = someAccount({ id: nextAccountId(Date.now()) })
    const { delivery, ...request } = opening(account.id, { price: MicroEuros.make(0) })
    const written = Effect.runPromise(
      Effect.all([store.createAccount(other), store.open({ ...request, delivery })], { concurrency: "unbounded" })
    )
    await vi.waitUntil(async () => {
      const waiting = await sql(primary.url, "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      return waiting.length === 2
    }, PATIENTLY)
    await realTime(700, "the store looks at the hosts again")
    // As a restarted Patroni does.
    await sql(primary.url, "ALTER SYSTEM RESET synchronous_standby_names")
    await sql(primary.url, "SELECT pg_reload_conf()")
    expect((await written)[1]._tag).toBe("Opened")
    expect((await idsOn(standby)).has(other.id)).toBe(true)
    const records = await sql<{ id: string }>(standby.url, "SELECT id FROM watchword.deliveries")
    expect(records).toEqual([{ id: delivery.id }])
    await stop()
  })

  it("takes no write on a former primary that goes on", async () => {
    const { primary, standby, stop } = await pair()
    const hosts = `${hostOf(primary)},${hostOf(standby)}`
    // The listener has its own list of hosts, as it does with a pooler.
    const store = await open(hosts, { direct: urlOf(hosts) })
    const heard: Array<string> = []
    const signals = store.signals(({ delivery }) => Effect.sync(() => void heard.push(delivery)))
    await Effect.runPromise(Scope.provide(signals, scope))
    const { answered, end } = writing(store)
    await vi.waitUntil(() => answered.length > 50, PATIENTLY)
    await promote(standby)
    await sql(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''")

    // Connections stay on the former primary until they end; its writes are not checked here.
    await sql(primary.url, "ALTER SYSTEM SET default_transaction_read_only = on")
    await sql(primary.url, "SELECT pg_reload_conf()")
    await vi.waitUntil(async () => {
      const last = answered.length
      await vi.waitUntil(() => answered.length > last + 4, PATIENTLY)
      return (await idsOn(standby)).has(answered.at(-5) ?? "")
    }, PATIENTLY)
    await sql(primary.url, "ALTER SYSTEM RESET default_transaction_read_only")
    await sql(primary.url, "SELECT pg_reload_conf()")

    // Now it accepts writes at once, and is the next host whenever a connection to the primary ends.
    const since = answered.length
    for (let round = 1; round <= 5; round++) {
      await disconnect(standby)
      await vi.waitUntil(() => answered.length > since + 20 * round, PATIENTLY)
    }
    await end()
    const there = await idsOn(standby)
    expect(answered.slice(since).filter((id) => !there.has(id))).toEqual([])

    const delivery = nextDeliveryId(Date.now())
    await vi.waitUntil(async () => {
      await Effect.runPromise(store.signal({ topic: "after", delivery }))
      return heard.includes(delivery)
    }, PATIENTLY)
    await stop()
  })
})
