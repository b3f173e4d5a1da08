/**
 * The channels that run beside a channel, for one that works by means of others.
 */
import type { GatewayHealth } from "../gateway/GatewayHealth.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Operations } from "../../channel/Operation.ts"
import type { Network } from "./SandboxPhones.ts"

export interface Sibling {
  readonly channel: { readonly name: string }
  readonly operations: Operations
  /** Whether it has a gateway for live messages. */
  readonly isLive: boolean
  /** What its simulated network does for phones of the sandbox. */
  readonly network: Network | null
  /** The connections of that gateway. */
  readonly health: Effect.Effect<ReadonlyArray<GatewayHealth>>
}

/**
 * All channels of the service. Waits until each has started, so a channel that asks while it starts waits for ever. Read
 * the reference when the channel is made, and run its effect when a sibling is needed.
 */
export const Siblings = Context.Reference<Effect.Effect<ReadonlyArray<Sibling>>>(
  "@watchword/send/internal/channel/Siblings",
  {
    defaultValue: () => Effect.succeed([])
  }
)
