import { cases } from "@watchword/bizchat/conformance"
import { businessChatSandbox } from "@watchword/sandbox/simulator"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Settings from "@watchword/store/Settings"
import { memory } from "@watchword/store/MemoryStore"
import * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { notification, receive } from "./whatsapp/notifications.ts"
import { whatsAppApi } from "@watchword/sandbox/http"

const numbers = { onPlatform: E164.make("+4915123456789"), notOnPlatform: E164.make("+4915123450003") }

describe("the sandbox", () => {
  const store = Layer.fresh(Layer.provideMerge(Settings.layer, memory()))
  const start = Effect.gen(function* () {
    const { gateway } = yield* Effect.provideContext(businessChatSandbox, yield* Layer.build(store))
    return { gateway, deliver: () => TestClock.adjust("5 seconds") }
  })
  for (const { name, check } of cases({ start, numbers })) {
    it(name, () => expect(Effect.runPromise(Effect.provide(check, TestClock.layer()))).resolves.toBeUndefined())
  }
})

describe("WhatsApp", () => {
  const start = Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => whatsAppApi({ script: { hasAccount: (to) => to !== numbers.notOnPlatform } })),
      (server) => Effect.promise(() => server.stop())
    )
    const gateway = yield* WhatsApp.make({
      token: Redacted.make("token"),
      phoneNumberId: "1",
      appSecret: Redacted.make("secret"),
      baseUrl: server.url()
    })
    const deliver = (ref: string) => {
      const event = notification([{ id: ref, status: "delivered", timestamp: "1700000000" }])
      // The platform repeats an event that was not answered 200.
      return receive(gateway, event).pipe(
        Effect.repeat({ until: ({ status }) => status === 200, times: 2 }),
        Effect.asVoid
      )
    }
    return { gateway, deliver }
  })
  for (const { name, check } of cases({ start, numbers }))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})
