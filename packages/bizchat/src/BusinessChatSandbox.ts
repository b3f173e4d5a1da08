/**
 * The sandbox's business messaging platform: nothing is sent, every outcome on demand. The number's last
 * digits choose it, see `@watchword/send/SandboxNumber`; the delivery status follows a second after the outcome is
 * on the record.
 */
import { EventHub } from "@watchword/gateway/EventHub"
import { NotFound, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import * as Background from "@watchword/send/Background"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import { type Scenario, scenarioOf } from "@watchword/send/SandboxNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { BusinessChatEvent, Service, TextMessage } from "./BusinessChatGateway.ts"

const DELIVERY_DELAY = "1 second"

export interface Sandbox extends Service {
  /** What `send` would answer. */
  readonly predetermine: (message: TextMessage) => Predetermined
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Sandbox, never, Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const hub = new EventHub<BusinessChatEvent, StoreError>()

  const deliver = Effect.fnUntraced(function* (ref: string, scenario: Scenario) {
    yield* Effect.sleep(DELIVERY_DELAY)
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const status = scenario === "undelivered" || scenario === "expired" ? "failed" : "delivered"
    yield* Effect.retry(hub.publish({ ref, of: null, status, at, errorCode: null, notOnPlatform: false }), again)
  })

  const predetermine = (message: TextMessage): Predetermined => {
    const scenario = scenarioOf(message.to)
    const refusal = refusals[scenario]
    if (refusal !== undefined) return predetermined(rejected(refusal()))
    const ref = `sandbox-${message.delivery}`
    if (scenario === "silent") return predetermined(accepted([ref]))
    return predetermined(accepted([ref]), Background.fork(deliver(ref, scenario), scope))
  }

  return {
    check: () => Effect.void,
    predetermine,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    links: Effect.succeed([]),
    webhook: null
  }
})

const refusals: { readonly [F in Scenario]?: () => NotFound | TemporaryUnavailable | ServiceUnavailable } = {
  "no-account": () => new NotFound({ message: "The number is not on the messaging platform." }),
  "temporarily-unavailable": () =>
    new TemporaryUnavailable({ message: "The sandbox's messaging platform is unreachable for the moment." }),
  unavailable: () => new ServiceUnavailable({ message: "The sandbox's messaging platform is disconnected." })
}

const again = Schedule.spaced("1 second")
