/**
 * An SMS gateway that is composed of others, the carriers, each with a name.
 *
 * A message leaves over one of the carriers that its route has for it. Another is asked only where the one before
 * certainly did not take the message; then the whole of it, so that all parts of a text leave over one carrier.
 */
import { EventHub, type Webhook, respond } from "@watchword/send/gateway"
import { type Outcome, rejected } from "@watchword/send/Outcome"
import {
  type Carrier,
  type Costs,
  type Fleet,
  type InForce,
  type Opening as OpeningOf,
  type Setup as SetupOf,
  type Terms,
  carrierAnswered,
  carrierRef,
  carriersHealth,
  carriersRehearsal,
  carriersRouting,
  handOver,
  makeFleet,
  noRoute,
  ofNoAccount,
  provenDetails,
  recordedOutcome,
  settledOutcome
} from "@watchword/send/routes"
import { StoreError } from "@watchword/store/StoreError"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { type Message, type Service, type SmsEvent, SmsGateway } from "../../SmsGateway.ts"
import { lifetime } from "../Lifetime.ts"
import { tlvsOf } from "../Tlvs.ts"

export type Opening<E> = OpeningOf<SmsGateway, E>
export type Setup<E> = SetupOf<SmsGateway, E>

export interface Composition<in out E> extends Pick<Fleet<Service, SmsGateway, E>, "replace"> {
  readonly service: Service
}

/** Milliseconds that a message may wait to be written. */
const DEADLINE = 10_000

/**
 * Carriers that live as long as the scope.
 *
 * @param isReloadable whether there may be another setup later, with carriers that call back
 */
export const make = Effect.fnUntraced(function* <E>(
  first: Setup<E>,
  isReloadable = false
): Effect.fn.Return<Composition<E>, E, Scope> {
  const hub = new EventHub<SmsEvent, StoreError>()
  const { current, replace } = yield* makeFleet(SmsGateway, first, {
    attach: (name, gateway) => {
      const costs = (): Costs | null => current().carriers.get(name)?.costs ?? null
      return gateway.events((event) => Effect.mapError(hub.publish(eventOf(name, event, costs)), unhandled))
    },
    // A gateway answers its requests in flight when it closes.
    settled: () => Effect.void
  })
  const routing = carriersRouting(current)

  const ask = (message: Message, name: string, patience: number): Effect.Effect<Outcome> => {
    const carrier = current().carriers.get(name)
    if (carrier === undefined) return Effect.succeed(rejected(noRoute()))
    return Effect.flatMap(carrier.gateway.send({ ...message, patience }), (outcome) =>
      carrierAnswered(carrier, message.to, outcome)
    )
  }

  /** Asks the carriers of a message that names its own, which the channel has chosen beforehand. */
  const sendBy = (message: Message, carriers: ReadonlyArray<string>): Effect.Effect<Outcome> => {
    const { text, to } = message
    const deadline = Math.min(DEADLINE, lifetime(message) * 1000)
    const handed = handOver({ carriers, deadline, ask: (name, patience) => ask(message, name, patience) })
    const about = { to, units: text.parts.length, isOnlyOne: carriers.length === 1 }
    return Effect.map(handed, (handed) => recordedOutcome(handed, current(), about))
  }

  const send = (message: Message): Effect.Effect<Outcome> => {
    if (message.carriers != null) return sendBy(message, message.carriers)
    return Effect.flatMap(routing.way(ofNoAccount(message.to)), ({ carriers, terms }) =>
      sendBy(withTerms(message, terms), carriers)
    )
  }

  const service: Service = {
    send: (message) => Effect.uninterruptible(send(message)),
    events: (handle) => hub.subscribe(handle),
    ...(isReloadable || numbersOf(current()).length > 0 ? { receives: () => numbersOf(current()) } : {}),
    health: carriersHealth(current),
    rehearsal: carriersRehearsal(current),
    webhook: isReloadable || [...current().carriers.values()].some(callsBack) ? webhookOf(current) : null,
    routing
  }
  return { service, replace }
})

const withTerms = (message: Message, { tlvs, ttl }: Terms): Message => ({
  ...message,
  ttl: message.ttl ?? ttl,
  tlvs: message.tlvs.length > 0 || tlvs === null ? message.tlvs : tlvsOf(tlvs)
})

const eventOf = (name: string, event: SmsEvent, costs: () => Costs | null): SmsEvent => {
  switch (event._tag) {
    case "Receipt":
      return {
        ...event,
        refs: event.refs.map((ref) => carrierRef(name, ref)),
        // After a crash in the middle of a hand-over the record does not say yet which carrier has the message.
        details: { ...event.details, carrier: name },
        ofCarrier: (record) => provenDetails(name, costs(), record)
      }
    case "Text":
      return { ...event, carrier: name }
    case "LateOutcome":
      return { ...event, outcome: settledOutcome(name, event.outcome) }
  }
}

/** The numbers of all carriers, each once. */
const numbersOf = ({ carriers }: InForce<Service>): ReadonlyArray<E164> => [
  ...new Set([...carriers.values()].flatMap(({ gateway }) => gateway.receives?.() ?? []))
]

const unhandled = (error: { readonly message: string }): StoreError =>
  error instanceof StoreError ? error : new StoreError({ reason: "Unavailable", message: error.message })

const callsBack = ({ gateway }: Carrier<Service>): boolean => (gateway.webhook ?? null) !== null

/** The body of the largest event of any provider. */
const MAX_BODY_BYTES = 256 * 1024

/** The webhook of all carriers: an event is of the one whose secret has signed it. */
const webhookOf = (current: () => InForce<Service>): Webhook => {
  const webhooks = () => [...current().carriers.values()].flatMap(({ gateway }) => gateway.webhook ?? [])
  return {
    maxBodyBytes: MAX_BODY_BYTES,
    /** The headers of all carriers: a body that one of them may have signed is read. */
    get signatureHeaders() {
      const [first, ...others] = webhooks()
      return (first?.signatureHeaders ?? []).filter((name) =>
        others.every(({ signatureHeaders }) => signatureHeaders.includes(name))
      )
    },
    handle: Effect.fnUntraced(function* (request) {
      let answer = respond(404)
      for (const webhook of webhooks()) {
        answer = yield* webhook.handle(request)
        if (answer.status !== 400 && answer.status !== 401) return answer
      }
      return answer
    })
  }
}
