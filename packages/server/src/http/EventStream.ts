/**
 * Answers that follow one another as server-sent events.
 *
 * A comment every 15 seconds keeps proxies from closing a stream on which nothing happens. It interrupts a look for
 * news without losing any: the stream passes over an event only once the host has it.
 *
 * Source: WHATWG HTML §9.2 (server-sent events).
 */
import type { Principal } from "@watchword/schemas/Account"
import type { Follow } from "@watchword/send/channel/Operation"
import { REQUEST_ID } from "@watchword/api/Headers"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Sse from "effect/encoding/Sse"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { type ApiRequest, headerOf } from "./ApiRequest.ts"
import { NO_STORE } from "./Failures.ts"
import type { HostResponse, HostStream } from "../Host.ts"

const TYPE = "text/event-stream"

const COMMENT_EVERY = "15 seconds"

/** Whether a client asks for a stream. */
export const isWanted = ({ host }: ApiRequest): boolean => headerOf(host, "accept")?.includes(TYPE) === true

export interface Event {
  readonly event: string
  /** The id with which a client that was cut off says where it was; without one it cannot. */
  readonly id: string | undefined
  readonly data: string
}

/** Events that follow one another. Nothing is kept for them before the first is asked for. */
export interface Events {
  /**
   * The event after the last event that was given, or with null the first event; `silence` if there is nothing new
   * yet, null at the end.
   */
  readonly after: (last: Event | null) => Effect.Effect<Event | "silence" | null>
  /** Ends them. Run once, after the last event was requested. */
  readonly end: Effect.Effect<void>
}

/**
 * A stream as an answer.
 *
 * @param mayGoOn whether the client still has access, asked before each event: its key or token may be revoked
 * meanwhile
 */
export const respond = (
  request: ApiRequest,
  events: Events,
  mayGoOn: Effect.Effect<boolean>
): Effect.Effect<HostResponse> =>
  Effect.map(Effect.context<never>(), (context) => ({
    status: 200,
    headers: { ...NO_STORE, [REQUEST_ID]: request.requestId, "content-type": TYPE, "x-accel-buffering": "no" },
    body: piecesOf(events, mayGoOn, context)
  }))

/** The answers of an operation as events, after the last event that a client received. */
export const answerOf =
  <E>({ follow }: Pick<Follow<unknown, unknown, E>, "follow">, encode: (answer: unknown) => unknown) =>
  (request: ApiRequest, principal: Principal, parameters: Parameters, mayGoOn: Effect.Effect<boolean>) =>
    Effect.flatMap(follow(principal, continued(request, parameters)), (following) => {
      const after: Events["after"] = (last) =>
        Effect.map(
          following.after(last?.id ?? null),
          (found) => found && { event: "phones", id: found.id, data: JSON.stringify(encode(found.answer)) }
        )
      return respond(request, { ...following, after }, mayGoOn)
    })

type Parameters = Readonly<Record<string, string>>

/** A client that was cut off says in a header where it was: the id of the last event. */
const continued = ({ host }: ApiRequest, parameters: Parameters): Parameters => {
  const last = headerOf(host, "last-event-id")
  return last === null || last === "" ? parameters : { ...parameters, after: last }
}

const utf8 = new TextEncoder()

const COMMENT = utf8.encode(":\n\n")

const OVER = { done: true, value: undefined } as const

const silence = Effect.succeed("silence" as const)

/** @param context the request's context, in which everything runs */
const piecesOf = (
  { after, end }: Events,
  mayGoOn: Effect.Effect<boolean>,
  context: Context.Context<never>
): HostStream => ({
  [Symbol.asyncIterator]: () => {
    const run = Effect.runForkWith(context)
    let last: Event | null = null
    let waiting: Fiber.Fiber<unknown> | null = null
    let isOver = false

    const close = async () => {
      if (isOver) return OVER
      isOver = true
      waiting?.interruptUnsafe()
      await settled(run(end))
      return OVER
    }

    const next = async () => {
      if (isOver) return OVER
      const asked = run(Effect.timeoutOrElse(after(last), { duration: COMMENT_EVERY, orElse: () => silence }))
      waiting = asked
      const found = await settled(asked)
      if (found._tag === "Failure" || found.value === null) return close()
      const may = await settled(run(mayGoOn))
      if (may._tag === "Failure" || !may.value) return close()
      if (found.value === "silence") return { done: false, value: COMMENT }
      last = found.value
      return { done: false, value: utf8.encode(Sse.encoder.write({ _tag: "Event", ...last })) }
    }

    return { next, return: close }
  }
})

const settled = <A>(fiber: Fiber.Fiber<A>): Promise<Exit.Exit<A>> =>
  new Promise((resolve) => fiber.addObserver(resolve))
