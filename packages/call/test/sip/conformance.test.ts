import { type Scenario, type Started, cases } from "@watchword/call/conformance"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"
import { describe, expect, it } from "vitest"
import type { TrunkCall } from "@watchword/sandbox/trunk"
import { startGateway, startTrunk } from "./fixture.ts"

const scenarios: { readonly [S in Scenario]: (call: TrunkCall) => void } = {
  rings: (call) => call.respond(180),
  "is busy": (call) => call.respond(486),
  declines: (call) => call.respond(603),
  "cannot be reached": (call) => call.respond(480),
  answers: (call) => call.accept(),
  hangs: (call) => call.respond(100)
}

const start: Effect.Effect<Started, Error, Scope> = Effect.gen(function* () {
  const trunk = yield* startTrunk()
  const gateway = startGateway(trunk.url(), {
    setupTimeout: "1 second",
    timers: { t1: 500, t2: 4000, t4: 200 }
  })
  const open = () => trunk.calls.filter(({ finalStatus }) => finalStatus === 0)
  return {
    gateway: yield* gateway,
    restart: gateway,
    network: {
      next: (scenario) =>
        Effect.sync(() => {
          trunk.script.invite = scenarios[scenario]
        }),
      placed: Effect.sync(() => trunk.calls.length),
      open: Effect.sync(() => open().length),
      pickUp: Effect.sync(() => open().forEach((call) => call.accept())),
      decline: Effect.sync(() => open().forEach((call) => call.respond(603)))
    }
  }
})

describe("the SIP gateway", () => {
  for (const { name, check } of cases({ start })) {
    it(name, () => expect(Effect.runPromise(Effect.provide(check, Logger.layer([])))).resolves.toBeUndefined())
  }
})
