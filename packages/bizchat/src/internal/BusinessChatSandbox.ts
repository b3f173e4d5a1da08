/**
 * The sandbox's business messaging platform. The phone of a number chooses the scenario, and without one its last digits do,
 * see `@watchword/send/sandbox`; the delivery status follows a second after the outcome is on the record, or when the
 * phone says.
 */
import type { OnPhones } from "@watchword/send/channel/Gateways"
import {
  type Fate,
  type Network,
  type Scenario,
  keptDetails,
  makeSandboxEvents,
  receiveOnPhone,
  receptionOf,
  refusalOf,
  scenarioOf,
  unhandled,
  waitForPhones
} from "@watchword/send/sandbox"
import { EventHub } from "@watchword/send/gateway"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { BusinessChatStatus } from "@watchword/schemas/BusinessChat"
import type { MessageEvent, PhoneSettings } from "@watchword/schemas/SandboxPhone"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { BusinessChatEvent, Service, TextMessage } from "../BusinessChatGateway.ts"

/** The platform, and the statuses that it makes again. */
export interface Sandbox extends Service, OnPhones<Service> {
  /** Gives the status of a record that is on its way to the handler of events. */
  readonly resume: (delivery: Delivery) => Effect.Effect<void, StoreError>
  readonly network: Network
}

/** A text on its way. */
interface Sent {
  readonly ref: string
  readonly status: BusinessChatStatus
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Sandbox, never, Settings | Store | Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const hub = new EventHub<BusinessChatEvent, StoreError>()
  const publish = (sent: Sent) => Effect.suspend(() => hub.publish(eventOf(sent, clock.currentTimeMillisUnsafe())))
  const due = yield* makeSandboxEvents<Sent>({
    publish,
    offer: (sent, done) => hub.offer(eventOf(sent, clock.currentTimeMillisUnsafe()), done)
  })

  const predetermine = ({ delivery, to }: TextMessage): Predetermined => {
    const scenario = scenarioOf(to)
    const refusal = due.isFull() ? busy() : refusalOf(scenario, WORDS)
    if (refusal !== null) return predetermined(rejected(refusal))
    const ref = refOf(delivery)
    const later = scenario === "silent" ? Effect.void : due.publish([{ ref, status: statusOf(scenario) }])
    return predetermined(accepted([ref]), later)
  }

  const report = ({ id }: Delivery, status: BusinessChatStatus) =>
    Effect.mapError(publish({ ref: refOf(id), status }), unhandled)

  const waiting = yield* waitForPhones("bizchat", (delivery, fate) => report(delivery, statusAt(fate)))

  const resume = (delivery: Delivery) => {
    if (receptionOf(delivery) !== null) return waiting.resume(delivery)
    const scenario = isE164(delivery.to) ? scenarioOf(delivery.to) : "silent"
    return scenario === "silent" ? Effect.void : report(delivery, statusOf(scenario))
  }

  const toPhone =
    (phone: PhoneSettings) =>
    ({ delivery }: TextMessage): Predetermined => {
      if (due.isFull() || waiting.isFull()) return predetermined(rejected(busy()))
      const absent = refusalOf(phone.bizchat === "none" ? "no-account" : "delivered", WORDS)
      if (absent !== null) return predetermined(rejected(absent))
      const ref = refOf(delivery)
      const fate = phone.bizchat === "read" ? "read" : "delivered"
      const reception = receiveOnPhone(phone, fate, clock.currentTimeMillisUnsafe())
      const later = reception.dueAt === null ? waiting.afterwards(ref, reception) : due.publish([{ ref, status: fate }])
      return predetermined(accepted([ref], keptDetails(reception)), later)
    }

  const through = (predetermine: (message: TextMessage) => Predetermined): Service => ({
    check: () => Effect.void,
    predetermine,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([]),
    webhook: null
  })

  return {
    ...through(predetermine),
    onPhone: (phone) => through(toPhone(phone)),
    resume,
    network: {
      events: ["delivered", "read", "failed"],
      accepts: ({ status }) => followers[status.name] ?? [],
      post: (delivery, event) => report(delivery, event === "read" || event === "failed" ? event : "delivered"),
      settle: waiting.settle
    }
  }
})

const isE164 = Schema.is(E164)

const refOf = (delivery: DeliveryId): string => `sandbox-${delivery}`

const statusOf = (scenario: Scenario): BusinessChatStatus =>
  scenario === "undelivered" || scenario === "expired" ? "failed" : "delivered"

const statusAt = (fate: Fate): BusinessChatStatus => (fate === "undelivered" ? "failed" : fate)

/** The events that follow a status. */
const followers: Readonly<Record<string, ReadonlyArray<MessageEvent>>> = {
  sent: ["delivered", "read", "failed"],
  delivered: ["read"]
}

const eventOf = ({ ref, status }: Sent, at: number): BusinessChatEvent => ({
  ref,
  of: null,
  status,
  at: Math.floor(at / 1000),
  errorCode: null,
  notOnPlatform: false
})

const busy = () =>
  new TemporaryUnavailable({ message: "The sandbox's messaging platform is too busy to take the text." })

const WORDS = { gateway: "messaging platform", noAccount: "The number is not on the messaging platform." }
