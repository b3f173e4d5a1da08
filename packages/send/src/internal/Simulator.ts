/**
 * The hook of a simulator, which handles the differences between a sandbox key's send and a live one.
 * `@watchword/sandbox/simulator` has the simulator of a service. Without a simulator a sandbox send takes the path of a
 * live one, free of charge.
 */
import type { TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Delivery } from "@watchword/store/Delivery"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Verdict } from "../SendGuard.ts"
import type { Request, SendError, Sent } from "./Request.ts"

/**
 * Asked once the guard has let a send through, before anything of it is on record. A failure refuses the send, which
 * then leaves no record.
 *
 * @param now milliseconds since the epoch
 */
export type Admit = (verdict: Extract<Verdict, { readonly _tag: "Passed" }>, now: number) => TooManyRequests | null

/** The pipeline's way of a send. */
export type Sending = (request: Request, admit?: Admit) => Effect.Effect<Sent, SendError>

export interface Simulator {
  /** The verdict that a number plays instead of the guard's; null if the guard decides. */
  readonly verdict: (to: E164) => Verdict | null

  /** Whether a number has a price: one without a price plays a number that the operator does not send to. */
  readonly isSold: (to: E164) => boolean

  /** Has the pipeline carry a request of a sandbox key, as it is played. */
  readonly send: (request: Request, sending: Sending) => Effect.Effect<Sent, SendError>

  /** Where the sends of channels are played, each under the key of {@link stageOf}. */
  readonly stages: Context.Context<never>
}

/** Where the sandbox sends of a channel are played. */
export interface Stage<out G> {
  readonly gateway: G
  /** The gateway of sends to a number that has a phone; null if it has no phone. */
  readonly onPhone: (account: AccountId, to: E164) => Effect.Effect<G | null, StoreError>
  /** Whether it has taken a message by a phone. */
  readonly isOnPhone: (delivery: Delivery) => boolean
  /** Begins periodic work, and answers one pass of it. Run once the events of the gateway are handled. */
  readonly begin: Effect.Effect<Effect.Effect<void, StoreError>, never, Scope>
  /** Has the events of a record handled that are due. */
  readonly resume: (delivery: Delivery) => Effect.Effect<void, StoreError>
}

/** Opens a stage until the scope closes. */
export type Opening<G> = Effect.Effect<Stage<G>, never, Settings | Store | Scope>

/** The key of a channel's stage, by the key of its gateways. */
export const stageOf = <Id, G>(gateway: Context.Key<Id, G>): Context.Key<StageOf<Id>, Opening<G>> =>
  Context.Service(`${gateway.key}/Stage`)

interface StageOf<in out Id> {
  readonly stageOf: Id
}

/** The simulator of a service; null if nothing is played. Read when the service is made. */
export const Simulator = Context.Reference<Simulator | null>("@watchword/send/Send/Simulator", {
  defaultValue: () => null
})
