/**
 * The SIP gateway does what every gateway must.
 */
import { it } from "@effect/vitest"
import { type Fate, type Started, cases } from "@watchword/call/conformance"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"
import { describe } from "vitest"
import type { TestCall } from "./TestTrunk.ts"
import { startGateway, startTrunk } from "./fixture.ts"

const fates: { readonly [F in Fate]: (call: TestCall) => void } = {
  rings: (call) => call.respond(180),
  "is busy": (call) => call.respond(486),
  declines: (call) => call.respond(603),
  "cannot be reached": (call) => call.respond(480),
  answers: (call) => call.accept(),
  hangs: (call) => call.respond(100)
}

const start: Effect.Effect<Started, never, Scope> = Effect.gen(function* () {
  const trunk = yield* startTrunk()
  const gateway = startGateway(trunk.url(), {
    setupTimeout: "1 second",
    timers: { t1: 500, t2: 4000, t4: 200 }
  }).pipe(Effect.orDie)
  const open = () => trunk.calls.filter(({ finalStatus }) => finalStatus === 0)
  return {
    gateway: yield* gateway,
    restart: gateway,
    network: {
      next: (fate) =>
        Effect.sync(() => {
          trunk.behaviour.invite = fates[fate]
        }),
      placed: Effect.sync(() => trunk.calls.length),
      open: Effect.sync(() => open().length),
      pickUp: Effect.sync(() => open().forEach((call) => call.accept())),
      decline: Effect.sync(() => open().forEach((call) => call.respond(603)))
    }
  }
})

describe("the SIP gateway", () => {
  for (const { name, run } of cases({ start })) {
    it.live(name, () => Effect.provide(run, Logger.layer([])))
  }
})
