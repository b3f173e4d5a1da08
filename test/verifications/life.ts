/**
 * The life of a process that is killed: from its death on none of its steps has an effect, and none answers, as after
 * `kill -9`. Steps are what others see of a process: what it writes to the store and what it asks of gateways.
 */
import type { Service as StoreService } from "@watchword/store/Store"
import * as Effect from "effect/Effect"

export interface Life {
  readonly isDead: () => boolean
  /** Resolves when the process dies. */
  readonly death: Promise<void>
  readonly die: () => void
  /** Has the process die at a later step: 1 is the next. */
  readonly dieAt: (step: number, place: Place) => void
  /** Has it live on, where it has not died yet. */
  readonly spare: () => void
  /** One step of the process. */
  readonly step: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Where in a step a process dies: before its effect, or after it and before its answer. */
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

/** A store as a process sees it. Reads are no steps: they change nothing. */
export const storeOf = (store: StoreService, { step }: Life): StoreService => ({
  ...store,
  open: (request) => step(store.open(request)),
  close: (request) => step(store.close(request)),
  report: (request) => step(store.report(request))
})
