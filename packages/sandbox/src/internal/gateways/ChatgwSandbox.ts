/**
 * The sandbox's chat gateway. The phone of a number chooses the scenario, and without one its last digits do, see
 * `Outcomes.ts`; the delivery status follows a second later, or when the phone says. Codes are checked,
 * wrong ones are counted, and requests expire.
 */
import { EventHub } from "@watchword/send/gateway"
import { NotFound, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { nextUlid } from "@watchword/schemas/Ids"
import type { MessageEvent, PhoneSettings } from "@watchword/schemas/SandboxPhone"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import {
  type CodeMessage,
  type DeliveryState,
  type Probe,
  type RequestStatus,
  type Service,
  type VerificationState,
  stale
} from "@watchword/chatgw/ChatgwGateway"
import type { Stage } from "@watchword/send/Send"
import * as LaterEvents from "../simulator/LaterEvents.ts"
import { type Fate, kept, receive, receptionOf, unhandled, wait } from "../simulator/Receptions.ts"
import {
  type Outcome as SendOutcome,
  type Scenario,
  outcomeOnPhone,
  refusalOf,
  scenarioOf
} from "../simulator/Outcomes.ts"
import * as Stages from "../simulator/Stages.ts"
import * as ChatgwExpiries from "./ChatgwExpiries.ts"
import * as ChatgwRequests from "./ChatgwRequests.ts"
import type { ChatRequest } from "./ChatgwRequests.ts"

const MOST_WRONG_CODES = 3

/** What becomes of a request at its phone, or by its number. */
interface Course {
  readonly scenario: SendOutcome
  readonly phone: PhoneSettings | null
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Stage<Service>, never, Settings | Store | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const requests = yield* ChatgwRequests.make
  const hub = new EventHub<RequestStatus, StoreError>()
  const run = Effect.runForkWith(yield* Effect.context<never>())

  /** Changes a request, after its expiry. */
  const change = Effect.fnUntraced(function* (
    requestId: string,
    by: (request: ChatRequest, now: number, delivery: Delivery) => ChatRequest
  ) {
    const now = yield* Clock.currentTimeMillis
    return yield* requests.change(requestId, (request, delivery) => by(expired(request, now), now, delivery))
  })

  const changeKnown = (requestId: string, to: Parameters<typeof change>[1]) =>
    change(requestId, to).pipe(
      Effect.mapError(() => new TemporaryUnavailable({ message: "The sandbox is not available for the moment." })),
      Effect.flatMap(Effect.fromOption),
      Effect.catchTag("NoSuchElementError", () => new NotFound({ message: "The sandbox knows no such request." }))
    )

  /** Changes a request and publishes its status. */
  const publish = (requestId: string, by: Parameters<typeof change>[1]) =>
    Effect.flatMap(
      change(requestId, by),
      Option.match({ onNone: () => Effect.void, onSome: (request) => hub.publish(toStatus(requestId, request)) })
    )

  /**
   * Publishes the status of a request that has been sent for a second; a message that waits for its phone can only
   * expire.
   */
  const announce = (requestId: string) =>
    publish(requestId, (request, now, delivery) => {
      const end = endOf(delivery)
      return end === null ? request : arrived(request, end, now)
    })

  /** Moves the request of a delivery to a state that its phone has come to. */
  const report = ({ details }: Delivery, state: DeliveryState) =>
    typeof details["request_id"] === "string"
      ? Effect.mapError(
          publish(details["request_id"], (request, now) =>
            canBe(request, state) ? inState(request, state, now) : request
          ),
          unhandled
        )
      : Effect.void

  const waiting = yield* wait("chatgw", (delivery, fate) => report(delivery, stateAt(fate)))

  const statuses = yield* LaterEvents.make<string>({
    publish: announce,
    offer: (requestId, done) => run(announce(requestId)).addObserver(done)
  })
  const expiries = yield* ChatgwExpiries.make(announce)

  const send = Effect.fnUntraced(
    function* (message: CodeMessage, { phone, scenario }: Course): Effect.fn.Return<Outcome, StoreError> {
      const isFull = statuses.isFull() || waiting.isFull()
      const refusal = isFull ? unreachable() : refusalOf(scenario, WORDS)
      if (refusal !== null) return rejected(refusal)
      const now = yield* Clock.currentTimeMillis
      const requestId = message.requestId ?? newRequestId(now)
      if (message.requestId !== null) {
        const probe = yield* store.findByRef({ channel: "chatgw_probe", ref: requestId })
        if (!Option.exists(probe, ({ to }) => to === message.to)) return rejected(staleProbe(), stale)
        if (Option.isSome(yield* requests.find(requestId))) return unknown(alreadySent())
      }
      const request: ChatRequest = {
        sealed: yield* ChatgwRequests.seal(requestId, message.code),
        expiresAt: now + message.ttl * 1000,
        wrongCodes: 0,
        delivery: { status: "sent", updatedAt: seconds(now) },
        verification: null,
        isRefunded: false
      }
      const reception = phone === null ? null : receive(phone, "delivered", now)
      if (scenario !== "silent") {
        if (reception === null || reception.dueAt !== null) yield* statuses.publish([requestId])
        else yield* waiting.afterwards(requestId, reception)
        expiries.add(requestId, request.expiresAt)
      }
      const details = { request_id: requestId, ...ChatgwRequests.keep(request) }
      return accepted([requestId], reception === null ? details : { ...details, ...kept(reception) })
    },
    Effect.catchTag("StoreError", () => Effect.succeed(rejected(unreachable()))),
    Effect.uninterruptible
  )

  const checkSendAbility = Effect.fnUntraced(function* ({ scenario }: Course): Effect.fn.Return<Probe> {
    if (scenario === "no-account") return { _tag: "Unreachable" }
    const refusal = refusalOf(scenario, WORDS)
    if (refusal !== null) return { _tag: "Rejected", failure: refusal }
    return { _tag: "Reachable", requestId: newRequestId(yield* Clock.currentTimeMillis) }
  })

  const checkVerificationStatus = Effect.fnUntraced(function* (requestId: string, code: Redacted.Redacted | null) {
    const sealed = code === null ? null : yield* ChatgwRequests.seal(requestId, code)
    const request = yield* changeKnown(requestId, (request, now) =>
      sealed === null || isSettled(request) ? request : entered(request, sealed, now)
    )
    return toStatus(requestId, request)
  })

  const revoke = Effect.fnUntraced(function* (requestId: string) {
    const request = yield* changeKnown(requestId, (request, now) =>
      isUnread(request) ? { ...inState(request, "revoked", now), isRefunded: true } : request
    )
    return toStatus(requestId, request)
  })

  const resume = Effect.fnUntraced(function* (delivery: Delivery) {
    const { details, status, to } = delivery
    const { request_id: requestId } = details
    const hasPhone = receptionOf(delivery) !== null
    if (typeof requestId !== "string" || !isE164(to) || (!hasPhone && scenarioOf(to) === "silent")) return
    if (hasPhone) yield* waiting.resume(delivery)
    const request = Option.getOrNull(yield* requests.find(requestId))
    if (request === null) return
    const isLater = status.name !== "sent" && (yield* Clock.currentTimeMillis) < request.expiresAt
    if (!isLater) yield* Effect.mapError(announce(requestId), unhandled)
    else expiries.add(requestId, request.expiresAt)
  })

  const through = (courseOf: (to: E164) => Course): Service => ({
    send: (message) => send(message, courseOf(message.to)),
    checkSendAbility: (to) => checkSendAbility(courseOf(to)),
    checkVerificationStatus,
    revoke,
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([]),
    webhook: null
  })

  return yield* Stages.make({
    product: "chatgw",
    gateway: through((to) => ({ scenario: scenarioOf(to), phone: null })),
    onPhone: (phone) => {
      const course: Course = { scenario: outcomeOnPhone.chatgw(phone), phone }
      return through(() => course)
    },
    network: {
      events: ["delivered", "read", "failed"],
      accepts: ({ status }) => followers[status.name] ?? [],
      post: (delivery, event) => report(delivery, event === "read" || event === "failed" ? event : "delivered"),
      settle: waiting.settle
    },
    catchUp: { statuses: ["sent", "delivered"], within: "1 hour", resume }
  })
})

