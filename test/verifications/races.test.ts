import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { memory } from "@watchword/store/MemoryStore"
import { sqlite } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cases } from "./races.ts"

describe("verifications in memory", () => {
  for (const { check, name } of cases({ store: () => memory(), hasOwnClock: false })) {
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
  }
})

/** A file that is gone when the layer closes. */
const file = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "watchword-races-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => Layer.provide(sqlite(join(folder, "store.db")), ChannelRegistry.layerBuiltIn)
  )
)

describe("verifications in SQLite", () => {
  for (const { check, name } of cases({ store: () => file, hasOwnClock: false }))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})
