/**
 * The Telegram Gateway. Each send carries its delivery's id as payload, by which a request is known again
 * when the answer to the send was lost.
 *
 * Source: https://core.telegram.org/gateway/api
 */
import { type CallbackEvent, make as makeSignature } from "@watchword/callback-signature/effect"
import {
  type Gateway,
  Authentication,
  EventHub,
  Http,
  type Reply,
  type Secret,
  Unrecognized,
  type WebhookRequest,
  callbackOf,
  redacted,
  respond
} from "@watchword/send/gateway"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import {
  ChatgwGateway,
  type CodeMessage,
  type Probe,
  type RequestStatus,
  type Service,
  type StatusFailure,
  stale
} from "../../ChatgwGateway.ts"
import { type Answer, answerOf } from "./Answer.ts"
import { sendFailure, statusFailure, uncertain, unreachable } from "./Failures.ts"
import { decode, strange } from "./RequestStatus.ts"

/** The name of the gateway, and of its carrier on records. */
const NAME = "telegram"

/** The headers that sign an event; see `@watchword/callback-signature`. */
const SIGNATURE_HEADERS = ["x-request-timestamp", "x-request-signature"]

/** Events are below 2 kB. */
const MAX_EVENT_BYTES = 65_536

export interface Options {
  /** The gateway's access token. Read for each request and each event, so that a getter may give another one later. */
  readonly token: Secret
  /** https://gatewayapi.telegram.org by default. */
  readonly baseUrl?: string | undefined
  /** Seconds for each request to the gateway; 10 by default. */
  readonly timeout?: number | undefined
  /**
   * Where the gateway reports statuses of messages that name no address of their own, if that is not `/chatgw/events`
   * behind the service's `publicUrl`.
   */
  readonly callbackUrl?: string | undefined
}

/** A gateway that lives as long as the scope. Its webhook answers 401 where the signature is wrong. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Service, never, Scope> {
  const http = yield* Http.make({
    baseUrl: options.baseUrl ?? "https://gatewayapi.telegram.org",
    authentication: Effect.suspend(() => Authentication.bearer(redacted(options.token))),
    timeout: options.timeout,
    restIn
  })
  const callbackUrl = options.callbackUrl ?? (yield* callbackOf("chatgw"))
  const hub = new EventHub<RequestStatus, StoreError>()
  const unrecognized = new Unrecognized()

  const call = Effect.fnUntraced(function* (
    path: string,
    about: string,
    body: Readonly<Record<string, unknown>>,
    repeatable: boolean
  ) {
    const answer = answerOf(yield* http.ask({ path, body, repeatable, about }))
    if (answer._tag === "Refused" && answer.refusal._tag === "Misconfigured") {
      const { error, isUnknown = false } = answer.refusal
      if (isUnknown) yield* note("error", error, "the Telegram Gateway refuses by an error that is not known")
      yield* Effect.logError(`the Telegram Gateway refuses ${path}: ${error}`)
    }
    if (answer._tag === "Result" && path !== "revokeVerificationMessage") yield* noteStrange(answer.result)
    return answer
  })

  const note = (kind: string, word: string, message: string) => unrecognized.note(NAME, kind, { word, message })

  const noteStrange = (request: unknown): Effect.Effect<void> => {
    const found = strange(request)
    return found === null ? Effect.void : note(...found, "the Telegram Gateway says something that is not known")
  }

  const send = Effect.fnUntraced(function* (message: CodeMessage) {
    const body = bodyOf(message, message.callbackUrl ?? callbackUrl)
    const ask = call("sendVerificationMessage", message.to, body, false)
    const answer = yield* ask
    const { requestId } = message
    if (answer._tag !== "Uncertain" || answer.isSlow || requestId === null) return yield* outcomeOf(message, answer)
    // A request id takes one message only, so under one the send can be made again. A request with a message has it
    // from the first attempt: no other send is made under it. Any other refusal says nothing about the first time.
    const repeated = yield* ask
    if (repeated._tag === "Refused" && repeated.refusal._tag === "AlreadySent") {
      return accepted([requestId], { request_id: requestId })
    }
    const outcome = yield* outcomeOf(message, repeated)
    return outcome._tag === "Rejected" ? unknown(uncertain()) : outcome
  }, Effect.uninterruptible)

  const outcomeOf = Effect.fnUntraced(function* (message: CodeMessage, answer: Answer) {
    switch (answer._tag) {
      case "Result":
        return Option.match(yield* decodeNow(answer.result), { onNone: () => unknown(uncertain()), onSome: taken })
      case "Refused":
        return answer.refusal._tag === "AlreadySent"
          ? yield* sentBefore(message)
          : rejected(sendFailure(answer.refusal), answer.refusal._tag === "NoRequest" ? stale : {})
      case "NotAsked":
        return rejected(unreachable())
      case "Uncertain":
        return unknown(uncertain())
    }
  })

  /** Whether the message that a request has had already was this one. */
  const sentBefore = Effect.fnUntraced(function* ({ requestId, delivery }: CodeMessage) {
    if (requestId === null) return unknown(uncertain())
    const status = yield* Effect.option(statusOf(requestId, null))
    return Option.isSome(status) && status.value.of === delivery ? taken(status.value) : unknown(uncertain())
  })

  const checkSendAbility = Effect.fnUntraced(function* (to: string): Effect.fn.Return<Probe> {
    const answer = yield* call("checkSendAbility", to, { phone_number: to }, false)
    switch (answer._tag) {
      case "Result":
        return Option.match(yield* decodeNow(answer.result), {
          onNone: (): Probe => ({ _tag: "Unknown", failure: uncertain() }),
          onSome: ({ isRefunded, requestId }) =>
            isRefunded ? { _tag: "Unreachable" } : { _tag: "Reachable", requestId }
        })
      case "Refused":
        if (answer.refusal._tag === "NoAccount") return { _tag: "Unreachable" }
        return answer.refusal._tag === "AlreadySent"
          ? { _tag: "Unknown", failure: uncertain() }
          : { _tag: "Rejected", failure: sendFailure(answer.refusal) }
      case "NotAsked":
        return { _tag: "Rejected", failure: unreachable() }
      case "Uncertain":
        return { _tag: "Unknown", failure: uncertain() }
    }
  }, Effect.uninterruptible)

  // A repeat with a code could count as another attempt.
  const statusOf = Effect.fnUntraced(function* (
    requestId: string,
    code: Redacted.Redacted | null
  ): Effect.fn.Return<RequestStatus, StatusFailure> {
    const body = { request_id: requestId, ...(code === null ? {} : { code: Redacted.value(code) }) }
    const answer = yield* call("checkVerificationStatus", requestId, body, code === null)
    if (answer._tag === "Refused" && answer.refusal._tag === "Code") {
      const now = yield* currentSeconds
      const verification = { status: answer.refusal.status, updatedAt: now }
      return { requestId, delivery: null, verification, isRefunded: false, of: null }
    }
    const status = yield* decodeNow(yield* resultOf(answer))
    return yield* Effect.mapError(Effect.fromOption(status), unreachable)
  })

  const revoke = Effect.fnUntraced(function* (requestId: string) {
    yield* resultOf(yield* call("revokeVerificationMessage", requestId, { request_id: requestId }, true))
    return yield* statusOf(requestId, null)
  })

  const receive = Effect.fnUntraced(
    function* ({ headers, rawBody }: WebhookRequest) {
      const signature = makeSignature({ accessToken: redacted(options.token) })
      const event = yield* signature.verify(rawBody, headers)
      const described = withVerification(event)
      const status = yield* decodeNow(described)
      yield* noteStrange(described)
      if (Option.isSome(status)) yield* hub.publish(status.value)
      return respond(200)
    },
    Effect.catchTags({
      CallbackSignatureError: ({ code }) =>
        code === "INVALID_BODY"
          ? Effect.as(
              note("callback", code, "the Telegram Gateway posts something that is no request"),
              respond(400, code)
            )
          : Effect.succeed(respond(401, code)),
      // The gateway repeats events that are not answered 200.
      NotHandled: () => Effect.succeed(again),
      StoreError: (error) => Effect.as(Effect.logError("an event of the Telegram Gateway was not stored", error), again)
    })
  )

  return ChatgwGateway.of({
    send,
    checkSendAbility,
    checkVerificationStatus: statusOf,
    revoke,
    events: (handle) => hub.subscribe(handle),
    carrier: NAME,
    health: Effect.map(http.isUp, (up) => [{ name: NAME, up, ...unrecognized.of(NAME) }]),
    webhook: {
      maxBodyBytes: MAX_EVENT_BYTES,
      signatureHeaders: SIGNATURE_HEADERS,
      handle: (request) => (request.method === "POST" ? receive(request) : Effect.succeed(respond(405)))
    }
  })
})

