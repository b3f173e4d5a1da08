import { cases } from "@watchword/store/conformance"
import { PostgresStore } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest"
import { Client } from "pg"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"

let server: PostgresServer
let client: Client

beforeAll(async () => {
  server = await start()
  client = new Client(server.url)
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await server.stop()
})

// Making a schema takes longer than most cases.
beforeEach(() =>
  client.query(
    `DO $$ DECLARE t text; BEGIN
       FOR t IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
         WHERE schemaname = 'cases' AND tablename <> 'watchword_migrations' ORDER BY tablename DESC
       LOOP EXECUTE 'DELETE FROM ' || t; END LOOP;
     END $$`
  )
)

const harness = (batch: number) => ({
  manifest: PostgresStore.manifest,
  store: () => PostgresStore.layer({ url: server.url, schema: "cases", connections: 4, batch })
})

describe("PostgresStore", () => {
  for (const { name, check } of cases(harness(512))) it(name, () => Effect.runPromise(check))
})

describe("PostgresStore, each step by itself", () => {
  const steps = cases(harness(1)).filter(({ name }) => /^(?:any|shared)\b/.test(name))
  for (const { name, check } of steps) it(name, () => Effect.runPromise(check))
})
