/**
 * The port of a guard: it stands between the key and the hold of each send, on all channels, and refuses what an attacker
 * would have the account pay for. `@watchword/guards` has the guard of the service.
 */
import type { Mode } from "@watchword/schemas/Channel"
import type { ClientFacts } from "@watchword/schemas/ClientFacts"
import type { Forbidden, TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import type { Details } from "@watchword/store/Delivery"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A send that is about to be opened. */
export interface Asked {
  readonly principal: Principal
  readonly to: E164
  readonly client: ClientFacts
  /**
   * 1 for a send that a user asked for. 0 for one that follows from such a request, whose guard was asked then: a step of a
   * verification, or a code that spends its probe. It counts towards money only.
   */
  readonly requests: 0 | 1
  readonly price: MicroEuros
}

/** A request that the guard has passed, and of which nothing was sent. */
export interface Unsent {
  readonly account: AccountId
  readonly mode: Mode
  readonly to: E164
  readonly trusted: boolean
}

/** A number that its user has proved to hold. */
export interface Proof extends Pick<Asked, "principal" | "to"> {
  /** The delivery whose outcome was reported; null for a verification, which is approved once. */
  readonly delivery: DeliveryId | null
}

export type Verdict =
  | {
      readonly _tag: "Passed"
      /** Details for the record: why it would have been refused, where rules are tried. */
      readonly details: Details
      /** How many sandbox sends the account may have under way; null for as many as any. */
      readonly sandboxLimit: number | null
    }
  | {
      readonly _tag: "Refused"
      readonly failure: Forbidden | TooManyRequests
      readonly details: Details
    }

export interface Service {
  /** Decides on a send, and counts it. Never fails: a guard that cannot decide lets through. */
  readonly check: (asked: Asked) => Effect.Effect<Verdict>

  /** Tells that a user has proved to hold a number. A delivery counts once, however often its outcome is reported. */
  readonly verified: (proof: Proof) => Effect.Effect<void>

  /**
   * Tells that nothing was sent of a request that was passed: every gateway refused or was down, or the request is a repeat,
   * which is answered like the first one. Such requests, of which an outage makes many, are no traffic pumping.
   */
  readonly unsent: (unsent: Unsent) => Effect.Effect<void>
}

/** The guard; null for none. Read when a service is made. */
export const SendGuard = Context.Reference<Service | null>("@watchword/send/SendGuard", { defaultValue: () => null })

/** The detail of a record that has the reasons for which it was refused, or would have been, with spaces in between. */
export const REASONS = "guard_reasons"

/** Lets through. */
export const passed = { _tag: "Passed", details: {}, sandboxLimit: null } satisfies Verdict
