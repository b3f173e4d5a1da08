import * as MemoryStore from "@watchword/store/MemoryStore"
import { cases } from "@watchword/store/conformance"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const harness = { manifest: MemoryStore.manifest, store: () => MemoryStore.layer }

describe("MemoryStore", () => {
  for (const { check, name } of cases(harness))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})
