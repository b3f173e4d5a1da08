/**
 * What the gateway learns on its own account, on its way to whoever handles it.
 */
import { Register } from "@watchword/store/Register"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Scope } from "effect/Scope"
import type { SmsEvent } from "./SmsGateway.ts"

export type Handle = (event: SmsEvent) => Effect.Effect<void, StoreError>

type Handler = (event: SmsEvent, done: (handled: boolean) => void) => void

/** How many events there may be at a time; what comes on top is not handled, and the carrier sends it again. */
const CAPACITY = 10_000
/** How long a handler whose scope closes may work on what it has begun. */
const GRACE = "5 seconds"

export class Inbox {
  private readonly handlers = new Set<Handler>()
  private waiting: Array<Parameters<Handler>> = []
  private begun = 0

  /** How many events are being handled. */
  get busy(): number {
    return this.begun
  }

  /**
   * Has an event handled by every handler there is, or by the first that comes.
   *
   * @param done is called once, with whether all of them succeeded
   */
  offer(event: SmsEvent, done: (handled: boolean) => void): void {
    if (this.waiting.length + this.begun >= CAPACITY) return done(false)
    if (this.handlers.size === 0) {
      this.waiting.push([event, done])
      return
    }
    let left = this.handlers.size
    let all = true
    this.begun++
    const doneByOne = (handled: boolean): void => {
      all &&= handled
      if (--left > 0) return
      this.begun--
      done(all)
    }
    for (const handler of this.handlers) handler(event, doneByOne)
  }

  add(handler: Handler): void {
    this.handlers.add(handler)
    const waiting = this.waiting
    this.waiting = []
    for (const [event, done] of waiting) this.offer(event, done)
  }

  remove(handler: Handler): void {
    this.handlers.delete(handler)
  }
}

/** Gives every later event to `handle` until the scope closes. Each is handled in a fiber of its own. */
export const subscribe = Effect.fnUntraced(function* (
  inbox: Inbox,
  handle: Handle
): Effect.fn.Return<void, never, Scope> {
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const running = new Register<Fiber.Fiber<void, StoreError>>()
  let count = 0
  const handler: Handler = (event, done) => {
    const fiber = fork(Effect.suspend(() => handle(event)))
    const n = ++count
    running.add(n, fiber)
    fiber.addObserver((exit) => {
      running.delete(n)
      done(Exit.isSuccess(exit))
    })
  }
  yield* Effect.addFinalizer(() => {
    inbox.remove(handler)
    const ended = Effect.forEach(running.all(), Fiber.await, { discard: true })
    return Effect.andThen(
      Effect.timeoutOption(ended, GRACE),
      Effect.suspend(() => Fiber.interruptAll(running.all()))
    )
  })
  inbox.add(handler)
})
