/**
 * Batches of steps: all steps waiting at the same time go to the server as one call, on one connection. The next call
 * takes the steps that arrived during the previous one, so no step waits for a timer.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { failWith } from "./Connections.ts"
import { Failure, closedError } from "./failures.ts"
import { retry } from "./retry.ts"

/** Makes a step, either of a send or of counters, that passes its answer on. */
export type Making<S, A> = (answer: (answer: A) => void) => S

export interface Batches<S> {
  /** Fails if too many steps are already waiting. */
  readonly submit: <A>(make: Making<S, A>) => Effect.Effect<A, StoreError>
  /** Finishes the steps that are waiting, and accepts no more. */
  readonly drain: () => Promise<void>
}

/**
 * Runs steps in one transaction, and resolves to functions that answer them, in order. Rejects with a `Failure`. The
 * timeout is the lock timeout in milliseconds.
 */
type Run<S> = (steps: ReadonlyArray<S>, lockTimeout: number) => Promise<ReadonlyArray<() => void>>

export interface Options<S> {
  /** The maximum number of steps in one call. */
  readonly limit: number
  /** The maximum number of steps that wait for a call. */
  readonly waiting: number
  readonly run: Run<S>
}

interface Waiting<S> {
  readonly step: S
  readonly fail: (error: unknown) => void
}

/**
 * In milliseconds: the lock timeout of a batch, and of each step that is retried by itself after its batch timed out.
 */
const LOCK_TIMEOUT = 5_000
const LOCK_TIMEOUT_AGAIN = 20

export const make = <S>({ limit, run, waiting }: Options<S>): Batches<S> => {
  const queue: Array<Waiting<S>> = []
  let flushing: Promise<void> | null = null
  let closed = false

  const submit = <A>(make: Making<S, A>): Effect.Effect<A, StoreError> =>
    Effect.callback<A, StoreError>((resume) => {
      if (closed) return resume(Effect.fail(closedError()))
      if (queue.length >= waiting) return resume(Effect.fail(full(waiting)))
      queue.push({
        step: make((answer) => resume(Effect.succeed(answer))),
        fail: (error) => resume(failWith(error))
      })
      flushing ??= flush()
    })

  const flush = async (): Promise<void> => {
    while (queue.length > 0) {
      // Steps that follow from the answers of the last call arrive within this turn of the event loop, and join this
      // one.
      await new Promise(setImmediate)
      await settle(queue.splice(0, limit), run)
    }
    flushing = null
  }

  const drain = async (): Promise<void> => {
    closed = true
    await flushing
  }

  return { submit, drain }
}

/** Runs steps and passes their answers on. */
const settle = async <S>(
  each: ReadonlyArray<Waiting<S>>,
  run: Run<S>,
  lockTimeout: number = LOCK_TIMEOUT
): Promise<void> => {
  const steps = each.map(({ step }) => step)
  const outcome = await retry(() => run(steps, lockTimeout)).then(
    (answers) => ({ answers }),
    (error: unknown) => ({ error })
  )
  if ("answers" in outcome) return pass(each, outcome.answers)
  const { error } = outcome
  if (each.length === 1 || !mayBeOfOne(error)) {
    for (const { fail } of each) fail(error)
    return
  }
  // A step that fails by itself must not fail the rest of its batch.
  const again = error instanceof Failure && error.kind === "locked" ? LOCK_TIMEOUT_AGAIN : LOCK_TIMEOUT
  for (const one of each) await settle([one], run, again)
}

const pass = <S>(each: ReadonlyArray<Waiting<S>>, answers: ReadonlyArray<() => void>): void => {
  for (const [index, { fail }] of each.entries()) {
    try {
      answers[index]?.()
    } catch (error) {
      fail(error)
    }
  }
}

/** Whether one of several steps may be the cause of an error. */
const mayBeOfOne = (error: unknown): boolean =>
  !(error instanceof Failure) || !(error.uncertain || error.kind === "unavailable")

const full = (waiting: number): StoreError =>
  new StoreError({
    reason: "Unavailable",
    message: `The database is too slow: ${waiting} steps wait for it already.`
  })
