/** A Worker that runs one case of the suite a request, each on empty tables. */
import { cases } from "@watchword/store/conformance"
import { type D1Database, D1Store, migrate } from "@watchword/store-d1"
import * as Effect from "effect/Effect"
import { migrations } from "../src/schema.ts"
import { unreliable } from "./unreliable.ts"

export default {
  async fetch(request: Request, { DB }: { readonly DB: D1Database }): Promise<Response> {
    const name = await request.text()
    const db = new URL(request.url).pathname === "/unreliable" ? unreliable(DB) : DB
    const harness = { manifest: D1Store.manifest, store: () => D1Store.d1(db) }
    const found = cases(harness).find((each) => each.name === name)
    if (found === undefined) return new Response("no such case", { status: 404 })
    try {
      await migrate(DB)
      await empty(DB)
      await Effect.runPromise(found.check)
      return new Response()
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 })
    }
  }
}

const tables = migrations.flatMap(({ statements }) =>
  statements.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? [])
)

const empty = async (db: D1Database): Promise<void> => {
  await db.batch(tables.toReversed().map((table) => db.prepare(`DELETE FROM ${table}`)))
}
