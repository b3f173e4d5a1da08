/**
 * An HTTP client for gateways that speak JSON. It honours `Retry-After`, stops asking a gateway that is down, and
 * repeats a request only where a repeat can do no harm.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { exchange } from "./internal/exchange.ts"
import type { Reply } from "./Reply.ts"

export interface Options {
  /** The address that paths are appended to, with or without a slash at its end. */
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  /** For each request, from the first byte to the last; 10 seconds by default. */
  readonly timeout?: Duration.Input | undefined
}

export interface Request {
  /** Appended to the base address. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Whether the request is idempotent, so that it may be sent again when no answer came. */
  readonly repeatable: boolean
}

export interface Client {
  /** Sends a request. Never fails; a request that certainly never left is sent again at most twice. */
  readonly ask: (request: Request) => Effect.Effect<Reply>

  /** Sends nothing for a while, an hour at most. Requests are `NotAsked` until then. */
  readonly rest: (duration: Duration.Duration) => Effect.Effect<void>

  /** Whether the circuit breaker lets requests through. */
  readonly isUp: Effect.Effect<boolean>
}

/** Makes a client whose circuit breaker lives as long as the scope. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Client, never, Scope> {
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(5),
    openDuration: Schedule.exponential("1 second").pipe(Schedule.upTo({ duration: "1 minute" }))
  }).pipe(Effect.provide(CircuitBreaker.layerStoreMemory()))
  const baseUrl = options.baseUrl.replace(/\/+$/, "")
  const timeout = Duration.toMillis(Duration.fromInputUnsafe(options.timeout ?? "10 seconds"))
  let restsUntil = 0

  const rest = (duration: Duration.Duration) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      restsUntil = Math.max(restsUntil, now + Math.min(Duration.toMillis(duration), LONGEST_REST))
    })

  const ask = Effect.fnUntraced(function* ({ path, body, repeatable }: Request) {
    if ((yield* Clock.currentTimeMillis) < restsUntil) return notAsked("it asked to be left alone for a while")
    let mayHaveLeft = false
    const once = Effect.map(exchange({ url: `${baseUrl}/${path}`, token: options.token, timeout, body }), (reply) => {
      // This attempt never left, but an earlier one may have.
      if (reply._tag === "NotAsked" && mayHaveLeft) return noAnswer(reply.why)
      mayHaveLeft ||= reply._tag !== "NotAsked"
      return reply
    })
    const reply = yield* once.pipe(
      Effect.repeat({ schedule: shortly, while: repeatable ? mayBeRepeated : neverLeft }),
      breaker.execute({ key: "gateway", classify }),
      Effect.catchTag("CircuitBreakerError", () => Effect.succeed(notAsked("it has been failing and is given time")))
    )
    if (asksForRest(reply)) yield* rest(reply.retryAfter)
    return reply
  })

  const isUp = Effect.match(breaker.state("gateway"), {
    onFailure: () => false,
    onSuccess: (state) => state._tag !== "Open"
  })

  return { ask, rest, isUp }
})

const LONGEST_REST = 60 * 60 * 1000

const shortly = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.upTo({ times: 2 }))

const notAsked = (why: string): Reply => ({ _tag: "NotAsked", why })

const noAnswer = (why: string): Reply => ({ _tag: "NoAnswer", why, timedOut: false })

const neverLeft = (reply: Reply): boolean => reply._tag === "NotAsked"

/** A repeat does not help a gateway that is slow or asks for a rest. */
const mayBeRepeated = (reply: Reply): boolean => {
  switch (reply._tag) {
    case "NotAsked":
      return true
    case "NoAnswer":
      return !reply.timedOut
    case "Answer":
    case "Garbled":
      return reply.status >= 500 && reply.retryAfter === null
  }
}

type WithStatus = Extract<Reply, { readonly status: number }>

const asksForRest = (reply: Reply): reply is WithStatus & { readonly retryAfter: Duration.Duration } =>
  (reply._tag === "Answer" || reply._tag === "Garbled") &&
  (reply.status === 429 || reply.status === 503) &&
  reply.retryAfter !== null

// A refusal shows that the gateway works.
const classify = (exit: Exit.Exit<Reply>): CircuitBreaker.Outcome => {
  if (Exit.isFailure(exit)) return CircuitBreaker.failure()
  const works = exit.value._tag === "Answer" && exit.value.status < 500
  return works ? CircuitBreaker.success : CircuitBreaker.failure()
}
