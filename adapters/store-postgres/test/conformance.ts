/**
 * The suite of stores on a server, for tests of its versions and of poolers.
 */
import { cases } from "@watchword/store/conformance"
import { PostgresStore } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"

export interface Reached {
  /** The server itself. */
  readonly direct: string
  /** The server, or a pooler before it. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Declares the suite under a name. */
export const conforms = (name: string, open: () => Promise<Reached>): void => {
  describe(name, () => {
    let reached: Reached
    let client: Client

    beforeAll(async () => {
      reached = await open()
      client = new Client(reached.direct)
      await client.connect()
    })

    afterAll(async () => {
      await client.end()
      await reached.stop()
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
      store: () => {
        const { direct, url } = reached
        return PostgresStore.layer({ url, direct, schema: "cases", connections: 4, batch })
      }
    })

    for (const { name, check } of cases(harness(512)))
      it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())

    describe("each step by itself", () => {
      const steps = cases(harness(1)).filter(({ name }) => /^(?:any|shared)\b/.test(name))
      for (const { name, check } of steps) it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
    })
  })
}
