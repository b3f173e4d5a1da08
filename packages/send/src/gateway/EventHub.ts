/**
 * Delivers events that a gateway receives after `send` has answered: receipts, statuses, ends of calls.
 *
 * - Every subscribed handler is given every event, each in a fiber of its own, until the subscription's scope closes.
 * - An event that finds no handler waits for the first one to subscribe.
 * - At most `capacity` events wait or are being handled. One more is refused, and its source has to send it again.
 * - An event succeeds when all handlers have succeeded, and fails with the first error of any.
 * - A closing subscription gets no more events, and has a grace period to finish those it has begun.
 *
 * @example
 * ```ts
 * import { EventHub } from "@watchword/send/gateway"
 * import * as Console from "effect/Console"
 * import * as Effect from "effect/Effect"
 *
 * const hub = new EventHub<{ readonly id: string }>()
 *
 * const program = Effect.gen(function* () {
 *   yield* hub.subscribe(({ id }) => Console.log(`${id} was delivered`))
 *   yield* hub.publish({ id: "7F3A09" })
 * })
 *
 * await Effect.runPromise(Effect.scoped(program))
 * ```
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"

export type Handler<Event, E> = (event: Event) => Effect.Effect<void, E>

/** An event was not handled: the hub was full, or the handler's scope closed before it had finished. */
export class NotHandled extends Schema.TaggedError<NotHandled>()("NotHandled", {
  reason: Schema.Literals(["Full", "Closed"])
}) {
  override get message(): string {
    return this.reason === "Full" ? "Too many events wait to be handled." : "The handler of events was closed."
  }
}

/** How an event ended. */
export type Handled<E> = Exit.Exit<void, E | NotHandled>

interface Delivery<Event, E> {
  readonly event: Event
  /** The publisher's context; null to handle the event in the subscriber's. */
  readonly context: Context.Context<never> | null
  readonly done: (handled: Handled<E>) => void
}

type Subscriber<Event, E> = (delivery: Delivery<Event, E>) => void

const CAPACITY = 10_000
const GRACE = "5 seconds"

export class EventHub<Event, E = never> {
  readonly #capacity: number
  readonly #subscribers = new Set<Subscriber<Event, E>>()
  readonly #waiting = new Set<Delivery<Event, E>>()
  #handling = 0

  /** @param capacity how many events may wait or be handled at a time; 10,000 by default */
  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity
  }

  /** How many events are being handled. */
  get handling(): number {
    return this.#handling
  }

  /** Publishes an event and succeeds when every handler has. An interrupted publisher takes a waiting event back. */
  publish(event: Event): Effect.Effect<void, E | NotHandled> {
    return Effect.contextWith((context: Context.Context<never>) =>
      Effect.callback<void, E | NotHandled>((resume) => {
        const delivery = { event, context, done: resume }
        this.#offer(delivery)
        return Effect.sync(() => void this.#waiting.delete(delivery))
      })
    )
  }

  /**
   * Publishes an event from outside of any fiber.
   *
   * @param done is called once
   */
  offer(event: Event, done: (handled: Handled<E>) => void): void {
    this.#offer({ event, context: null, done })
  }

  /** Gives every event from now on to the handler, until the scope closes. */
  subscribe(handle: Handler<Event, E>): Effect.Effect<void, never, Scope> {
    return Effect.contextWith((own: Context.Context<Scope>) => {
      // Places that are used again: a set keeps its deleted members, including the events, until a full collection.
      const running: Array<Fiber.Fiber<void, E> | null> = []
      const free: Array<number> = []
      const subscriber: Subscriber<Event, E> = ({ context, done, event }) => {
        const fiber = Effect.runForkWith<never>(context ?? own)(Effect.suspend(() => handle(event)))
        const place = free.pop() ?? running.length
        running[place] = fiber
        fiber.addObserver((exit) => {
          running[place] = null
          free.push(place)
          done(Exit.hasInterrupts(exit) ? closed : exit)
        })
      }
      const left = () => running.filter((fiber) => fiber !== null)
      const finished = Effect.interruptible(Effect.suspend(() => Fiber.awaitAll(left())))
      return Effect.acquireRelease(
        Effect.sync(() => this.#add(subscriber)),
        () =>
          Effect.sync(() => this.#subscribers.delete(subscriber)).pipe(
            Effect.andThen(Effect.timeoutOption(finished, GRACE)),
            Effect.andThen(Effect.suspend(() => Fiber.interruptAll(left())))
          )
      )
    })
  }

  #offer(delivery: Delivery<Event, E>): void {
    if (this.#waiting.size + this.#handling >= this.#capacity) delivery.done(full)
    else if (this.#subscribers.size === 0) this.#waiting.add(delivery)
    else this.#deliver(delivery)
  }

  #add(subscriber: Subscriber<Event, E>): void {
    this.#subscribers.add(subscriber)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const delivery of waiting) this.#deliver(delivery)
  }

  #deliver(delivery: Delivery<Event, E>): void {
    let unfinished = this.#subscribers.size
    let result: Handled<E> = Exit.void
    const done = (handled: Handled<E>): void => {
      if (Exit.isSuccess(result)) result = handled
      if (--unfinished > 0) return
      this.#handling--
      delivery.done(result)
    }
    this.#handling++
    for (const subscriber of this.#subscribers) subscriber({ ...delivery, done })
  }
}

const full: Handled<never> = Exit.fail(new NotHandled({ reason: "Full" }))
const closed: Handled<never> = Exit.fail(new NotHandled({ reason: "Closed" }))