const newRequestId = (now: number): string => `sandbox-${nextUlid(now)}`

const seconds = (millis: number): number => Math.floor(millis / 1000)

const toStatus = (requestId: string, { delivery, isRefunded, verification }: ChatRequest): RequestStatus => ({
  requestId,
  of: null,
  delivery,
  verification,
  isRefunded
})

const inState = (request: ChatRequest, status: DeliveryState, now: number): ChatRequest => ({
  ...request,
  delivery: { status, updatedAt: seconds(now) }
})

const verified = (request: ChatRequest, status: VerificationState, now: number): ChatRequest => ({
  ...request,
  verification: { status, updatedAt: seconds(now) }
})

const isUnread = ({ delivery }: ChatRequest): boolean => delivery.status === "sent" || delivery.status === "delivered"

/** Whether no code changes the request any more. A wrong code may be followed by the right one. */
const isSettled = ({ delivery, verification }: ChatRequest): boolean =>
  delivery.status === "revoked" || (verification !== null && verification.status !== "code_invalid")

const arrived = (request: ChatRequest, end: DeliveryState, now: number): ChatRequest => {
  const there = request.delivery.status === "sent" ? inState(request, end, now) : request
  return end === "expired" && !isSettled(there) ? verified(there, "expired", now) : there
}

