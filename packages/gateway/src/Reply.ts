/**
 * What one question to a gateway came to.
 *
 * The difference that matters is whether the gateway may have acted: only after `NotAsked` is it certain
 * that it has not; after `NoAnswer` and `Garbled` nobody knows.
 */
import type * as Duration from "effect/Duration"

export type Reply =
  /** The gateway's answer: a status and a JSON value. `retryAfter` is how long it asks to be left alone. */
  | {
      readonly _tag: "Answer"
      readonly status: number
      readonly body: unknown
      readonly retryAfter: Duration.Duration | null
    }
  /** An answer that is not JSON: a proxy's page, or one that broke off. */
  | { readonly _tag: "Garbled"; readonly status: number; readonly retryAfter: Duration.Duration | null }
  /** No connection came about, or the gateway is being left alone. Nothing left this host. */
  | { readonly _tag: "NotAsked"; readonly why: string }
  /** The question may have left, and the answer did not come, or not in time. */
  | { readonly _tag: "NoAnswer"; readonly why: string; readonly timedOut: boolean }
