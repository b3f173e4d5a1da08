/**
 * An HTTP client for gateways that answer in JSON. It rests when a gateway asks for it, stops asking a gateway that is
 * down, and repeats a request only where a repeat can do no harm.
 *
 * Rests and failures count by recipient, so that one recipient does not close a gateway for all others.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Authentication } from "./Authentication.ts"
import { type Encoding, exchange } from "../internal/gateway/exchange.ts"
import { Rests } from "../internal/gateway/Rests.ts"
import type { Reply } from "./Reply.ts"

export interface Options {
  /** The address that paths are appended to, with or without a slash at its end. */
  readonly baseUrl: string
  readonly authentication: Authentication
  /** Seconds for each request, from the first byte to the last; 10 by default. */
  readonly timeout?: number | undefined
  /** The rest that a reply asks for in its body, or null. `Retry-After` with a status of 429 or 503 counts anyway. */
  readonly restIn?: ((reply: Reply) => Duration.Duration | null) | undefined
}

export interface Request {
  /** POST by default. */
  readonly method?: "POST" | "PUT" | undefined
  /** Appended to the base address; empty for the address itself. */
  readonly path: string
  /** Headers in addition to the authentication headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** `json` by default. The values of a form are texts and numbers. */
  readonly encoding?: Encoding | undefined
  /** Whether the request is idempotent, so that it may be sent again when no answer came. */
  readonly repeatable: boolean
  /**
   * The recipient, or anything else the request is about. A rest covers only this subject, for an hour at most, until
   * several in a row were asked to rest; then, and for requests without a subject, it covers everything for ten seconds
   * at most. Failures about the same count once for the circuit breaker.
   */
  readonly about?: string | undefined
}

export interface Client {
  /** Sends a request. Never fails; a request that certainly never left is sent again at most twice. */
  readonly ask: (request: Request) => Effect.Effect<Reply>

  /** Whether the circuit breaker lets requests through. */
  readonly isUp: Effect.Effect<boolean>
}

/** A number of seconds from the options of a gateway. Throws a `RangeError` that names the option. */
export const secondsOf = (option: string, seconds: number): number => {
  if (Number.isFinite(seconds) && seconds > 0) return seconds
  throw new RangeError(`${option} must be a number of seconds greater than 0, but is ${String(seconds)}`)
}

/** Makes a client whose circuit breaker lives as long as the scope. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Client, never, Scope> {
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(FAILURES),
    openDuration: Schedule.exponential("1 second").pipe(Schedule.upTo({ duration: "1 minute" }))
  }).pipe(Effect.provide(CircuitBreaker.layerStoreMemory()))
  const baseUrl = options.baseUrl.replace(/\/+$/, "")
  const timeout = secondsOf("timeout", options.timeout ?? 10) * 1000
  const rests = new Rests()
  /** The subjects of the failures since the last success. */
  const failed = new Set<string>()

  // A refusal shows that the gateway works.
  const classify = (about: string | undefined) => (exit: Exit.Exit<Reply>) => {
    if (Exit.isSuccess(exit) && exit.value._tag === "Answer" && exit.value.status < 500) {
      failed.clear()
      return CircuitBreaker.success
    }
    if (about === undefined) return CircuitBreaker.failure()
    if (failed.has(about)) return CircuitBreaker.ignored
    failed.add(about)
    // The circuit is open now, and any failure keeps it so.
    if (failed.size >= FAILURES) failed.clear()
    return CircuitBreaker.failure()
  }

  const attempt = ({ body, encoding = "json", headers = {}, method = "POST", path }: Request) =>
    Effect.matchEffect(options.authentication, {
      onFailure: ({ message }) => Effect.succeed(notAsked(message)),
      onSuccess: (credentials) => {
        const url = path === "" ? baseUrl : `${baseUrl}/${path}`
        return exchange({ method, url, headers, credentials, timeout, body, encoding })
      }
    })

  const ask = Effect.fnUntraced(function* (request: Request) {
    const { about, repeatable } = request
    if (rests.isResting(yield* Clock.currentTimeMillis, about)) return notAsked("it asked for a pause")
    let mayHaveLeft = false
    const once = Effect.map(attempt(request), (reply) => {
      // This attempt never left, but an earlier one may have.
      if (reply._tag === "NotAsked" && mayHaveLeft) return noAnswer(reply)
      mayHaveLeft ||= reply._tag !== "NotAsked"
      return reply
    })
    const reply = yield* once.pipe(
      Effect.repeat({ schedule: shortly, while: repeatable ? mayBeRepeated : neverLeft }),
      breaker.execute({ key: "gateway", classify: classify(about) }),
      Effect.catchTag("CircuitBreakerError", () =>
        Effect.succeed(notAsked("it has been failing, so requests to it are paused"))
      )
    )
    const rest = longer(retryAfterIn(reply), options.restIn?.(reply) ?? null)
    if (rest !== null) rests.asked(yield* Clock.currentTimeMillis, Duration.toMillis(rest), about)
    else if (reply._tag === "Answer" && reply.status < 500) rests.answered()
    return reply
  })

  const isUp = Effect.match(breaker.state("gateway"), {
    onFailure: () => false,
    onSuccess: (state) => state._tag !== "Open"
  })

  return { ask, isUp }
})

/** Failures in a row that open the circuit. */
const FAILURES = 5

const shortly = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.upTo({ times: 2 }))

const notAsked = (why: string): Reply => ({ _tag: "NotAsked", why, timedOut: false })

const noAnswer = (reply: Extract<Reply, { _tag: "NotAsked" }>): Reply => ({ ...reply, _tag: "NoAnswer" })

const neverLeft = (reply: Reply): boolean => reply._tag === "NotAsked" && !reply.timedOut

/** A repeat does not help a gateway that is slow or asks for a rest. */
const mayBeRepeated = (reply: Reply): boolean => {
  switch (reply._tag) {
    case "NotAsked":
    case "NoAnswer":
      return !reply.timedOut
    case "Answer":
    case "Garbled":
      return reply.status >= 500 && reply.retryAfter === null
  }
}

const retryAfterIn = (reply: Reply): Duration.Duration | null =>
  (reply._tag === "Answer" || reply._tag === "Garbled") && (reply.status === 429 || reply.status === 503)
    ? reply.retryAfter
    : null

const longer = (one: Duration.Duration | null, other: Duration.Duration | null): Duration.Duration | null =>
  one === null ? other : other === null ? one : Duration.max(one, other)
