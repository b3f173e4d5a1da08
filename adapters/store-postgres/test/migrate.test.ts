import { firstUlid } from "@watchword/schemas/Ids"
import { type Signal, Store } from "@watchword/store/Store"
import { PostgresStore } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { migrate } from "../src/migrate.ts"
import { type Migration, migrations } from "../src/schema.ts"
import { sql } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

const accounts = Effect.flatMap(Store, (store) => store.accounts)
const opened = (schema: string) => Effect.provide(accounts, BuiltIn.postgres(server.url, { schema }))

const notes: Migration = {
  _tag: "InTransaction",
  name: "notes",
  sql: (s) => `ALTER TABLE ${s}.deliveries ADD COLUMN note text NOT NULL DEFAULT ''`
}
const index = { name: "deliveries_noted", table: "deliveries", definition: "(note)" }
const noted: Migration = { _tag: "Indexes", name: "index of notes", indexes: [index] }
/** That of a program with another migration. */
const floor = migrations.length + 1
/** That of today's program. */
const today = Math.max(...migrations.map(({ floor = 1 }) => floor))
const contraction: Migration = { _tag: "InTransaction", name: "floor", sql: () => "SELECT 1", floor }
const next = [...migrations, notes, noted]

const run = (schema: string, list: ReadonlyArray<Migration>) =>
  Effect.runPromise(migrate({ connectionString: server.url, hosts: null }, schema, list))
const status = (schema: string) => Effect.runPromise(PostgresStore.migrator({ url: server.url, schema }).status)

const indexesOf = (schema: string) =>
  sql(
    server.url,
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`,
    [schema, index.name]
  )

describe("a schema", () => {
  it("is migrated once, and is not made by a status", async () => {
    const program = migrations.length
    const { migrate } = PostgresStore.migrator({ url: server.url, schema: "once" })
    expect(await status("once")).toMatchObject({ database: 0, program, floor: 0 })
    expect(await sql(server.url, "SELECT FROM pg_namespace WHERE nspname = 'once'")).toEqual([])
    expect(await Effect.runPromise(migrate)).toMatchObject({ database: 0 })
    expect(await status("once")).toEqual({ database: program, program, floor: today, pending: [] })
    expect(await Effect.runPromise(migrate)).toMatchObject({ database: program })
  })

  it("loses the functions that decided plain steps in the database", async () => {
    await run("two engines", migrations.slice(0, 3))
    await sql(
      server.url,
      `CREATE FUNCTION "two engines".check_named(smallint[], text[]) RETURNS void LANGUAGE sql AS ''`
    )
    await sql(server.url, `CREATE FUNCTION "two engines".facts(json) RETURNS json LANGUAGE sql AS 'SELECT $1'`)
    const functions = `SELECT proname AS name, pronargs AS n FROM pg_proc WHERE pronamespace = '"two engines"'::regnamespace
      AND proname IN ('check_named', 'facts') ORDER BY pronargs`
    expect(await sql(server.url, functions)).toHaveLength(3)
    expect(await Effect.runPromise(opened("two engines"))).toEqual([])
    expect(await sql(server.url, functions)).toEqual([{ name: "facts", n: 3 }])
  })

  it("is migrated by one of several processes, with an index that no transaction may build", async () => {
    await Promise.all([run("several", next), run("several", next), run("several", next)])
    expect(await sql(server.url, "SELECT version, floor FROM several.watchword_migrations ORDER BY 1")).toEqual(
      next.map(({ floor = 1 }, i) => ({ version: i + 1, floor }))
    )
    expect(await indexesOf("several")).toEqual([{ name: index.name, valid: true }])
    expect(await Effect.runPromise(opened("several"))).toEqual([])
  })

  it("has an index built anew that a killed process left unfinished", async () => {
    await run("killed", [...migrations, notes])
    const reader = new Client(server.url)
    await reader.connect()
    // The index waits for a transaction that has written.
    await reader.query("BEGIN")
    await reader.query("LOCK TABLE killed.deliveries IN ROW EXCLUSIVE MODE")
    const building = run("killed", next).catch((error: unknown) => error)
    const builder =
      "SELECT pid FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%killed%' AND state = 'active'"
    await expect.poll(() => sql(server.url, builder)).toHaveLength(1)
    await sql(server.url, `SELECT pg_cancel_backend(pid) FROM (${builder}) b`)
    expect(await building).toMatchObject({ reason: "Unavailable" })
    expect(await indexesOf("killed")).toEqual([{ name: index.name, valid: false }])
    await reader.end()
    await run("killed", next)
    expect(await indexesOf("killed")).toEqual([{ name: index.name, valid: true }])
  })

  it("is not kept from sends by a migration that waits for a table", async () => {
    await run("waiting", migrations)
    const reader = new Client(server.url)
    await reader.connect()
    await reader.query("BEGIN")
    await reader.query("LOCK TABLE waiting.deliveries IN ACCESS SHARE MODE")
    const migrating = run("waiting", next)
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'waiting.deliveries'::regclass"
    await expect.poll(() => sql(server.url, waiting)).toHaveLength(1)
    // Queued behind the migration, and served when that gives up.
    expect(await sql(server.url, "SELECT FROM waiting.deliveries")).toEqual([])
    expect(await status("waiting")).toMatchObject({ database: migrations.length })
    await reader.query("ROLLBACK")
    await migrating
    expect(await status("waiting")).toMatchObject({ database: next.length })
    await reader.end()
  })

  it("from before the roll-up of traffic gets its table", async () => {
    await run("before", migrations.slice(0, 1))
    const query = { since: 0, until: 9, account: null, by: [] }
    const traffic = Effect.flatMap(Store, (store) => store.traffic(query))
    expect(
      await Effect.runPromise(Effect.provide(traffic, BuiltIn.postgres(server.url, { schema: "before" })))
    ).toEqual([])
  })

  it("after a contraction is refused by programs below its floor, and left as it is", async () => {
    await run("newer", [...migrations, contraction])
    const { message, reason } = await Effect.runPromise(Effect.flip(opened("newer")))
    expect(reason).toBe("Unavailable")
    expect(message).toBe(
      "The schema newer was migrated by a newer program: " +
        `it takes programs of version ${floor} or later, and this one has version ${migrations.length}.`
    )
    expect(await status("newer")).toMatchObject({ database: floor, floor })
  })
})

it("signals of a newer program are read without fields that this one does not know, and passed over without those it needs", async () => {
  const delivery = firstUlid(0)
  const signals: ReadonlyArray<object> = [
    { topic: "hangup", calls: [delivery] },
    { topic: "hangup", delivery, by: "operator" }
  ]
  const program = Effect.gen(function* () {
    const store = yield* Store
    const received: Array<Signal> = []
    yield* store.signals((signal) => Effect.sync(() => void received.push(signal)))
    for (const signal of signals) {
      const notify = "SELECT pg_notify('watchword told', $1)"
      yield* Effect.promise(() => sql(server.url, notify, [JSON.stringify(signal)]))
    }
    yield* Effect.promise(() => expect.poll(() => received).toEqual([{ topic: "hangup", delivery }]))
  })
  await Effect.runPromise(Effect.scoped(Effect.provide(program, BuiltIn.postgres(server.url, { schema: "told" }))))
})
