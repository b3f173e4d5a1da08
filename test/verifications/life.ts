/**
 * The life of a process that is killed: after its death, as after `kill -9`, its steps have no effect and never return.
 * Steps are the actions of a process that others see: writes to the store and requests to gateways.
 */
import type { Service as StoreService } from "@watchword/store/Store"
import * as Effect from "effect/Effect"

export interface Life {
  readonly isDead: () => boolean
  /** Resolves when the process dies. */
  readonly death: Promise<void>
  readonly die: () => void
  /** Makes the process die at a later step: 1 is the next one. */
  readonly dieAt: (step: number, place: Place) => void
  /** Lets the process live if it has not died yet. */
  readonly spare: () => void
  /** One step of the process. */
  readonly step: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** When a process dies in a step: before its effect, or after the effect and before the answer. */
export type Place = "before" | "after"

export const begin = (): Life => {
  const death = Promise.withResolvers<void>()
  let dead = false
  let due: { step: number; readonly place: Place } | null = null

  const die = (): void => {
    dead = true
    death.resolve()
  }

  const diesHere = (): Place | null => {
    if (due === null || --due.step > 0) return null
    const { place } = due
    due = null
    return place
  }

  const alive = <A>(answer: A): Effect.Effect<A> => (dead ? Effect.never : Effect.succeed(answer))

  return {
    isDead: () => dead,
    death: death.promise,
    die,
    dieAt: (step, place) => {
      due = { step, place }
    },
    spare: () => {
      due = null
    },
    step: (effect) =>
      Effect.suspend(() => {
        if (dead) return Effect.never
        const place = diesHere()
        if (place === "before") die()
        if (dead) return Effect.never
        const done = place === "after" ? Effect.tap(effect, () => Effect.sync(die)) : effect
        return Effect.matchEffect(done, {
          onFailure: (error) => Effect.andThen(alive(null), Effect.fail(error)),
          onSuccess: alive
        })
      })
  }
}

/** A store as seen by a process. Reads do not count as steps, because they change nothing. */
export const storeOf = (store: StoreService, { step }: Life): StoreService => ({
  ...store,
  open: (request) => step(store.open(request)),
  close: (request) => step(store.close(request)),
  report: (request) => step(store.report(request))
})
