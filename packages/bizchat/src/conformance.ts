/**
 * The conformance suite of business-chat gateways.
 *
 * ```ts
 * import { cases } from "@watchword/bizchat/conformance"
 *
 * for (const { name, check } of cases({ start, numbers })) it(name, () => Effect.runPromise(check))
 * ```
 */
import { type Case, type CaseOf, bind, collect, group, holds, same } from "@watchword/store/checks"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Outcome } from "@watchword/send/Outcome"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { BizchatEvent, Service, TextMessage } from "./BizchatGateway.ts"

export interface Harness {
  /** Opens a gateway, with a platform of its own. */
  readonly start: Effect.Effect<Started, Error, Scope.Scope>
  readonly numbers: Numbers
}

export interface Started {
  readonly gateway: Service
  /** Has the platform deliver a message, and repeat the event until the gateway has taken it. */
  readonly deliver: (ref: string) => Effect.Effect<void>
}

export interface Numbers {
  readonly onPlatform: E164
  /** Refused at once. */
  readonly notOnPlatform: E164
}

export const cases = ({ start, numbers }: Harness): ReadonlyArray<Case> =>
  bind(start, [...group("a text", sends(numbers)), ...group("an event", events(numbers))])

const sends = ({ onPlatform, notOnPlatform }: Numbers): ReadonlyArray<CaseOf<Started>> => [
  {
    name: "is accepted under one message id of its own",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const refs = [
        ...refsOf(yield* gateway.send(message(onPlatform))),
        ...refsOf(yield* gateway.send(message(onPlatform)))
      ]
      same("number of refs of two texts", refs.length, 2)
      same("number of different refs", new Set(refs).size, 2)
    })
  },
  {
    name: "is not in the outcome",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const outcome = yield* gateway.send(message(onPlatform, "A secret: 86420975"))
      holds("the outcome must not contain the text or its code", !/86420975|secret/.test(JSON.stringify(outcome)))
    })
  },
  {
    name: "to a number that is not on the platform is rejected with NOT_FOUND",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const outcome = yield* gateway.send(message(notOnPlatform))
      holds(`the text must be rejected, and was ${outcome._tag}`, outcome._tag === "Rejected")
      same<string>("failure", outcome.failure._tag, "NOT_FOUND")
    })
  }
]

const events = ({ onPlatform }: Numbers): ReadonlyArray<CaseOf<Started>> => [
  {
    name: "says that a text was delivered",
    check: Effect.fnUntraced(function* ({ deliver, gateway }) {
      const events = yield* collect(gateway.events)
      const [ref = ""] = refsOf(yield* gateway.send(message(onPlatform)))
      yield* deliver(ref)
      holds("there must be an event of the delivery", events.some(isDelivered(ref)))
    })
  },
  {
    name: "that the handler fails with comes again",
    check: Effect.fnUntraced(function* ({ deliver, gateway }) {
      let failures = 1
      const events = yield* collect(gateway.events, () => (failures-- > 0 ? Effect.fail(unavailable) : Effect.void))
      const [ref = ""] = refsOf(yield* gateway.send(message(onPlatform)))
      yield* deliver(ref)
      holds("the event must come at least twice", events.filter(isDelivered(ref)).length >= 2)
    })
  }
]

const unavailable = new StoreError({ reason: "Unavailable", message: "The test's database is away." })

const message = (to: E164, text = "Your code is 123456."): TextMessage => ({
  delivery: nextDeliveryId(Date.now()),
  to,
  text: Redacted.make(text),
  code: null,
  locale: null
})

/** The refs of a text that must have been accepted. */
const refsOf = (outcome: Outcome): ReadonlyArray<string> => {
  holds(`a text must be accepted, and was ${outcome._tag}`, outcome._tag === "Accepted")
  return outcome.refs
}

const isDelivered =
  (ref: string) =>
  (event: BizchatEvent): boolean =>
    event._tag === "Status" && event.ref === ref && event.status === "delivered"
