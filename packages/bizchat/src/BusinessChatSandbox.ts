/**
 * The sandbox's business messaging platform. The number's last digits choose the scenario, see
 * `@watchword/send/SandboxNumber`; the delivery status follows a second after the outcome is on the record.
 */
import * as SandboxEvents from "@watchword/send/channel/SandboxEvents"
import { EventHub, type NotHandled } from "@watchword/send/gateway/EventHub"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import { refusalOf, scenarioOf } from "@watchword/send/SandboxNumber"
import type { Delivery } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { BusinessChatEvent, Service, TextMessage } from "./BusinessChatGateway.ts"

/** The platform, and the statuses that it makes again. */
export interface Sandbox extends Service {
  /** Gives the status of a record that is on its way to the handler of events. */
  readonly resume: (delivery: Delivery) => Effect.Effect<void, StoreError | NotHandled>
}

/** A text on its way. */
interface Sent {
  readonly ref: string
  readonly to: E164
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Sandbox, never, Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const hub = new EventHub<BusinessChatEvent, StoreError>()
  const publish = (sent: Sent) => Effect.suspend(() => hub.publish(eventOf(sent, clock.currentTimeMillisUnsafe())))
  const due = yield* SandboxEvents.make<Sent>({
    publish,
    offer: (sent, done) => hub.offer(eventOf(sent, clock.currentTimeMillisUnsafe()), done)
  })

  const predetermine = ({ delivery, to }: TextMessage): Predetermined => {
    const scenario = scenarioOf(to)
    const refusal = due.isFull() ? busy() : refusalOf(scenario, WORDS)
    if (refusal !== null) return predetermined(rejected(refusal))
    const ref = refOf(delivery)
    return predetermined(accepted([ref]), scenario === "silent" ? Effect.void : due.publish([{ ref, to }]))
  }

  const resume = ({ id, to }: Delivery) =>
    isE164(to) && scenarioOf(to) !== "silent" ? publish({ ref: refOf(id), to }) : Effect.void

  return {
    check: () => Effect.void,
    predetermine,
    resume,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([]),
    webhook: null
  }
})

const isE164 = Schema.is(E164)

const refOf = (delivery: DeliveryId): string => `sandbox-${delivery}`

const eventOf = ({ ref, to }: Sent, at: number): BusinessChatEvent => {
  const scenario = scenarioOf(to)
  const status = scenario === "undelivered" || scenario === "expired" ? "failed" : "delivered"
  return { ref, of: null, status, at: Math.floor(at / 1000), errorCode: null, notOnPlatform: false }
}

const busy = () =>
  new TemporaryUnavailable({ message: "The sandbox's messaging platform is too busy to take the text." })

const WORDS = { gateway: "messaging platform", noAccount: "The number is not on the messaging platform." }
