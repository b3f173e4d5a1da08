/**
 * Audits a store in use: the audit sees one moment, and no step waits.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { memory } from "@watchword/store/MemoryStore"
import { Snapshots } from "@watchword/store/Snapshots"
import { Store } from "@watchword/store/Store"
import { PostgresStore } from "@watchword/store-postgres"
import { SqliteStore, sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { audit } from "../../src/insight/Audit.ts"
import { AT, accountFor, ending, opening } from "../../../../test/stores/fixtures.ts"
import { type PostgresServer, start } from "../../../../test/PostgresServer.ts"

const folder = mkdtempSync(join(tmpdir(), "watchword-audit-"))
const file = join(folder, "store.db")
let server: PostgresServer

beforeAll(async () => {
  server = await start()
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const stores = {
  memory,
  SQLite: () => Layer.provideMerge(SqliteStore.snapshots(file), sqlite(file)),
  PostgreSQL: () => {
    const options = { url: server.url, schema: "audited" }
    return Layer.provideMerge(PostgresStore.snapshots(options), PostgresStore.layer({ ...options, connections: 4 }))
  }
}

/** More than a page of each stream. */
const SENDS = 1_200

const sends = (account: Parameters<typeof opening>[0], count: number) =>
  Effect.flatMap(Store, (store) =>
    Effect.forEach(
      Array.from({ length: count }, () => nextDeliveryId(AT)),
      (id) =>
        store.open({
          ...opening(account, { id }),
          close: ending("accepted", id),
          watch: { endpoints: ["whk_1"] }
        }),
      { concurrency: 100, discard: true }
    )
  )

describe.each(Object.entries(stores))("audit in %s", (_, store) => {
  it("reads pages of one moment while sends go on", () =>
    Effect.gen(function* () {
      const account = yield* accountFor(SENDS * 3)
      yield* sends(account, SENDS)
      const [report] = yield* Effect.all([audit, sends(account, SENDS)], { concurrency: 2 })
      expect(report).toMatchObject({ ok: true, violations: [] })
      expect(report.checked.deliveries).toBeGreaterThanOrEqual(SENDS)
      const after = yield* audit
      expect(after).toMatchObject({ ok: true, checked: { accounts: 1, deliveries: 2 * SENDS } })
    }).pipe(Effect.provide(Layer.provideMerge(store(), ChannelRegistry.layerBuiltIn)), Effect.runPromise))

  it("does not see what is written after the snapshot", () =>
    Effect.gen(function* () {
      const account = yield* accountFor(10)
      const { take } = yield* Snapshots
      const count = yield* Effect.scoped(
        Effect.gen(function* () {
          const snapshot = yield* take
          yield* sends(account, 5)
          return yield* Stream.runCount(Stream.filter(snapshot.deliveries, (row) => row.account === account))
        })
      )
      expect(count).toBe(0)
    }).pipe(Effect.provide(Layer.provideMerge(store(), ChannelRegistry.layerBuiltIn)), Effect.runPromise))
})
