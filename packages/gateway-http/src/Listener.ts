/**
 * Hands what a gateway learns later to whoever listens. What comes while nobody does waits for the next one
 * who does.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Scope } from "effect/Scope"

export type Handle<Event, E> = (event: Event) => Effect.Effect<void, E>

export interface Listener<Event, E> {
  /** Succeeds when the event has been handled. */
  readonly tell: (event: Event) => Effect.Effect<void, E>
  /** Has events handled until the scope closes. */
  readonly listen: (handle: Handle<Event, E>) => Effect.Effect<void, never, Scope>
}

export const make = <Event, E>(): Listener<Event, E> => {
  const listening = Latch.makeUnsafe(false)
  let current: Handle<Event, E> | null = null

  const tell = (event: Event): Effect.Effect<void, E> =>
    Effect.flatMap(listening.await, () => (current === null ? tell(event) : current(event)))

  const listen = (handle: Handle<Event, E>) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => {
          current = handle
          listening.openUnsafe()
        }),
        () =>
          Effect.sync(() => {
            if (current !== handle) return
            current = null
            listening.closeUnsafe()
          })
      )
    )

  return { tell, listen }
}
