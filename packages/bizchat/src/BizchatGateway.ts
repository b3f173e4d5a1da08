/**
 * The port to a business messaging platform: the WhatsApp Cloud API, the sandbox, or one of your own.
 * `@watchword/bizchat/conformance` checks an implementation.
 */
import type { Notice, Webhook } from "@watchword/send/gateway"
import type { Gateway, Sends } from "@watchword/send/channel/Gateways"
import type { BadRequest } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { BizchatStatus } from "@watchword/schemas/Bizchat"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"

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

/** A status of a message, or a text of a user. */
export type BizchatEvent = MessageStatus | UserText

/** A text that a user has written to the service's number. */
export interface UserText {
  readonly _tag: "Text"
  /** The number of the user; null if the platform withholds it, as it may for users who have a name. */
  readonly from: E164 | null
  readonly text: Redacted.Redacted
}

/** A later status of a message. */
export interface MessageStatus {
  readonly _tag: "Status"
  /** The platform's id of the message: the ref of `Accepted`. */
  readonly ref: string
  /**
   * The delivery that the message was sent for; null if the platform does not say. A send whose answer was lost is
   * found by nothing else.
   */
  readonly of: DeliveryId | null
  /** `read` implies `delivered`, which may come before it, after it or never. */
  readonly status: BizchatStatus
  /** Unix seconds; null if the platform does not say. */
  readonly at: number | null
  /** The platform's code for why it failed. */
  readonly errorCode: number | null
  /** Whether it failed because the number is not on the platform: its price is to be given back. */
  readonly notOnPlatform: boolean
  /** Whether the platform held it back and has dropped it unsent: its price is to be given back. False by default. */
  readonly isDropped?: boolean
}

/** `events` gives the statuses of messages and the texts of users, possibly repeated and in any order. */
export interface Service extends Gateway<BizchatEvent>, Sends<TextMessage> {
  /** Refuses what `send` would refuse without asking the platform. Run before anything is recorded or charged. */
  readonly check: (content: Content) => Effect.Effect<void, BadRequest>

  /**
   * Sends a text and answers when the platform has, or when the gateway's own time limit has passed. Never
   * fails, and is not to be interrupted.
   *
   * `Accepted` has one ref, the platform's message id. A number that the platform knows not to be on it is `Rejected`
   * with NOT_FOUND; most platforms say so by an event only. The platform's code for why it refuses goes into the
   * details of `Rejected`, as `error_code`. A message that the platform has taken and holds back is `Unknown` with its
   * id, and with the detail `held`: a later status settles or releases its price.
   */
  readonly send: Sends<TextMessage>["send"]

  /** The endpoint that it calls back to; null if it does not. */
  readonly webhook: Webhook | null

  /**
   * The numbers at which users can write to the service, whose texts are events; left out where their texts are not
   * taken.
   */
  readonly receives?: ReadonlyArray<E164>

  /**
   * Passes the platform's notices about templates and numbers to `handle`, until the scope closes; left out if the
   * platform sends no notices.
   */
  readonly notices?: (handle: (notice: Notice) => Effect.Effect<void>) => Effect.Effect<void, never, Scope>
}

/** The gateway that live texts leave over. */
export class BizchatGateway extends Context.Service<BizchatGateway, Service>()("@watchword/bizchat/BizchatGateway") {}
