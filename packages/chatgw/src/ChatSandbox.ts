/**
 * The sandbox's chat gateway: no chat app, every outcome on demand. The number's last digits choose it, see
 * `@watchword/send/SandboxNumber`; the delivery status follows a second later. Codes are really checked,
 * wrong ones counted, and both expire.
 */
import * as Listener from "@watchword/gateway-http/Listener"
import { NotFound, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { nextUlid } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import { type Fate, fateOf } from "@watchword/send/SandboxNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import {
  ChatGateway,
  type CodeMessage,
  type DeliveryState,
  type Probe,
  type RequestStatus,
  type Service,
  type VerificationState
} from "./ChatGateway.ts"
import * as SandboxCodes from "./SandboxCodes.ts"

const DELIVERY_DELAY = "1 second"
const MOST_WRONG_CODES = 3
/** Beyond this many, the oldest requests are forgotten. */
const MOST_REQUESTS = 10_000

interface Request {
  readonly to: E164
  status: RequestStatus
  /** None before a probe's request has had its message. */
  message: { sealed: ArrayBuffer; readonly expiresAt: number; wrongCodes: number } | null
}

/** A gateway that lives as long as the scope. */
export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const codes = yield* SandboxCodes.make
  const { listen, tell } = Listener.make<RequestStatus, StoreError>()
  const requests = new Map<string, Request>()

  const create = (to: E164, now: number): Request => {
    const requestId = `sandbox-${nextUlid(now)}`
    const delivery = { status: "sent", updatedAt: seconds(now) } as const
    const request = { to, status: { requestId, delivery, verification: null, isRefunded: false }, message: null }
    for (const oldest of requests.keys()) {
      if (requests.size < MOST_REQUESTS) break
      requests.delete(oldest)
    }
    requests.set(requestId, request)
    return request
  }

  const find = Effect.fnUntraced(function* (requestId: string) {
    const request = requests.get(requestId)
    if (request === undefined) return yield* new NotFound({ message: "The sandbox knows no such request." })
    expire(request, yield* Clock.currentTimeMillis)
    return request
  })

  const deliver = Effect.fnUntraced(function* (request: Request, end: DeliveryState) {
    yield* Effect.sleep(DELIVERY_DELAY)
    const now = yield* Clock.currentTimeMillis
    if (request.status.delivery?.status === "sent") moveDelivery(request, end, now)
    if (end === "expired" && !isSettled(request)) moveVerification(request, "expired", now)
    yield* Effect.retry(
      Effect.suspend(() => tell(request.status)),
      again
    )
  })

  const send = Effect.fnUntraced(function* (message: CodeMessage): Effect.fn.Return<Outcome> {
    const fate = fateOf(message.to)
    const refusal = refusals[fate]
    if (refusal !== undefined) return rejected(refusal())
    const now = yield* Clock.currentTimeMillis
    const request = message.requestId === null ? create(message.to, now) : requests.get(message.requestId)
    if (request === undefined || request.to !== message.to) return rejected(staleProbe())
    if (request.message !== null) return unknown(alreadySent())
    // Taken before anything is awaited, so that of two sends under one id only one goes out.
    request.message = { sealed: nothing, expiresAt: now + message.ttl * 1000, wrongCodes: 0 }
    const sealed = yield* codes.seal(request.status.requestId, message.code)
    request.message = { ...request.message, sealed }
    if (fate !== "silent") yield* Effect.forkIn(deliver(request, ends[fate] ?? "delivered"), scope)
    return accepted([request.status.requestId], { request_id: request.status.requestId, delivery_status: "sent" })
  }, Effect.uninterruptible)

  const checkSendAbility = Effect.fnUntraced(function* (to: E164): Effect.fn.Return<Probe> {
    const fate = fateOf(to)
    if (fate === "no-account") return { _tag: "Unreachable" }
    const refusal = refusals[fate]
    if (refusal !== undefined) return { _tag: "Rejected", failure: refusal() }
    return { _tag: "Reachable", status: create(to, yield* Clock.currentTimeMillis).status }
  })

  const checkVerificationStatus = Effect.fnUntraced(function* (requestId: string, code: Redacted.Redacted | null) {
    const request = yield* find(requestId)
    const { message } = request
    if (code === null || message === null || isSettled(request)) return request.status
    const isRight = yield* codes.matches(message.sealed, requestId, code)
    // Another check may have settled it meanwhile.
    if (isSettled(request)) return request.status
    const now = yield* Clock.currentTimeMillis
    moveDelivery(request, "read", now)
    if (!isRight) message.wrongCodes++
    moveVerification(request, isRight ? "code_valid" : wrong(message.wrongCodes), now)
    return request.status
  })

  const revoke = Effect.fnUntraced(function* (requestId: string) {
    const request = yield* find(requestId)
    const state = request.status.delivery?.status
    if (state !== "sent" && state !== "delivered") return request.status
    moveDelivery(request, "revoked", yield* Clock.currentTimeMillis)
    request.status = { ...request.status, isRefunded: true }
    return request.status
  })

  return ChatGateway.of({
    send,
    checkSendAbility,
    checkVerificationStatus,
    revoke,
    events: listen,
    links: Effect.succeed([])
  })
})

const nothing = new ArrayBuffer(0)

const seconds = (millis: number): number => Math.floor(millis / 1000)

const moveDelivery = (request: Request, status: DeliveryState, now: number): void => {
  request.status = { ...request.status, delivery: { status, updatedAt: seconds(now) } }
}

const moveVerification = (request: Request, status: VerificationState, now: number): void => {
  request.status = { ...request.status, verification: { status, updatedAt: seconds(now) } }
}

/** Nothing that is entered changes these any more. A wrong code may be followed by the right one. */
const isSettled = ({ status }: Request): boolean =>
  status.delivery?.status === "revoked" ||
  (status.verification !== null && status.verification.status !== "code_invalid")

const wrong = (wrongCodes: number): VerificationState =>
  wrongCodes < MOST_WRONG_CODES ? "code_invalid" : "code_max_attempts_exceeded"

/** What time alone does to a request: its code, and a message that was not read, expire. */
const expire = (request: Request, now: number): void => {
  const { message } = request
  if (message === null || now < message.expiresAt || isSettled(request)) return
  moveVerification(request, "expired", message.expiresAt)
  const state = request.status.delivery?.status
  if (state === "sent" || state === "delivered") moveDelivery(request, "expired", message.expiresAt)
}

const ends: { readonly [F in Fate]?: DeliveryState } = { undelivered: "failed", expired: "expired" }

const refusals: { readonly [F in Fate]?: () => NotFound | TemporaryUnavailable | ServiceUnavailable } = {
  "no-account": () => new NotFound({ message: "The number has no account on the chat app." }),
  "temporarily-unavailable": () =>
    new TemporaryUnavailable({ message: "The sandbox's chat gateway is unreachable for the moment." }),
  unavailable: () => new ServiceUnavailable({ message: "The sandbox's chat gateway is disconnected." })
}

const staleProbe = () =>
  new TemporaryUnavailable({ message: "The probe of this number is not valid any more; try again." })

const alreadySent = () => new TemporaryUnavailable({ message: "This request's one message has been sent before." })

const again = Schedule.spaced("1 second")
