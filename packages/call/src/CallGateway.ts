/**
 * The port to a gateway that places flash calls: a SIP trunk, the sandbox, or a gateway of your own.
 * `@watchword/call/conformance` checks an implementation.
 */
import type { Gateway } from "@watchword/send/channel/Gateways"
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Details } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallEvent } from "./internal/Called.ts"
import type { Cause } from "./internal/Ended.ts"

export { type CallEnds, make as makeEnds } from "./internal/CallEnds.ts"
export type { CallEvent, Called } from "./internal/Called.ts"
export { type Delay, type Delays, make as makeDelays } from "./internal/Delays.ts"
export type { Cause, Ended } from "./internal/Ended.ts"
export { make as steadyClock } from "./internal/SteadyClock.ts"

/** One call to place. */
export interface Call {
  readonly delivery: DeliveryId
  readonly caller: E164
  readonly callee: E164
  /** Seconds of ringing after which the service hangs up; the gateway's own limit is a backstop behind it. */
  readonly maxRing: number
  /** The result of `prepare` for this call, if its dialog has been stored. */
  readonly prepared?: PreparedCall | null
  /**
   * The names of the carriers that may take it, in this order, for a gateway that is composed of several; null, or left
   * out, where that gateway is to choose them.
   */
  readonly carriers?: ReadonlyArray<string> | null
}

/** The beginning of a call that has not been placed. It serves one call, and may be left unused. */
export interface PreparedCall {
  /** The data by which a later process ends the call, see `recover`. */
  readonly dialog: string
}

/** Why the service hangs up: the phone has rung long enough, or the customer asked for it. */
export type HangupReason = "NO_ANSWER" | "ORIGINATOR_CANCEL"

/** The result of `dial`. A gateway that is composed of carriers adds details of theirs for the record. */
export type Dialled = { readonly details?: Details } &
  /** The callee's phone rings, or was answered at once. */
  (
    | {
        readonly _tag: "Ringing"
        /** Post-dial delay: milliseconds from the first INVITE to the first ringing. */
        readonly postDialDelay: number
        /** The data by which a later process ends the call, see `recover`. */
        readonly dialog: string
      }
    /** The call failed before it rang, according to the gateway. */
    | {
        readonly _tag: "Failed"
        readonly failure: DeliveryFailure
        readonly cause: Cause
        /**
         * Returns `true` if the network had the call and the phone may have shown it: a datagram that says that it
         * rings is not repeated (RFC 3261 §17.2.1), and may be lost. Such a call is free, and counts as a send of a
         * verification.
         */
        readonly mayHaveRung?: boolean
      }
  )

/** `events` gives the ends of calls, and calls of users to numbers of the service. */
export interface Service extends Gateway<CallEvent> {
  /**
   * The numbers of the service whose calls it hears, for a gateway that hears any. A call is heard by an event, once
   * however often its caller repeats it, and then refused before it is answered, so that it costs the caller nothing.
   */
  readonly receives?: () => ReadonlyArray<E164>

  /**
   * Places a call and answers when the phone first rings. An interrupted `dial` ends the call.
   *
   * `beforeInvite` runs with the dialog before anything leaves the process, so that the dialog is stored and the call
   * can be ended after a crash; when it fails, nothing is sent. It runs again with another dialog, which replaces the
   * earlier one, when the call is tried again: at another trunk, or with credentials. It does not run for a call that
   * begins as prepared, because that dialog is stored already.
   */
  readonly dial: (
    call: Call,
    beforeInvite: (dialog: string) => Effect.Effect<void, StoreError>
  ) => Effect.Effect<Dialled, StoreError>

  /**
   * Prepares a call, so that its dialog can be stored together with other data before the call is placed. Nothing
   * leaves the process. Null while it is unknown how the call would begin.
   */
  readonly prepare?: (numbers: Pick<Call, "caller" | "callee" | "carriers">) => PreparedCall | null

  /**
   * Ends a call, and answers at once; its `Ended` follows, with the reason unless the callee was quicker. True
   * also while the call is being ended, false when it is over or was never placed by this gateway.
   */
  readonly hangup: (delivery: DeliveryId, reason: HangupReason) => Effect.Effect<boolean>

  /** Ends calls that an earlier process left ringing, by the dialogs it stored; an `Ended` follows for each. */
  readonly recover: (
    calls: ReadonlyArray<{ readonly delivery: DeliveryId; readonly dialog: string }>
  ) => Effect.Effect<void>

  /**
   * Takes no more calls, ends those under way and waits for their ends, up to a limit of its own. Closing the
   * gateway does the same, but by then the handler of the ends may be gone.
   */
  readonly drain: Effect.Effect<void>
}

/** The gateway of live calls. */
export class CallGateway extends Context.Service<CallGateway, Service>()("@watchword/call/CallGateway") {}
