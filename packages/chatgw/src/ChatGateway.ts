/**
 * The port to a chat app's gateway for codes: the Telegram Gateway, the sandbox, or one of your own.
 * `@watchword/chatgw/conformance` checks an implementation.
 */
import type { GatewayHealth } from "@watchword/gateway/GatewayHealth"
import type {
  BadRequest,
  DeliveryFailure,
  NotFound,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Webhook } from "@watchword/gateway/Webhook"
import type { Outcome } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"

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
  /** Where the gateway is to report what becomes of it, https and at most 256 bytes. */
  readonly callbackUrl: string | null
  /** The id that a probe of this number was answered with: one send that has it costs nothing more. */
  readonly requestId: string | null
}

/** How far a message got. `failed` is what a gateway may say of one that can never arrive. */
export type DeliveryState = "sent" | "delivered" | "read" | "expired" | "revoked" | "failed"

export type VerificationState = "code_valid" | "code_invalid" | "code_max_attempts_exceeded" | "expired"

/** A state and since when, in Unix seconds. */
export interface Since<State> {
  readonly status: State
  readonly updatedAt: number
}

/** What a gateway knows of one request; null is what it does not say. */
export interface RequestStatus {
  readonly requestId: string
  /** The delivery that the request was made for. */
  readonly of: DeliveryId | null
  readonly delivery: Since<DeliveryState> | null
  readonly verification: Since<VerificationState> | null
  /** Whether what the gateway charged for it was given back. */
  readonly isRefunded: boolean
}

/**
 * What a probe came to. `Reachable` and `Unreachable` are certain; a probe that is `Unknown` may have been
 * charged for.
 */
export type Probe =
  | { readonly _tag: "Reachable"; readonly requestId: string }
  | { readonly _tag: "Unreachable" }
  | { readonly _tag: "Rejected"; readonly failure: DeliveryFailure }
  | { readonly _tag: "Unknown"; readonly failure: DeliveryFailure }

/** Why a request's status cannot be had. Nothing is lost by asking again later. */
export type StatusFailure = NotFound | BadRequest | TemporaryUnavailable | ServiceUnavailable

export interface Service {
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
   * What became of a request and, with `code`, whether that is the code that was sent. Each wrong code
   * counts; too many, and the right one is not valid any more. NOT_FOUND is a request the gateway does
   * not know.
   */
  readonly checkVerificationStatus: (
    requestId: string,
    code: Redacted.Redacted | null
  ) => Effect.Effect<RequestStatus, StatusFailure>

  /**
   * Takes a message back, and gives the request as it then stands: refunded when it was not read yet.
   * A gateway may need a moment for it and tell the rest by an event.
   */
  readonly revoke: (requestId: string) => Effect.Effect<RequestStatus, StatusFailure>

  /**
   * Gives every later status of a request to `handle` until the scope closes, possibly again, and not
   * always in order. One that `handle` fails with is given again.
   */
  readonly events: (
    handle: (status: RequestStatus) => Effect.Effect<void, StoreError>
  ) => Effect.Effect<void, never, Scope.Scope>

  /** The gateway's connections and whether they are usable. */
  readonly links: Effect.Effect<ReadonlyArray<GatewayHealth>>

  /** What the gateway calls back to with events; null when it does not. */
  readonly webhook: Webhook | null
}

/** Details of a `Rejected` whose reason is that a probe is not valid any more. */
export const stale = { probe: "stale" } as const

/** Whether the same message may be sent again without its request id. */
export const isStale = (outcome: Outcome): boolean =>
  outcome._tag === "Rejected" && outcome.details["probe"] === stale.probe

/** The gateway that live codes leave by. */
export class ChatGateway extends Context.Service<ChatGateway, Service>()("@watchword/chatgw/ChatGateway") {}
