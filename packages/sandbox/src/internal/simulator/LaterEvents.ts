/**
 * Later events of a sandbox gateway: receipts and statuses, which follow a second after the outcome is on the record.
 *
 * They wait in one queue with a bound. The queue is not stored: events that are due when the process dies are made
 * again from the records, see `CatchUp.ts`.
 */
import { BackgroundAllowed, forkBackground } from "@watchword/send/pipeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"

export interface LaterEvents<in Event> {
  /** Has events handled after the delay, each again until it is. */
  readonly publish: (events: ReadonlyArray<Event>) => Effect.Effect<void>
  /** Whether the queue takes no more: sends are refused then. */
  readonly isFull: () => boolean
}

/** Handles events, as an `EventHub` does. */
export interface Hub<in Event> {
  readonly publish: (event: Event) => Effect.Effect<void, unknown>
  /** The same from outside of any fiber; `done` is called once. */
  readonly offer: (event: Event, done: (handled: Exit.Exit<void, unknown>) => void) => void
}

/** After how many milliseconds an event follows, and follows again when it could not be handled. */
const DELAY = 1_000
/** How many events may be due at a time. */
const CAPACITY = 100_000

/** Events that are handled as long as the scope lives. */
export const make = <Event>(hub: Hub<Event>): Effect.Effect<LaterEvents<Event>, never, Scope> =>
  Effect.flatMap(BackgroundAllowed, (allowed) => (allowed ? queued(hub) : onRequest(hub)))

/** All events wait equally long, so one fiber takes them in their order. */
const queued = Effect.fnUntraced(function* <Event>(
  hub: Hub<Event>
): Effect.fn.Return<LaterEvents<Event>, never, Scope> {
  const queue = yield* Queue.dropping<{ readonly at: number; readonly event: Event }>(CAPACITY)
  const publishNext = Effect.gen(function* () {
    const { at, event } = yield* Queue.take(queue)
    const early = at - (yield* Clock.currentTimeMillis)
    if (early > 0) yield* Effect.sleep(early)
    hub.offer(event, (handled) => {
      if (Exit.isFailure(handled)) Queue.offerUnsafe(queue, { at: at + DELAY, event })
    })
  })
  yield* Effect.forkScoped(Effect.forever(publishNext))
  return {
    isFull: () => Queue.isFullUnsafe(queue),
    publish: (events) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const event of events) Queue.offerUnsafe(queue, { at: now + DELAY, event })
      })
  }
})

/** Runs in what each request leaves running, for hosts where nothing runs by itself. */
const onRequest = <Event>(hub: Hub<Event>): Effect.Effect<LaterEvents<Event>, never, Scope> =>
  Effect.map(Effect.scope, (scope) => ({
    isFull: () => false,
    publish: (events) => {
      const handled = Effect.forEach(events, (event) => Effect.retry(Effect.sandbox(hub.publish(event)), again), {
        discard: true
      })
      return forkBackground(Effect.delay(handled, DELAY), scope)
    }
  }))

const again = Schedule.spaced(DELAY)
