/**
 * The port to a chat app's gateway for codes: the Telegram Gateway, the sandbox, or one of your own.
 * `@watchword/chatgw/conformance` checks an implementation.
 */
import type { Webhook } from "@watchword/send/gateway"
import type { Gateway } from "@watchword/send/channel/Gateways"
import type {
  BadRequest,
  DeliveryFailure,
  NotFound,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Outcome } from "@watchword/send/Outcome"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** One code to send. */
export interface CodeMessage {
  readonly delivery: DeliveryId
  readonly to: E164
  /** 4 to 8 digits. */
  readonly code: Redacted.Redacted
  /** How long the code is valid, in seconds: 30 to 3600. */
  readonly ttl: number
  /** A verified channel of the chat app that the code is to come from. */
  readonly senderUsername: string | null
  /** The address that the gateway posts statuses to, https and at most 256 bytes. */
  readonly callbackUrl: string | null
  /** The id that a probe of this number was answered with: one send that has it costs nothing more. */
  readonly requestId: string | null
}

/** How far a message got. `failed` means that it can never arrive. */
export type DeliveryState = "sent" | "delivered" | "read" | "expired" | "revoked" | "failed"

export type VerificationState = "code_valid" | "code_invalid" | "code_max_attempts_exceeded" | "expired"

/** A state and since when, in Unix seconds. */
export interface Since<State> {
  readonly status: State
  readonly updatedAt: number
}

/** The state of one request, as a gateway knows it; null if it does not say. */
export interface RequestStatus {
  readonly requestId: string
  /** The delivery that the request was made for. */
  readonly of: DeliveryId | null
  readonly delivery: Since<DeliveryState> | null
  readonly verification: Since<VerificationState> | null
  /** Whether the gateway has refunded its charge. */
  readonly isRefunded: boolean
}

/**
 * The result of a probe. `Reachable` and `Unreachable` are certain; an `Unknown` one may have been charged for.
 */
export type Probe =
  | { readonly _tag: "Reachable"; readonly requestId: string }
  | { readonly _tag: "Unreachable" }
  | { readonly _tag: "Rejected"; readonly failure: DeliveryFailure }
  | { readonly _tag: "Unknown"; readonly failure: DeliveryFailure }

/** Why the status of a request is not available. Asking again later is safe. */
export type StatusFailure = NotFound | BadRequest | TemporaryUnavailable | ServiceUnavailable

/** `events` gives the statuses of requests, possibly repeated and in any order. */
export interface Service extends Gateway<RequestStatus> {
  /**
   * Sends a code and answers when the gateway has, or when the gateway's own time limit has passed. Never
   * fails, and is not to be interrupted.
   *
   * `Accepted` has one ref, the gateway's request id, which its details have too, as `request_id`. A number
   * without an account on the chat app is `Rejected` with NOT_FOUND. When the gateway does not know the request
   * id of the message any more, `Rejected` has the details of {@link stale}.
   */
  readonly send: (message: CodeMessage) => Effect.Effect<Outcome>

  /** Asks whether a number has an account on the chat app, which the gateway charges for when it has. */
  readonly checkSendAbility: (to: E164) => Effect.Effect<Probe>

  /**
   * The status of a request, with `code` after checking that code. Each wrong code counts; after too many the right
   * one is not valid either. NOT_FOUND: the gateway does not know the request.
   */
  readonly checkVerificationStatus: (
    requestId: string,
    code: Redacted.Redacted | null
  ) => Effect.Effect<RequestStatus, StatusFailure>

  /**
   * Revokes a message and answers the status of its request: refunded when it was not read yet. A gateway that needs
   * time for that reports the rest by an event.
   */
  readonly revoke: (requestId: string) => Effect.Effect<RequestStatus, StatusFailure>

  /** The endpoint that it calls back to; null if it does not. */
  readonly webhook: Webhook | null
}

/** Details of a `Rejected` whose reason is that a probe is not valid any more. */
export const stale = { probe: "stale" } as const

/** Whether the same message may be sent again under another request. */
export const isStale = (outcome: Outcome): boolean =>
  outcome._tag === "Rejected" && outcome.details["probe"] === stale.probe

/** The gateway that live codes leave over. */
export class ChatgwGateway extends Context.Service<ChatgwGateway, Service>()("@watchword/chatgw/ChatgwGateway") {}
