import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { cases } from "../../../test/verifications/races.ts"
import * as BuiltIn from "./builtIn.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start()
})

afterAll(() => server.stop())

const harness = {
  // Evaluated when a case runs: the server has its address then.
  store: () => BuiltIn.layer({ url: server.url, schema: "verifications", connections: 4 }),
  hasOwnClock: true
}

describe("verifications in PostgreSQL", () => {
  for (const { check, name } of cases(harness))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})
