import * as Conformance from "@watchword/store/conformance"
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

const store = (batch: number) => PostgresStore.layer({ url: server.url, schema: "cases", connections: 4, batch })

describe("PostgresStore", () => {
  for (const { check, name } of Conformance.cases(PostgresStore.manifest)) {
    it(name, () => Effect.runPromise(check(store(512))))
  }
})

describe("PostgresStore, each step by itself", () => {
  const steps = Conformance.cases(PostgresStore.manifest).filter(({ name }) =>
    /^(?:open|close|report|any|shared)\b/.test(name)
  )
  for (const { check, name } of steps) {
    it(name, () => Effect.runPromise(check(store(1))))
  }
})
