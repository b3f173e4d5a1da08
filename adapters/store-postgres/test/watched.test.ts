/**
 * Watched deliveries in the batch, and where it leaves them to the step engine.
 */
import { MicroEuros } from "@watchword/schemas/Money"
import { Store } from "@watchword/store/Store"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { PRICE, accountFor, atOnce, closing, expectSound, opening, receipt, sql } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start({ settings: { track_functions: "pl" } })
})

afterAll(() => server.stop())

const processOn = (schema: string) => Effect.provide(BuiltIn.layer({ url: server.url, schema }))

const watch = { endpoints: ["a", "b"] }

/** The events of deliveries in a schema, in the order of their versions. */
const events = (schema: string) =>
  Effect.promise(() =>
    sql<{ endpoint: string; version: number; status: string; phase: string }>(
      server.url,
      `SELECT endpoint, (f ->> 'version')::integer AS version, f ->> 'status' AS status, f ->> 'phase' AS phase
       FROM "${schema}".events CROSS JOIN LATERAL (SELECT event::json -> 'fact' AS f) WHERE f ->> '_tag' = 'DeliveryChanged'
       ORDER BY 2, 1`
    )
  )

const toBoth = (event: { readonly version: number; readonly status: string; readonly phase: string }) =>
  watch.endpoints.map((endpoint) => ({ endpoint, ...event }))

const accepted = toBoth({ version: 1, status: "sent", phase: "accepted" })
const delivered = toBoth({ version: 2, status: "delivered", phase: "accepted" })

/** How often functions of a schema were called, counted when the connections that called them have ended. */
const callsOf = async (schema: string, ...names: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
  const open = "SELECT FROM pg_stat_activity WHERE application_name = 'watchword'"
  await vi.waitUntil(async () => (await sql(server.url, open)).length === 0)
  const calls = "SELECT funcname AS name, calls::integer AS n FROM pg_stat_user_functions WHERE schemaname = $1"
  const rows = await sql<{ name: string; n: number }>(server.url, calls, [schema])
  return names.map((name) => rows.find((row) => row.name === name)?.n ?? 0)
}

describe("watched deliveries", () => {
  it("write their events in the batch of the process that opened them", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const request = { ...opening(account), watch }
      const { id } = request.delivery
      yield* store.open(request)
      expect(yield* store.close(closing(id, { refs: [id] }))).toMatchObject({
        delivery: { watch: { version: 1 } }
      })
      expect(yield* store.report(receipt(id))).toMatchObject({ delivery: { watch: { version: 2 } } })
      expect(yield* events("batched")).toEqual([...accepted, ...delivered])
      yield* expectSound(server.url, "batched")
    })
    await Effect.runPromise(processOn("batched")(program))
    expect(await callsOf("batched", "steps", "look_up")).toEqual([3, 0])
  })

  it("write each event once when another process has changed them in between", async () => {
    const program = Effect.gen(function* () {
      const layer = BuiltIn.layer({ url: server.url, schema: "stale" })
      const [here, there] = yield* Effect.map(Effect.all([Layer.build(layer), Layer.build(layer)]), (contexts) =>
        contexts.map((context) => Context.get(context, Store))
      )
      if (here === undefined || there === undefined) throw new Error("two processes have two stores")
      const account = yield* Effect.provideService(accountFor(1), Store, here)
      const request = { ...opening(account), watch }
      const { id } = request.delivery
      yield* here.open(request)
      yield* there.close(closing(id, { refs: [id] }))
      expect(yield* here.close(closing(id, { outcome: "rejected", refs: [id] }))).toMatchObject({ _tag: "Unchanged" })
      yield* there.report(receipt(id))
      expect(yield* here.report(receipt(id))).toMatchObject({ _tag: "Unchanged" })
      expect(yield* events("stale")).toEqual([...accepted, ...delivered])
      yield* expectSound(server.url, "stale")
    })
    await Effect.runPromise(Effect.scoped(program).pipe(processOn("stale")))
  })

  it("go to the step engine only near the threshold of a low balance", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(100)
      const balanceLow = { threshold: MicroEuros.make(50 * PRICE), endpoints: ["a"] }
      for (const many of [30, 30, 30])
        yield* atOnce(many, () => store.open({ ...opening(account), watch: { ...watch, balanceLow } }))
      const told = yield* Effect.promise(() => sql<{ event: string }>(server.url, `SELECT event FROM low.events`))
      expect(told.map(({ event }) => JSON.parse(event))).toMatchObject([
        { fact: { _tag: "BalanceLow", available: 49 * PRICE } }
      ])
    })
    await Effect.runPromise(processOn("low")(program))
    expect(await callsOf("low", "steps", "look_up")).toEqual([3, 1])
  })
})
