/**
 * The sandbox's business messaging platform. The number's last digits choose the scenario, see
 * `@watchword/send/SandboxNumber`; the delivery status follows a second after the outcome is on the record.
 */
import { EventHub } from "@watchword/gateway/EventHub"
import * as Background from "@watchword/send/Background"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import { type Scenario, refusalOf, scenarioOf } from "@watchword/send/SandboxNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { type BusinessChatEvent, BusinessChatGateway, type Service, type TextMessage } from "./BusinessChatGateway.ts"

const DELIVERY_DELAY = "1 second"
const RETRIED_EVERY = Schedule.spaced("1 second")

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const hub = new EventHub<BusinessChatEvent, StoreError>()

  const deliver = Effect.fnUntraced(function* (ref: string, scenario: Scenario) {
    yield* Effect.sleep(DELIVERY_DELAY)
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const status = scenario === "undelivered" || scenario === "expired" ? "failed" : "delivered"
    const event = { ref, of: null, status, at, errorCode: null, notOnPlatform: false } as const
    yield* Effect.retry(hub.publish(event), RETRIED_EVERY)
  })

  const predetermine = (message: TextMessage): Predetermined => {
    const scenario = scenarioOf(message.to)
    const refusal = refusalOf(scenario, WORDS)
    if (refusal !== null) return predetermined(rejected(refusal))
    const ref = `sandbox-${message.delivery}`
    if (scenario === "silent") return predetermined(accepted([ref]))
    return predetermined(accepted([ref]), Background.fork(deliver(ref, scenario), scope))
  }

  return BusinessChatGateway.of({
    check: () => Effect.void,
    predetermine,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([]),
    webhook: null
  })
})

const WORDS = { gateway: "messaging platform", noAccount: "The number is not on the messaging platform." }
