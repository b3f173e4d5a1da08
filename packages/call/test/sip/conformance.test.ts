import { type Scenario, type Started, cases } from "@watchword/call/conformance"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"
import { describe, expect, it } from "vitest"
import type { TrunkCall } from "@watchword/sandbox/trunk"
import { freePort } from "../../../../test/freePort.ts"
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
  const port = yield* Effect.promise(freePort)
  const options = { setupTimeout: "1 second", timers: { t1: 500, t2: 4000, t4: 200 } } as const
  const url = trunk.url("keepalive=0;receives=+493023125000")
  const first = startGateway(url, { ...options, listen: { host: "127.0.0.1", port } })
  const next = startGateway(url, options)
  const open = () => trunk.calls.filter(({ finalStatus }) => finalStatus === 0)
  return {
    gateway: yield* first,
    restart: next,
    network: {
      next: (scenario) =>
        Effect.sync(() => {
          trunk.script.invite = scenarios[scenario]
        }),
      placed: Effect.sync(() => trunk.calls.length),
      open: Effect.sync(() => open().length),
      pickUp: Effect.sync(() => open().forEach((call) => call.accept())),
      call: (from, to) =>
        Effect.map(
          Effect.promise(() => trunk.call({ from, to, at: { host: "127.0.0.1", port } })),
          (call) => ({ isRefused: Effect.sync(() => call.status >= 400) })
        ),
      decline: Effect.sync(() => open().forEach((call) => call.respond(603)))
    }
  }
})

describe("the SIP gateway", () => {
  for (const { name, check } of cases({ start })) {
    it(name, () => expect(Effect.runPromise(Effect.provide(check, Logger.layer([])))).resolves.toBeUndefined())
  }
})
