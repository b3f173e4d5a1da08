/**
 * The hook of a simulator, which plays what a send of a sandbox key does not have in common with a live one.
 * `@watchword/sandbox/simulator` has the simulator of a service. Without one a sandbox send goes the way of a live one, for
 * nothing.
 */
import type { TooManyRequests } from "@watchword/schemas/Errors"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Verdict } from "../SendGuard.ts"
import type { Request, SendError, Sent } from "./Request.ts"

/**
 * Asked once the guard has let a send through, before anything of it is on record. A failure refuses the send, which then
 * leaves no record.
 *
 * @param now milliseconds since the epoch
 */
export type Admit = (verdict: Extract<Verdict, { readonly _tag: "Passed" }>, now: number) => TooManyRequests | null

/** The pipeline's way of a send. */
export type Sending = (request: Request, admit?: Admit) => Effect.Effect<Sent, SendError>

export interface Simulator {
  /** The verdict that a number plays in place of the guard's; null where the guard decides. */
  readonly verdict: (to: E164) => Verdict | null

  /** Has the pipeline carry a request of a sandbox key, as it is played. */
  readonly send: (request: Request, sending: Sending) => Effect.Effect<Sent, SendError>
}

/** The simulator of a service; null where nothing is played. Read when the service is made. */
export const Simulator = Context.Reference<Simulator | null>("@watchword/send/Send/Simulator", {
  defaultValue: () => null
})
