/**
 * Reads of operators that look at many records, in short looks: sends have their turn between two, however many
 * operators ask.
 *
 * A store that answers in this process, such as SQLite, answers a look in one turn of the event loop. There, one look
 * is taken at a time in the whole process, and after a burst of them the event loop is free for twice as long as each
 * look has lasted: a send takes several turns. A cluster's database answers elsewhere, and schedules its own work.
 */
import { TooManyRequests } from "@watchword/schemas/Errors"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Store } from "@watchword/store/Store"

/** The operator whose request runs; null for a command of this machine, and for a page that several follow. */
export const Asker = Context.Reference<string | null>("@watchword/store/internal/SlowReads/Asker", {
  defaultValue: () => null
})

/** The most slow reads of an operator at a time, and of all. */
const MOST_OF_ONE = 2
const MOST = 16

const turn = Semaphore.makeUnsafe(1)

/** Takes one look, which is to last some milliseconds. */
export const look = Effect.fnUntraced(function* <A, E, R>(read: Effect.Effect<A, E, R>) {
  const { manifest } = yield* Store
  if (manifest.cluster) return yield* read
  const found = yield* turn.withPermit(rested(read))
  // A semaphore gives its permit to the first fiber that asks: its waiters run next, before the next read.
  yield* Effect.yieldNow
  return found
})

/** The milliseconds of looks that need no rest: a page's search takes about as long. */
const BURST = 100

/** How long the event loop is to be free for a millisecond of a look. */
const FREE = 2

/** The milliseconds of looks that the event loop has not been free for since, and when the last look ended. */
let owed = 0
let endedAt = 0

const rested = Effect.fnUntraced(function* <A, E, R>(read: Effect.Effect<A, E, R>) {
  const began = performance.now()
  owed = Math.max(0, owed - (began - endedAt) / FREE)
  const found = yield* read
  endedAt = performance.now()
  owed += endedAt - began
  yield* rest((owed - BURST) * FREE)
  return found
})

// Not by Effect's clock, nor by timers that a test has replaced since: either may stand still.
const { clearImmediate, clearTimeout, setImmediate, setTimeout } = globalThis

/** Leaves the event loop free for this time, and for one turn at least. */
const rest = (milliseconds: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const end = () => resume(Effect.void)
    // A Worker may be without it.
    if (milliseconds <= 0 && setImmediate !== undefined) {
      const turn = setImmediate(end)
      return Effect.sync(() => clearImmediate(turn))
    }
    const timer = setTimeout(end, Math.max(0, Math.ceil(milliseconds)))
    return Effect.sync(() => clearTimeout(timer))
  })

let reading = 0
const readingOf = new Map<string, number>()

/** Runs a read of many looks. Fails where its operator, or all of them, have as many under way as may be. */
export const slow = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooManyRequests, R> =>
  Effect.flatMap(Asker, (asker) =>
    Effect.acquireUseRelease(
      enter(asker),
      () => read,
      () => leave(asker)
    )
  )

const enter = (asker: string | null): Effect.Effect<void, TooManyRequests> =>
  Effect.suspend(() => {
    const own = asker === null ? 0 : (readingOf.get(asker) ?? 0)
    if (own >= MOST_OF_ONE || reading >= MOST) return Effect.fail(tooMany)
    reading += 1
    if (asker !== null) readingOf.set(asker, own + 1)
    return Effect.void
  })

const leave = (asker: string | null): Effect.Effect<void> =>
  Effect.sync(() => {
    reading -= 1
    const own = asker === null ? 0 : (readingOf.get(asker) ?? 0) - 1
    if (asker === null) return
    if (own > 0) readingOf.set(asker, own)
    else readingOf.delete(asker)
  })

const tooMany = new TooManyRequests({
  message: "Earlier reads of many records are still running; wait for them.",
  reason: "too_many_reads",
  retryAfter: 5
})

/** Runs scans of one kind after each other. */
export const oneAtATime = (): (<A, E, R>(scan: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TooManyRequests, R>) => {
  const line = Semaphore.makeUnsafe(1)
  return (scan) => slow(line.withPermit(scan))
}
