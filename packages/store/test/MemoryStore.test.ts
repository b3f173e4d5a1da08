import { manifest, memory } from "@watchword/store/MemoryStore"
import { cases } from "@watchword/store/conformance"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const harness = { manifest, store: () => memory() }

describe("MemoryStore", () => {
  for (const { check, name } of cases(harness))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})
