/**
 * Steps that wait at the same time go to the server as one call, on one connection: the next call takes
 * what has come while the last was under way, so nobody waits for a timer. A step that waits alone goes
 * by itself.
 */
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { Doubt, persist } from "./Connections.ts"
import { closedError } from "./failures.ts"

/** One step of a send. */
export interface Step {
  /** What no two steps of one call may share. */
  readonly keys: ReadonlyArray<string>
}

/** A step that tells its answer when it has one. */
export type Making<S, A> = (answer: (answer: A) => void) => S

export interface Batches<S> {
  readonly submit: <A>(make: Making<S, A>) => Effect.Effect<A, StoreError>
  /** Finishes what waits and takes nothing more. */
  readonly drain: () => Promise<void>
}

export interface Options<S> {
  /** The most steps in one call. */
  readonly limit: number
  /**
   * Does steps in one transaction, and resolves to what answers each, in their order; to null for those that it
   * has not done, and that must be done alone. Rejects with a `Failure`.
   *
   * @param patience in milliseconds: how long to wait for a lock
   */
  readonly run: (steps: ReadonlyArray<S>, patience: number) => Promise<ReadonlyArray<(() => void) | null>>
}

interface Waiting<S> {
  readonly step: S
  readonly refuse: (error: unknown) => void
}

/** In milliseconds: how long steps wait for a lock, and each of those that have waited together already. */
const PATIENCE = 5_000
const HURRY = 20

export const make = <S extends Step>({ limit, run }: Options<S>): Batches<S> => {
  let queue: Array<Waiting<S>> = []
  let flushing: Promise<void> | null = null
  let closed = false

  const submit = <A>(make: Making<S, A>): Effect.Effect<A, StoreError> =>
    Effect.callback<A, StoreError>((resume) => {
      if (closed) return resume(Effect.fail(closedError()))
      queue.push({
        step: make((answer) => resume(Effect.succeed(answer))),
        refuse: (error) => resume(error instanceof Doubt ? error.answer : Effect.die(error))
      })
      flushing ??= flush()
    })

  const flush = async (): Promise<void> => {
    while (queue.length > 0) {
      // Whoever comes in this turn of the event loop comes along: those that were answered come at once again.
      await new Promise(setImmediate)
      await settle(take(), PATIENCE)
    }
    flushing = null
  }

  /** The steps that come next and are in nobody's way; the others stay in their order. */
  const take = (): ReadonlyArray<Waiting<S>> => {
    const taken: Array<Waiting<S>> = []
    const left: Array<Waiting<S>> = []
    const keys = new Set<string>()
    for (const waiting of queue) {
      if (taken.length < limit && !waiting.step.keys.some((key) => keys.has(key))) {
        taken.push(waiting)
        for (const key of waiting.step.keys) keys.add(key)
      } else left.push(waiting)
    }
    queue = left
    return taken
  }

  /** Does steps, and answers them. One that fails by its own fault must not take its neighbours with it. */
  const settle = async (waiting: ReadonlyArray<Waiting<S>>, patience: number): Promise<void> => {
    const steps = waiting.map(({ step }) => step)
    const answers = await persist(() => run(steps, patience)).catch((error: unknown) => new Refusal(error))
    if (!(answers instanceof Refusal)) {
      for (const [index, { refuse }] of waiting.entries()) {
        try {
          answers[index]?.()
        } catch (error) {
          refuse(error)
        }
      }
      for (const [index, each] of waiting.entries()) if (answers[index] === null) await settle([each], patience)
    } else if (waiting.length > 1 && answers.isOfOne) {
      for (const each of waiting) await settle([each], answers.isBusy ? HURRY : PATIENCE)
    } else {
      for (const { refuse } of waiting) refuse(answers.error)
    }
  }

  const drain = async (): Promise<void> => {
    closed = true
    await flushing
  }

  return { submit, drain }
}

/** Why steps were not done. */
class Refusal {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }

  get isBusy(): boolean {
    return this.error instanceof Doubt && this.error.failure.kind === "busy"
  }

  /** Whether one of several steps may be the reason. */
  get isOfOne(): boolean {
    if (!(this.error instanceof Doubt)) return true
    return this.error.failure.kind !== "refused" && this.error.failure.kind !== "lost"
  }
}
