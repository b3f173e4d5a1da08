/**
 * Recording of the events that an implementation emits.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Subscribes until the scope closes, and returns the list that events are appended to. */
export const collect = <Event, E>(
  subscribe: (handle: (event: Event) => Effect.Effect<void, E>) => Effect.Effect<void, never, Scope.Scope>,
  /** Runs after an event was recorded; its failure is the subscriber's. */
  handle: (event: Event) => Effect.Effect<void, E> = () => Effect.void
): Effect.Effect<ReadonlyArray<Event>, never, Scope.Scope> =>
  Effect.suspend(() => {
    const events: Array<Event> = []
    const record = (event: Event) =>
      Effect.suspend(() => {
        events.push(event)
        return handle(event)
      })
    return Effect.as(subscribe(record), events)
  })
