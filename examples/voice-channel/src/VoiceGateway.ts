/**
 * The port to a provider that calls a number and reads a code out.
 */
import type { Gateway, Sends } from "@watchword/send/channel/Gateways"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"

export interface Message {
  readonly delivery: DeliveryId
  readonly to: E164
  readonly code: Redacted.Redacted
}

/** The end of a call. */
export interface Ended {
  /** The provider's id of the call, the ref of `Accepted`. */
  readonly ref: string
  /** The delivery, where the provider repeats it. */
  readonly of: DeliveryId | null
  readonly isHeard: boolean
  readonly listened: number
}

export interface Service extends Gateway<Ended>, Sends<Message> {}

export class VoiceGateway extends Context.Service<VoiceGateway, Service>()("@watchword/voice-channel/VoiceGateway") {}
