/**
 * The sandbox's network of a channel whose messages have their outcome when they are sent. The phone of a number
 * chooses it, and without one its last digits do, see `Outcomes.ts`; receipts and statuses follow a second after the
 * outcome is on the record, or when the phone says.
 */
import type { Gateway, Sends } from "@watchword/send/channel/Gateways"
import { EventHub } from "@watchword/send/gateway"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { CallEvent, MessageEvent, PhoneSettings } from "@watchword/schemas/SandboxPhone"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import type { Stage } from "@watchword/send/Send"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as LaterEvents from "../simulator/LaterEvents.ts"
import { type Fate, kept, receive, receptionOf, unhandled, wait } from "../simulator/Receptions.ts"
import { type Scenario, type Words, outcomeOnPhone, refusalOf, scenarioOf } from "../simulator/Outcomes.ts"
import * as Stages from "../simulator/Stages.ts"

/** How a message ends. */
export type End = Fate | "expired"

/** A message that has no record yet, or has one. */
export type Target = Pick<Delivery, "id" | "to" | "parts" | "reference">

interface Texts<M, Notice, Event, G> {
  readonly product: "sms" | "bizchat"
  readonly words: Words
  /** The error that a sender reads if the network is busy. */
  readonly busy: string
  readonly targetOf: (message: M) => Target
  /** The network's ids of a message's parts. */
  readonly refsOf: (target: Target) => ReadonlyArray<string>
  /** The network's later reports on a message with this outcome. */
  readonly noticesOf: (target: Target, end: End) => ReadonlyArray<Notice>
  /** @param now milliseconds since the epoch */
  readonly eventOf: (notice: Notice, now: number) => Event
  /** The events that may follow a status; the followers of `sent` are all statuses. */
  readonly followers: Readonly<Record<string, ReadonlyArray<MessageEvent>>>
  readonly gatewayOf: (network: Required<Sends<M>> & Pick<Gateway<Event>, "events" | "health">) => G
}

/** A network that lives as long as the scope. */
export const make = Effect.fnUntraced(function* <M extends { readonly to: E164 }, Notice, Event, G>({
  busy,
  eventOf,
  followers,
  gatewayOf,
  noticesOf,
  product,
  refsOf,
  targetOf,
  words
}: Texts<M, Notice, Event, G>): Effect.fn.Return<Stage<G>, never, Settings | Store | Scope> {
  const clock = yield* Clock.Clock
  const hub = new EventHub<Event, StoreError>()
  const publish = (notice: Notice) =>
    Effect.suspend(() => hub.publish(eventOf(notice, clock.currentTimeMillisUnsafe())))
  const due = yield* LaterEvents.make<Notice>({
    publish,
    offer: (notice, done) => hub.offer(eventOf(notice, clock.currentTimeMillisUnsafe()), done)
  })
  const tooBusy = () => predetermined(rejected(new TemporaryUnavailable({ message: busy })))

  const byNumber = (message: M): Predetermined => {
    const target = targetOf(message)
    const scenario = scenarioOf(message.to)
    if (due.isFull()) return tooBusy()
    const refusal = refusalOf(scenario, words)
    if (refusal !== null) return predetermined(rejected(refusal))
    const later = scenario === "silent" ? Effect.void : due.publish(noticesOf(target, endOf(scenario)))
    return predetermined(accepted(refsOf(target)), later)
  }

  const report = (delivery: Delivery, end: End) =>
    Effect.mapError(Effect.forEach(noticesOf(delivery, end), publish, { discard: true }), unhandled)

  const waiting = yield* wait(product, report)

  const resume = (delivery: Delivery) => {
    if (receptionOf(delivery) !== null) return waiting.resume(delivery)
    const scenario = isE164(delivery.to) ? scenarioOf(delivery.to) : "silent"
    return scenario === "silent" ? Effect.void : report(delivery, endOf(scenario))
  }

  const byPhone =
    (phone: PhoneSettings) =>
    (message: M): Predetermined => {
      if (due.isFull() || waiting.isFull()) return tooBusy()
      const outcome = outcomeOnPhone[product](phone)
      const refusal = refusalOf(outcome, words)
      if (refusal !== null) return predetermined(rejected(refusal))
      const fate = outcome === "undelivered" || outcome === "read" ? outcome : "delivered"
      const target = targetOf(message)
      const reception = receive(phone, fate, clock.currentTimeMillisUnsafe(), outcome === "late" ? delayOf(phone) : 0)
      const refs = refsOf(target)
      const [ref = ""] = refs
      const isAtOnce = reception.dueAt !== null && !reception.isKept
      const later = isAtOnce ? due.publish(noticesOf(target, fate)) : waiting.afterwards(ref, reception)
      return predetermined(accepted(refs, kept(reception)), later)
    }

  const through = (predetermine: (message: M) => Predetermined): G =>
    gatewayOf({
      predetermine,
      send: (message) => answered(predetermine(message)),
      events: (handle) => hub.subscribe(handle),
      health: Effect.succeed([])
    })

  return yield* Stages.make({
    product,
    gateway: through(byNumber),
    onPhone: (phone) => through(byPhone(phone)),
    network: {
      events: followers["sent"] ?? [],
      accepts: ({ status }) => followers[status.name] ?? [],
      post: (delivery, event) => report(delivery, endBy(event)),
      settle: waiting.settle
    },
    catchUp: { statuses: ["sent"], within: "1 minute", resume }
  })
})

const isE164 = Schema.is(E164)

const endOf = (scenario: Scenario): End =>
  scenario === "undelivered" || scenario === "expired" ? scenario : "delivered"

const endBy = (event: MessageEvent | CallEvent): End => {
  if (event === "failed") return "undelivered"
  return event === "read" ? "read" : "delivered"
}

const delayOf = ({ sms }: PhoneSettings): number => (typeof sms === "string" ? 0 : sms.delay * 1000)
