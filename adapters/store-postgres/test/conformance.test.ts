import { cases } from "@watchword/store/conformance"
import { PostgresStore } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { sql } from "./fixtures.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start()
})

afterAll(() => server.stop())

// Making a schema takes longer than most cases.
beforeEach(() =>
  sql(
    server.url,
    `DO $$ DECLARE t text; BEGIN
       FOR t IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
         WHERE schemaname = 'cases' AND tablename <> 'watchword_version' ORDER BY tablename DESC
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
  const steps = cases(harness(1)).filter(({ name }) => /^(?:open|close|report|any|shared)\b/.test(name))
  for (const { name, check } of steps) it(name, () => Effect.runPromise(check))
})
