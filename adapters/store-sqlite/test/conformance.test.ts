import { cases } from "@watchword/store/conformance"
import { SqliteStore } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import { describe, it } from "vitest"
import { temporaryFile, withoutDelay } from "./fixtures.ts"

describe("SqliteStore", () => {
  const store = () => SqliteStore.layer({ filename: temporaryFile() })
  for (const { name, check } of cases({ manifest: SqliteStore.manifest, store })) {
    it(name, () => Effect.runPromise(check))
  }
})

describe("a store whose rows go on at once", () => {
  const store = () => withoutDelay(temporaryFile())
  for (const { name, check } of cases({ manifest: SqliteStore.manifest, store })) {
    it(name, () => Effect.runPromise(check))
  }
})
