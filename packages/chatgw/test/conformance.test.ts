import * as ChatSandbox from "@watchword/chatgw/sandbox"
import { conformance } from "@watchword/chatgw/conformance"
import * as Telegram from "@watchword/chatgw/telegram"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as MemoryStore from "@watchword/store/MemoryStore"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { recorded } from "./recorded.ts"
import { startTelegram } from "./telegram/server.ts"

const numbers = { withAccount: E164.make("+4915123456789"), withoutAccount: E164.make("+4915123450003") }

conformance("of the sandbox", async () => {
  const runtime = ManagedRuntime.make(Layer.merge(TestClock.layer(), MemoryStore.layer))
  const scope = Scope.makeUnsafe()
  return {
    ...numbers,
    gateway: await runtime.runPromise(Effect.flatMap(Scope.provide(ChatSandbox.make, scope), recorded)),
    run: (effect) => runtime.runPromise(effect),
    elapse: (seconds) => runtime.runPromise(TestClock.adjust(`${seconds} seconds`)),
    close: async () => {
      await runtime.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
})

conformance("of Telegram", async () => {
  const server = await startTelegram({ token: "token" })
  const scope = Scope.makeUnsafe()
  const telegram = Telegram.make({ token: Redacted.make("token"), baseUrl: server.url })
  const gateway = await Effect.runPromise(Scope.provide(telegram, scope))
  return {
    ...numbers,
    gateway,
    run: (effect) => Effect.runPromise(effect),
    elapse: async (seconds) => server.elapse(seconds),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await server.close()
    }
  }
})
