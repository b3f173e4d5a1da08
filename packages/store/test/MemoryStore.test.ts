import { cases } from "@watchword/store/conformance"
import * as MemoryStore from "@watchword/store/MemoryStore"
import * as Effect from "effect/Effect"
import { describe, it } from "vitest"

describe("MemoryStore", () => {
  const harness = { manifest: MemoryStore.manifest, store: () => MemoryStore.layer }
  for (const { name, check } of cases(harness)) it(name, () => Effect.runPromise(check))
})
