/**
 * The port to a business messaging platform: the WhatsApp Cloud API, the sandbox, or one of your own.
 * `@watchword/bizchat/conformance` checks an implementation.
 */
import type { Webhook } from "@watchword/send/gateway/Webhook"
import type { Gateway, Sends } from "@watchword/send/channel/Gateways"
import type { BadRequest } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { BusinessChatStatus } from "@watchword/schemas/BusinessChat"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** The content of a text. */
export interface Content {
  /** The text with the code in it. */
  readonly text: Redacted.Redacted
  /** The code by itself, at most 15 characters; null to have it found in the text where it is needed. */
  readonly code: Redacted.Redacted | null
}

/** One text to send. */
export interface TextMessage extends Content {
  readonly delivery: DeliveryId
  readonly to: E164
  /** The reader's language as a BCP 47 tag; null for the platform's own choice. */
  readonly locale: string | null
}

/** A later status of a message. */
export interface BusinessChatEvent {
  /** The platform's id of the message: the ref of `Accepted`. */
  readonly ref: string
  /**
   * The delivery that the message was sent for; null where the platform does not say. A send whose answer was
   * lost is found by nothing else.
   */
  readonly of: DeliveryId | null
  /** `read` implies `delivered`, which may come before it, after it or never. */
  readonly status: BusinessChatStatus
  /** Unix seconds; null where the platform does not say. */
  readonly at: number | null
  /** The platform's code for why it failed. */
  readonly errorCode: number | null
  /** Whether it failed because the number is not on the platform: its price is to be given back. */
  readonly notOnPlatform: boolean
}

/** `events` gives the statuses of messages, possibly repeated and in any order. */
export interface Service extends Gateway<BusinessChatEvent>, Sends<TextMessage> {
  /** Refuses what `send` would refuse without asking the platform. Run before anything is recorded or charged. */
  readonly check: (content: Content) => Effect.Effect<void, BadRequest>

  /**
   * Sends a text and answers when the platform has, or when the gateway's own time limit has passed. Never
   * fails, and is not to be interrupted.
   *
   * `Accepted` has one ref, the platform's message id. A number that the platform knows not to be on it is
   * `Rejected` with NOT_FOUND; most platforms tell that by an event only. The platform's code for why
   * it refuses goes into the details of `Rejected`, as `error_code`.
   */
  readonly send: Sends<TextMessage>["send"]

  /** The endpoint that it calls back to; null where it does not. */
  readonly webhook: Webhook | null
}

/** The gateway that live texts leave by. */
export class BusinessChatGateway extends Context.Service<BusinessChatGateway, Service>()(
  "@watchword/bizchat/BusinessChatGateway"
) {}
