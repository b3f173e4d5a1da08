/**
 * The gateway and the network that a test supplies to the suite.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Service } from "../../CallGateway.ts"

export interface Harness {
  /** Opens a gateway on a network of its own. Its set-up limit should be a few seconds. */
  readonly start: Effect.Effect<Started, Error, Scope.Scope>
}

export interface Started {
  readonly gateway: Service
  readonly network: Network
  /**
   * Opens another gateway on the same network, as the next process does after a crash. Null for a gateway whose
   * calls do not outlive the process.
   */
  readonly restart: Effect.Effect<Service, Error, Scope.Scope> | null
}

/** The behaviour of the network for a call. */
export type Scenario =
  | "rings"
  | "is busy"
  | "declines"
  | "cannot be reached"
  /** The callee answers at once. */
  | "answers"
  /** The call is in progress, and nothing more comes. */
  | "hangs"

/** The network behind a gateway, under the control of the suite. */
export interface Network {
  /** Sets what happens to calls from now on. */
  readonly next: (scenario: Scenario) => Effect.Effect<void>
  /** Number of calls that the gateway has placed so far. */
  readonly placed: Effect.Effect<number>
  /** The number of calls that have not ended: ringing, or in progress. */
  readonly open: Effect.Effect<number>
  /** Answers every phone that rings. */
  readonly pickUp: Effect.Effect<void>
  /** Declines every call that rings. */
  readonly decline: Effect.Effect<void>
  /**
   * Has a phone call a number of the gateway's `receives`, and call again until it is refused; left out for a gateway
   * that hears no calls.
   */
  readonly call?: (from: E164, to: E164) => Effect.Effect<{ readonly isRefused: Effect.Effect<boolean> }>
}
