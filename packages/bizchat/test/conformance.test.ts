import { conformance } from "@watchword/bizchat/conformance"
import * as BusinessChatSandbox from "@watchword/bizchat/sandbox"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { notification, receive, startWhatsApp } from "./whatsapp/server.ts"

const numbers = { onPlatform: E164.make("+4915123456789"), notOnPlatform: E164.make("+4915123450003") }

conformance("of the sandbox", async () => {
  const runtime = ManagedRuntime.make(TestClock.layer())
  const scope = Scope.makeUnsafe()
  return {
    ...numbers,
    gateway: await runtime.runPromise(Scope.provide(BusinessChatSandbox.make, scope)),
    run: (effect) => runtime.runPromise(effect),
    deliver: () => runtime.runPromise(TestClock.adjust("5 seconds")),
    close: async () => {
      await runtime.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
})

conformance("of WhatsApp", async () => {
  const server = await startWhatsApp()
  const scope = Scope.makeUnsafe()
  const gateway = await Effect.runPromise(
    Scope.provide(
      WhatsApp.make({
        token: Redacted.make("token"),
        phoneNumberId: "1",
        appSecret: Redacted.make("secret"),
        baseUrl: server.url
      }),
      scope
    )
  )
  return {
    ...numbers,
    gateway,
    run: (effect) => Effect.runPromise(effect),
    deliver: (ref) => {
      const told = notification([{ id: ref, status: "delivered", timestamp: "1700000000" }])
      // The platform says again what was not answered 200.
      return Effect.runPromise(
        receive(gateway, told).pipe(Effect.repeat({ until: ({ status }) => status === 200, times: 2 }), Effect.asVoid)
      )
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await server.close()
    }
  }
})
