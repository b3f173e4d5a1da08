/**
 * The outcome of one request to a gateway.
 *
 * It tells whether the request may have had an effect: after `NotAsked` it certainly has not; after `NoAnswer` and
 * `Garbled` it may have.
 */
import type * as Duration from "effect/Duration"

export type Reply =
  /** A status and a JSON value. `retryAfter` is the pause that the gateway asks for. */
  | {
      readonly _tag: "Answer"
      readonly status: number
      readonly body: unknown
      readonly retryAfter: Duration.Duration | null
    }
  /** An answer that is not JSON: the page of a proxy, or a truncated answer. */
  | { readonly _tag: "Garbled"; readonly status: number; readonly retryAfter: Duration.Duration | null }
  /** No connection was established, in time or at all, or the gateway is given a rest. Nothing left this host. */
  | { readonly _tag: "NotAsked"; readonly why: string; readonly timedOut: boolean }
  /** The request may have left, and no answer came, or none in time. */
  | { readonly _tag: "NoAnswer"; readonly why: string; readonly timedOut: boolean }
