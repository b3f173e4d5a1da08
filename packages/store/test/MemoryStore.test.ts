import * as MemoryStore from "@watchword/store/MemoryStore"
import { cases } from "@watchword/store/conformance"
import * as Effect from "effect/Effect"
import { describe, it } from "vitest"

const harness = { manifest: MemoryStore.manifest, store: () => MemoryStore.layer }

describe("MemoryStore", () => {
  for (const { check, name } of cases(harness)) it(name, () => Effect.runPromise(check))
})
