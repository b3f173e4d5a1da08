import * as Conformance from "@watchword/store/conformance"
import * as MemoryStore from "@watchword/store/MemoryStore"
import * as Effect from "effect/Effect"
import { describe, it } from "vitest"

describe("MemoryStore", () => {
  for (const { check, name } of Conformance.cases(MemoryStore.manifest)) {
    it(name, () => Effect.runPromise(check(MemoryStore.layer)))
  }
})
