/**
 * The parts that a gateway's test supplies to the suite.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Service } from "../../SmsGateway.ts"

export interface Harness {
  /** Opens a gateway that can send, with a carrier of its own. */
  readonly start: Effect.Effect<Started, Error, Scope.Scope>
  readonly numbers: Numbers
  /** Time limit of an answer or a receipt; 5 seconds by default. */
  readonly patience?: Duration.Input
}

export interface Started {
  readonly gateway: Service
}

/** Recipients by outcome; null for an outcome that the carrier cannot produce. */
export interface Numbers {
  /** Accepted; the receipt of each part says `delivered`. */
  readonly delivered: E164
  /** Accepted; the receipt of each part says `undelivered` or `failed`. */
  readonly undelivered: E164 | null
  /** Refused, and certainly not sent. */
  readonly refused: E164 | null
  /** Never answered. */
  readonly silent: E164 | null
  /** Accepted, but only after `send` has timed out. */
  readonly late: E164 | null
}
