/**
 * Channels that cannot be reached: a step by one would keep its user waiting for a connection that has been away for a
 * while.
 *
 * Only connections that last are looked at, which have a window and come back by themselves. A gateway without learns
 * from a send that its peer is back, and refuses at once while it is sure that it is not.
 */
import type { Principal } from "@watchword/schemas/Account"
import type { StepChannel } from "@watchword/schemas/Verification"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CodeChannel, CodeChannels } from "./CodeChannels.ts"

export interface Outages {
  /** Notes which channels are down. Run every second; where nothing is run, none counts as down. */
  readonly look: Effect.Effect<void>
  /** Whether all connections of a channel's live gateway have been down for some seconds. */
  readonly isDown: (principal: Principal, channel: StepChannel) => boolean
}

/** Milliseconds. A connection that is being made, or made again, is waited for. */
const DOWN_FOR = 5_000

export const make = ({ all }: CodeChannels): Outages => {
  /** When each channel was first seen down. */
  const since = new Map<string, number>()
  const down = new Set<string>()

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { health, name } of all) {
      const first = areDown(yield* health) ? (since.get(name) ?? now) : null
      if (first === null) since.delete(name)
      else since.set(name, first)
      if (first !== null && now - first >= DOWN_FOR) down.add(name)
      else down.delete(name)
    }
  })

  return { look, isDown: ({ mode }, channel) => mode === "live" && down.has(channel) }
}

const areDown = (connections: Effect.Success<CodeChannel["health"]>): boolean =>
  connections.length > 0 && connections.every(({ up, window }) => !up && window !== undefined)
