/**
 * Event handlers in this process.
 *
 * The handlers of one pattern are an endpoint: when one of them fails, all of them are called again, but not the
 * handlers of other patterns. Any process with handlers of a pattern takes its events. The store knows which patterns
 * have handlers, so that events wait for them that happen between the start of a process and its first `on`.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { type Event, type EventOf, matchesEvent } from "@watchword/schemas/Event"
import * as Setting from "@watchword/store/Setting"
import { Settings, type Values } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type AnyEvent, Descriptions, NO_PATTERN, isPattern } from "./Described.ts"

/** An event as handlers get it. The id is the same each time, by which a handler recognizes a repeat. */
export type Handled<P extends string, E extends AnyEvent = Event> = EventOf<P, E> & { readonly id: string }

/** A handler that throws, or takes longer than 15 seconds, is called again. */
export type Handler<P extends string, E extends AnyEvent = Event> = (event: Handled<P, E>) => unknown

export interface Service {
  /**
   * Calls a handler with every event that matches a pattern from now on. Throws `BadRequest` if no event type matches.
   */
  readonly on: <P extends string, E extends AnyEvent>(pattern: P, handler: Handler<P, E>) => () => void
  /** Whether this process has handlers of an endpoint. */
  readonly has: (endpoint: string) => boolean
  /** Calls the handlers of an endpoint, and answers whether all of them have returned. */
  readonly call: (endpoint: string, events: ReadonlyArray<Identified>) => Effect.Effect<boolean>
  /** The endpoints whose handlers are in any process, by the settings of the installation, with their patterns. */
  readonly endpoints: (
    common: Values,
    now: number
  ) => Result.Result<ReadonlyArray<readonly [endpoint: string, pattern: string]>, StoreError>
  /** Counts the handlers of this process that have come and gone. */
  readonly revision: () => number
  /** Writes down which patterns have handlers. */
  readonly note: Effect.Effect<void, StoreError>
}

export class Handlers extends Context.Service<Handlers, Service>()("@watchword/events/internal/Handlers") {}

export type Identified = AnyEvent & { readonly id: string }

const PREFIX = "on:"
const TIMEOUT = "15 seconds"

/** How long the store's note of a pattern counts, and how often it is renewed, in milliseconds. */
const NOTED_FOR = Duration.toMillis("1 day")
const RENEWED_EVERY = Duration.toMillis("1 hour")

const notes = Setting.family({
  prefix: "handlers:",
  title: "pattern with handlers",
  most: 100,
  schema: Schema.Struct({ seen_at: Schema.Int })
})

/** Whether an endpoint represents handlers. */
export const isHandlers = (endpoint: string): boolean => endpoint.startsWith(PREFIX)

type Call = (event: Identified) => unknown

const make: Effect.Effect<Service, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const descriptions = yield* Descriptions
  const calls = new Map<string, Set<Call>>()
  const left = new Set<string>()
  let revision = 0

  const on = <P extends string, E extends AnyEvent>(pattern: P, handler: Handler<P, E>): (() => void) => {
    if (!isPattern(descriptions, pattern)) throw unknownPattern(pattern)
    // Programs without types may leave it out, and would wait for events forever.
    if (typeof handler !== "function") throw new TypeError(`on(${JSON.stringify(pattern)}) needs a function to call`)
    const call: Call = (event) => (isOf<P, E>(pattern, event) ? handler(event) : undefined)
    const endpoint = PREFIX + pattern
    const siblings = calls.get(endpoint) ?? new Set()
    calls.set(endpoint, siblings.add(call))
    left.delete(pattern)
    revision++
    return () => {
      siblings.delete(call)
      if (siblings.size > 0 || calls.get(endpoint) !== siblings) return
      calls.delete(endpoint)
      left.add(pattern)
      revision++
    }
  }

  const call: Service["call"] = (endpoint, events) =>
    Effect.forEach(
      [...(calls.get(endpoint) ?? [])].flatMap((each) => events.map((event) => called(each, event))),
      (outcome) => outcome,
      { concurrency: "unbounded" }
    ).pipe(Effect.map((outcomes) => outcomes.every((isDone) => isDone)))

  const patternsHere = (): ReadonlyArray<string> => [...calls.keys()].map((endpoint) => endpoint.slice(PREFIX.length))

  const endpoints: Service["endpoints"] = (common, now) =>
    Result.map(common.all(notes), (noted) => {
      const recent = [...noted].filter(([pattern, { seen_at }]) => now - seen_at < NOTED_FOR && !left.has(pattern))
      const patterns = new Set([...patternsHere(), ...recent.map(([pattern]) => pattern)])
      return [...patterns].map((pattern) => [PREFIX + pattern, pattern] as const)
    })

  const note = Effect.gen(function* () {
    const patterns = patternsHere()
    if (patterns.length + left.size === 0) return
    const noted = yield* settings.all(null, notes)
    const now = yield* Clock.currentTimeMillis
    for (const pattern of patterns) {
      const { seen_at } = noted.get(pattern) ?? { seen_at: 0 }
      if (now - seen_at >= RENEWED_EVERY) yield* Effect.ignore(settings.note(null, notes.of(pattern), { seen_at: now }))
    }
    for (const pattern of left) {
      yield* Effect.ignore(settings.note(null, notes.of(pattern), null))
      left.delete(pattern)
    }
  })

  return { on, has: (endpoint) => calls.has(endpoint), call, endpoints, revision: () => revision, note }
})

export const layer: Layer.Layer<Handlers, never, Settings> = Layer.effect(Handlers, make)

const called = (call: Call, event: Identified): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => call(event)).pipe(
    Effect.timeout(TIMEOUT),
    Effect.as(true),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("a handler of events failed; it is called again", { type: event.type }, cause), false)
    )
  )

const isOf = <P extends string, E extends AnyEvent>(
  pattern: P,
  event: Identified
): event is Identified & Handled<P, E> => matchesEvent(pattern, event.type)

const unknownPattern = (pattern: string): BadRequest =>
  new BadRequest({ message: `There is no event ${pattern}.`, issues: [{ path: "type", message: NO_PATTERN }] })
