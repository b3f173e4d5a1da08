/**
 * Group commit: all steps that wait at the same time share one transaction and one wait for the disk.
 *
 * The first step that waits asks for a flush at the end of this turn of the event loop, so nobody who is alone
 * waits for a timer. Under load it waits further turns while each brings new steps: a commit costs about the same
 * however many it has. A step is answered only when its transaction is on the disk.
 */
import type { StoreError } from "@watchword/store/StoreError"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Batch } from "./Batch.ts"
import { closedError, isBusy, toCommitError, toStoreError } from "./failures.ts"
import { PATIENCE } from "./patiently.ts"

export interface GroupCommit {
  /** Runs a step in a transaction with others. It must do all of its work or throw. */
  readonly submit: <A>(run: (batch: Batch) => A) => Effect.Effect<A, StoreError>
  /** Commits what waits and takes nothing more. */
  readonly drain: () => void
}

export interface Options {
  /** Begins what the steps of a transaction share. */
  readonly begin: () => Batch
  /** Called when a transaction was rolled back. */
  readonly forget: () => void
  /** The most steps in one transaction. */
  readonly limit: number
}

/** A transaction with more steps than these was one under load. */
const FEW = 4

/** How long the next flush may wait under load, in durations of the last one; and at most, in milliseconds. */
const PAUSE = 1
const LONGEST_PAUSE = 10

interface Failure {
  readonly during: "begin" | "steps" | "commit"
  readonly error: unknown
}

export const make = (db: Database, options: Options): GroupCommit => {
  const begin = db.prepare("BEGIN IMMEDIATE")
  const commit = db.prepare("COMMIT")
  const rollback = db.prepare("ROLLBACK")
  const waiting: Array<Step> = []
  let closed = false
  let scheduled = false
  /** How many steps waited a turn ago. */
  let gathered = 0
  let notBefore = 0
  /** Since when another process has kept this one from writing. */
  let blockedAt: number | null = null

  const submit = <A>(run: (batch: Batch) => A): Effect.Effect<A, StoreError> =>
    Effect.callback<A, StoreError>((resume) => {
      if (closed) return resume(Effect.fail(closedError()))
      waiting.push(makeStep(run, resume))
      if (!scheduled) schedule()
    })

  const schedule = (): void => {
    scheduled = true
    gathered = 0
    setImmediate(gather)
  }

  const gather = (): void => {
    if (waiting.length === gathered || performance.now() >= notBefore) return flush()
    gathered = waiting.length
    setImmediate(gather)
  }

  const flush = (): void => {
    scheduled = false
    const steps = waiting.slice(0, options.limit)
    if (steps.length === 0) return
    const began = performance.now()
    const failure = transact(steps)
    rest(steps.length, began)
    if (failure?.during === "begin" && isBusy(failure.error)) return blocked(failure)
    blockedAt = null
    waiting.splice(0, steps.length)
    if (waiting.length > 0) schedule()
    settle(steps, failure)
  }

  const rest = (steps: number, began: number): void => {
    const now = performance.now()
    notBefore = steps > FEW ? now + Math.min((now - began) * PAUSE, LONGEST_PAUSE) : 0
  }

  /** Tries again in a moment, or sends everybody away. */
  const blocked = (failure: Failure): void => {
    const now = performance.now()
    blockedAt ??= now
    if (!closed && now - blockedAt < PATIENCE) {
      scheduled = true
      setTimeout(flush, 1)
    } else {
      blockedAt = null
      settle(waiting.splice(0), failure)
    }
  }

  const transact = (steps: ReadonlyArray<Step>): Failure | null => {
    let during: Failure["during"] = "begin"
    try {
      begin.run()
      during = "steps"
      const batch = options.begin()
      for (const step of steps) step.attempt(batch)
      batch.write()
      during = "commit"
      commit.run()
      return null
    } catch (error) {
      undo()
      return { during, error }
    }
  }

  const undo = (): void => {
    options.forget()
    try {
      if (db.inTransaction) rollback.run()
    } catch {
      // What cannot be rolled back now is rolled back by whoever opens the file next.
    }
  }

  /** Answers steps. One that fails by its own fault must not take its neighbours with it. */
  const settle = (steps: ReadonlyArray<Step>, failure: Failure | null): void => {
    if (failure === null) {
      for (const step of steps) step.succeed()
      return
    }
    const error = failure.during === "commit" ? toCommitError(failure.error) : toStoreError(failure.error)
    if (error !== null) {
      for (const step of steps) step.fail(error)
    } else if (steps.length === 1) {
      for (const step of steps) step.die(failure.error)
    } else {
      for (const step of steps) settle([step], transact([step]))
    }
  }

  const drain = (): void => {
    closed = true
    db.pragma(`busy_timeout = ${PATIENCE}`)
    while (waiting.length > 0) flush()
  }

  return { submit, drain }
}

interface Step {
  readonly attempt: (batch: Batch) => void
  readonly succeed: () => void
  readonly fail: (error: StoreError) => void
  readonly die: (mistake: unknown) => void
}

const unanswered = Effect.die("a step was answered before it ran")

const makeStep = <A>(run: (batch: Batch) => A, resume: (answer: Effect.Effect<A, StoreError>) => void): Step => {
  let answer: Effect.Effect<A> = unanswered
  return {
    attempt: (batch) => {
      answer = Effect.succeed(run(batch))
    },
    succeed: () => resume(answer),
    fail: (error) => resume(Effect.fail(error)),
    die: (mistake) => resume(Effect.die(mistake))
  }
}
