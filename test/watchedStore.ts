/**
 * A store in memory that tells the steps of sends that it is asked for, and fails to open while it is away.
 */
import { makeMemory } from "@watchword/store/MemoryStore"
import type { Service } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"

export const watched = () => {
  const store = makeMemory()
  const steps: Array<string> = []
  const away = { open: false }
  const noted = <A, E>(verb: string, work: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      steps.push(verb)
      return work
    })
  const service: Service = {
    ...store,
    open: (step) => noted("open", away.open ? Effect.fail(unavailable) : store.open(step)),
    close: (step) => noted("close", store.close(step)),
    report: (step) => noted("report", store.report(step))
  }
  return { away, steps, service }
}

const unavailable = new StoreError({ reason: "Unavailable", message: "away" })
