import * as Conformance from "@watchword/store/conformance"
import { SqliteStore } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import { describe, it } from "vitest"
import { temporaryFile, withoutDelay } from "./fixtures.ts"

describe("SqliteStore", () => {
  for (const { check, name } of Conformance.cases(SqliteStore.manifest)) {
    it(name, () => Effect.runPromise(check(SqliteStore.layer({ filename: temporaryFile() }))))
  }
})

describe("a store whose rows go on at once", () => {
  for (const { check, name } of Conformance.cases(SqliteStore.manifest)) {
    it(name, () => Effect.runPromise(check(withoutDelay(temporaryFile()))))
  }
})
