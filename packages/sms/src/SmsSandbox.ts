/**
 * A simulated carrier for the sandbox. The last digits of a number choose the outcome, see
 * `@watchword/send/SandboxNumber`; a receipt for each part follows a second after the outcome is on the record.
 */
import * as SandboxEvents from "@watchword/send/channel/SandboxEvents"
import { EventHub, type NotHandled } from "@watchword/send/gateway/EventHub"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { SmsStatus } from "@watchword/schemas/Sms"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import { type Scenario, refusalOf, scenarioOf } from "@watchword/send/SandboxNumber"
import type { Delivery } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Message, Service, SmsEvent } from "./SmsGateway.ts"

/** The carrier, and the receipts that it makes again. */
export interface Sandbox extends Service {
  /** Gives the receipts of a record that has none yet to the handler of events. */
  readonly resume: (delivery: Delivery) => Effect.Effect<void, StoreError | NotHandled>
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Sandbox, never, Scope> = Effect.gen(function* () {
  const hub = new EventHub<SmsEvent, StoreError>()
  const due = yield* SandboxEvents.make(hub)

  const predetermine = (message: Message): Predetermined => {
    const scenario = scenarioOf(message.to)
    const refusal = due.isFull() ? busy() : refusalOf(scenario, WORDS)
    if (refusal !== null) return predetermined(rejected(refusal))
    const refs = refsOf(message.delivery, message.text.parts.length)
    if (scenario === "silent") return predetermined(accepted(refs))
    return predetermined(accepted(refs), due.publish(receiptsOf(message, refs)))
  }

  const resume = ({ id, parts, reference, to }: Delivery) => {
    if (!isE164(to) || scenarioOf(to) === "silent") return Effect.void
    const events = receiptsOf({ to, reference: reference ?? 0 }, refsOf(id, parts))
    return Effect.forEach(events, (event) => hub.publish(event), { discard: true })
  }

  return {
    predetermine,
    resume,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([])
  }
})

const isE164 = Schema.is(E164)

const refsOf = (delivery: DeliveryId, parts: number): ReadonlyArray<string> =>
  Array.from({ length: parts }, (_, index) => `sandbox-${delivery}-${index + 1}`)

interface Receipt {
  readonly status: SmsStatus
  readonly carrierStatus: string
}

const delivered: Receipt = { status: "delivered", carrierStatus: "DELIVRD" }

const receipts: { readonly [S in Scenario]?: Receipt } = {
  undelivered: { status: "undelivered", carrierStatus: "UNDELIV" },
  expired: { status: "undelivered", carrierStatus: "EXPIRED" }
}

const busy = () => new TemporaryUnavailable({ message: "The sandbox's carrier is too busy to take the message." })

const WORDS = { gateway: "carrier" }

const receiptsOf = ({ reference, to }: Pick<Message, "to" | "reference">, refs: ReadonlyArray<string>) => {
  const receipt = receipts[scenarioOf(to)] ?? delivered
  return refs.map((ref): SmsEvent => ({ _tag: "Receipt", refs: [ref], to, reference, ...receipt, carrierError: null }))
}
