/**
 * The port to whatever places flash calls: a SIP trunk, the sandbox, or one of your own.
 * `@watchword/call/conformance` checks an implementation.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** One call to place. */
export interface Call {
  readonly delivery: DeliveryId
  readonly caller: E164
  readonly callee: E164
  /** Seconds of ringing after which the service hangs up; the gateway's own limit is a backstop behind it. */
  readonly maxRing: number
  /** What the gateway drafted for this call, once its dialog is stored. */
  readonly draft?: Draft | null
}

/** The beginning of a call that has not been placed. It is good for one call, and may be left unused. */
export interface Draft {
  /** What a later process needs to end the call, see `recover`. */
  readonly dialog: string
}

/** Why the service hangs up: the phone has rung long enough, or the customer wants it to stop. */
export type HangupReason = "NO_ANSWER" | "ORIGINATOR_CANCEL"

/** How a call ended, by FreeSWITCH's names of Q.850 causes, for example `NO_ANSWER`. */
export interface Cause {
  readonly hangupCause: string
  /** The final status of the network, as it came; null where there was none. */
  readonly sipStatus: number | null
  /** The cause of a `Reason: Q.850` header, as it came. */
  readonly q850: number | null
}

/** What a gateway answers to `dial`. */
export type Dialled =
  /** The callee's phone rings, or was answered at once. */
  | {
      readonly _tag: "Ringing"
      /** Post-dial delay: milliseconds from the first INVITE to the first ringing. */
      readonly postDialDelay: number
      /** What a later process needs to end this call, see `recover`. */
      readonly dialog: string
    }
  /** The call failed before it rang. */
  | { readonly _tag: "Failed"; readonly failure: DeliveryFailure; readonly cause: Cause }

/** Exactly one for each call that rang. */
export interface Ended {
  readonly _tag: "Ended"
  readonly delivery: DeliveryId
  readonly cause: Cause
  /** Milliseconds since the epoch; null when nobody answered. */
  readonly answeredAt: number | null
  readonly endedAt: number
}

/** One trunk of a gateway, for readiness checks and metrics. */
export interface Link {
  readonly name: string
  readonly up: boolean
}

export interface Service {
  /**
   * Places a call and answers when the callee's phone first rings, or when the call has failed. Interrupting
   * it ends the call.
   *
   * `beforeInvite` is run with the dialog before anything leaves the process, so that whoever stores it can
   * end the call after a crash; when it fails, nothing is sent. It is run again with another dialog, which
   * replaces the earlier one, when the call is tried again: by another trunk, or with credentials. A call that
   * begins as it was drafted has its dialog stored already, and does without.
   */
  readonly dial: (
    call: Call,
    beforeInvite: (dialog: string) => Effect.Effect<void, StoreError>
  ) => Effect.Effect<Dialled, StoreError>

  /**
   * Drafts a call, for whoever can store its dialog together with something else before it is placed. Nothing
   * leaves the process. Null when nobody knows yet how the call would begin.
   */
  readonly draft?: (numbers: Pick<Call, "caller" | "callee">) => Draft | null

  /**
   * Ends a call, and answers at once; its `Ended` follows, with the reason unless the callee was quicker. True
   * as well while the call is being ended, false when it is over already or was never placed here.
   */
  readonly hangup: (delivery: DeliveryId, reason: HangupReason) => Effect.Effect<boolean>

  /** Gives every end of a call to `handle`, again until it succeeds, while the scope lives. */
  readonly events: (
    handle: (event: Ended) => Effect.Effect<void, StoreError>
  ) => Effect.Effect<void, never, Scope.Scope>

  /** Ends calls that an earlier process left ringing, by the dialogs it stored; an `Ended` follows for each. */
  readonly recover: (
    calls: ReadonlyArray<{ readonly delivery: DeliveryId; readonly dialog: string }>
  ) => Effect.Effect<void>

  /**
   * Takes no more calls, ends those there are and waits for their ends, up to a limit of its own. Closing the
   * gateway does the same, but by then whoever handles the ends may be gone.
   */
  readonly drain: Effect.Effect<void>

  readonly links: Effect.Effect<ReadonlyArray<Link>>
}

/** The gateway that live calls leave by. */
export class CallGateway extends Context.Service<CallGateway, Service>()("@watchword/call/CallGateway") {}