/**
 * The gateway by its access token.
 *
 * @example
 * ```ts
 * import { telegram } from "@watchword/chatgw/telegram"
 *
 * const chatgw = telegram({ token: "AAEAAA…" })
 * ```
 */
export const telegram = (options: Options): Gateway<ChatgwGateway> => Layer.effect(ChatgwGateway, make(options))

const again = respond(503)

const restIn = (reply: Reply): Duration.Duration | null => {
  const answer = answerOf(reply)
  return answer._tag === "Refused" && answer.refusal._tag === "FloodWait" ? answer.refusal.duration : null
}

const bodyOf = (message: CodeMessage, callbackUrl: string | undefined) => ({
  phone_number: message.to,
  code: Redacted.value(message.code),
  ttl: message.ttl,
  payload: message.delivery,
  ...(message.requestId === null ? {} : { request_id: message.requestId }),
  ...(message.senderUsername === null ? {} : { sender_username: message.senderUsername }),
  ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl })
})

// Some events have the verification's state as their own.
const withVerification = (event: CallbackEvent) =>
  event.verification_status === undefined && event.status !== undefined
    ? { ...event, verification_status: { status: event.status } }
    : event

const taken = ({ requestId }: RequestStatus): Outcome => accepted([requestId], { request_id: requestId })

const currentSeconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

const decodeNow = (value: unknown) => Effect.map(currentSeconds, (now) => decode(value, now))

const resultOf = (answer: Answer): Effect.Effect<unknown, StatusFailure> => {
  switch (answer._tag) {
    case "Result":
      return Effect.succeed(answer.result)
    case "Refused":
      // A code is only ever refused where one was given.
      return Effect.fail(answer.refusal._tag === "Code" ? unreachable() : statusFailure(answer.refusal))
    case "NotAsked":
    case "Uncertain":
      return Effect.fail(unreachable())
  }
}
