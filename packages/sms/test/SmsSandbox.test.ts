import { E164 } from "@watchword/schemas/PhoneNumber"
import { smsSandbox } from "@watchword/sandbox/simulator"
import * as Settings from "@watchword/store/Settings"
import { cases } from "@watchword/sms/conformance"
import { memory } from "@watchword/store/MemoryStore"
import * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const numbers = {
  delivered: E164.make("+4915123456789"),
  undelivered: E164.make("+4915123450002"),
  refused: E164.make("+4915123450480"),
  silent: null,
  late: null
}

// Each case waits for receipts of a gateway of its own.
describe.concurrent("the sandbox as a gateway", () => {
  const store = Layer.fresh(Layer.provideMerge(Settings.layer, memory()))
  const start = Effect.gen(function* () {
    const { gateway } = yield* Effect.provideContext(smsSandbox, yield* Layer.build(store))
    return { gateway }
  })
  for (const { name, check } of cases({ start, numbers }))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})
