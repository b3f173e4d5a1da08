import { cases } from "@watchword/store/conformance"
import { SqliteStore } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { temporaryFile } from "./fixtures.ts"

describe("SqliteStore", () => {
  const store = () => SqliteStore.layer({ filename: temporaryFile() })
  for (const { name, check } of cases({ manifest: SqliteStore.manifest, store })) {
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
  }
})