/** The request after its expiry: its code expires, and so does a message that was not read. */
const expired = (request: ChatRequest, now: number): ChatRequest => {
  const { expiresAt } = request
  if (now < expiresAt || isSettled(request)) return request
  const over = verified(request, "expired", expiresAt)
  return isUnread(over) ? inState(over, "expired", expiresAt) : over
}

/** The request after a code was entered, which proves that the message was read. */
const entered = (request: ChatRequest, sealed: string, now: number): ChatRequest => {
  const read = inState(request, "read", now)
  if (sealed === request.sealed) return verified(read, "code_valid", now)
  const wrongCodes = request.wrongCodes + 1
  const isLast = wrongCodes >= MOST_WRONG_CODES
  return verified({ ...read, wrongCodes }, isLast ? "code_max_attempts_exceeded" : "code_invalid", now)
}

/** The current outcome of a message; null while it waits for its phone. */
const endOf = (delivery: Delivery): DeliveryState | null => {
  const reception = receptionOf(delivery)
  if (reception !== null) return reception.dueAt === null ? null : stateAt(reception.fate)
  return isE164(delivery.to) ? (ends[scenarioOf(delivery.to)] ?? "delivered") : "delivered"
}

const stateAt = (fate: Fate): DeliveryState => (fate === "undelivered" ? "failed" : fate)

/** The events that follow a status. */
const followers: Readonly<Record<string, ReadonlyArray<MessageEvent>>> = {
  sent: ["delivered", "read", "failed"],
  delivered: ["read"]
}

const canBe = ({ delivery }: ChatRequest, state: DeliveryState): boolean =>
  followers[delivery.status]?.some((event) => event === state) ?? false

const isE164 = Schema.is(E164)

const ends: { readonly [S in Scenario]?: DeliveryState } = { undelivered: "failed", expired: "expired" }

const unreachable = () =>
  new TemporaryUnavailable({ message: "The sandbox's chat gateway is unreachable for the moment." })

const WORDS = { gateway: "chat gateway", noAccount: "The number has no account on the chat app." }

const staleProbe = () =>
  new TemporaryUnavailable({ message: "The probe of this number is no longer valid; try again." })

const alreadySent = () => new TemporaryUnavailable({ message: "This request's one message has been sent before." })
