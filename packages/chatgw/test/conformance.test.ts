import { cases } from "@watchword/chatgw/conformance"
import { chatSandbox } from "@watchword/sandbox/simulator"
import * as Telegram from "@watchword/chatgw/telegram"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Settings from "@watchword/store/Settings"
import { memory } from "@watchword/store/MemoryStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { recorded } from "./recorded.ts"
import { telegramApi } from "@watchword/sandbox/http"

const numbers = { withAccount: E164.make("+4915123456789"), withoutAccount: E164.make("+4915123450003") }

describe("the sandbox", () => {
  const start = Effect.gen(function* () {
    const store = yield* Layer.build(Layer.provideMerge(Settings.layer, memory()))
    const gateway = yield* Effect.provide(
      Effect.flatMap(chatSandbox, ({ gateway }) => recorded(gateway)),
      store
    )
    return { gateway, elapse: TestClock.adjust }
  })
  for (const { name, check } of cases({ start, numbers })) {
    it(name, () => expect(Effect.runPromise(Effect.provide(check, TestClock.layer()))).resolves.toBeUndefined())
  }
})

describe("Telegram", () => {
  const start = Effect.gen(function* () {
    let now = 1_700_000_000
    const server = yield* Effect.acquireRelease(
      Effect.promise(() =>
        telegramApi({ now: () => now, script: { hasAccount: (to) => to !== numbers.withoutAccount } })
      ),
      (server) => Effect.promise(() => server.stop())
    )
    const gateway = yield* Telegram.make({ token: Redacted.make("token"), baseUrl: server.url() })
    return {
      gateway,
      elapse: (time: Duration.Input) => Effect.sync(() => void (now += Duration.toSeconds(time)))
    }
  })
  for (const { name, check } of cases({ start, numbers }))
    it(name, () => expect(Effect.runPromise(check)).resolves.toBeUndefined())
})
