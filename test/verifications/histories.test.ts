/**
 * The model check of verifications: `HISTORIES=5000 npx vitest run test/verifications/histories` for many more.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { makeMemory } from "@watchword/store/MemoryStore"
import { type Service as SnapshotService, Snapshots } from "@watchword/store/Snapshots"
import { Store } from "@watchword/store/Store"
import { SqliteStore, sqlite } from "@watchword/store-sqlite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { history, play } from "./histories.ts"
import { makeWorld } from "./world.ts"

const numRuns = Number(process.env["HISTORIES"] ?? 60)

const playOn = (store: Store["Service"], snapshots: SnapshotService) => (steps: Parameters<typeof play>[1]) =>
  makeWorld(store, { credit: 1, snapshots }).then((world) => play(world, steps).finally(world.end))

describe("any history of a verification keeps its budgets, its one approval and its money", () => {
  it("in memory", () => {
    // Each history has a store of its own.
    const property = fc.asyncProperty(history, (steps) => {
      const store = makeMemory()
      return playOn(store, store.snapshots)(steps)
    })
    return expect(fc.assert(property, { numRuns })).resolves.toBeUndefined()
  }, 600_000)

  it("in SQLite", async () => {
    const folder = mkdtempSync(join(tmpdir(), "watchword-histories-"))
    const program = Effect.gen(function* () {
      const file = join(folder, "store.db")
      const services = yield* Layer.build(
        Layer.provide(Layer.merge(sqlite(file), SqliteStore.snapshots(file)), ChannelRegistry.layerBuiltIn)
      )
      const property = fc.asyncProperty(history, playOn(Context.get(services, Store), Context.get(services, Snapshots)))
      return yield* Effect.promise(() => fc.assert(property, { numRuns: Math.ceil(numRuns / 6) }))
    })
    const played = Effect.runPromise(Effect.scoped(program)).finally(() => rmSync(folder, { recursive: true }))
    await expect(played).resolves.toBeUndefined()
  }, 600_000)
})
