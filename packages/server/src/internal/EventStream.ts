/**
 * Answers of an operation as server-sent events.
 *
 * A comment every 15 seconds keeps proxies from closing a stream on which nothing happens. It gives up a look for news, which
 * loses none: only an event that was given to the host is left behind.
 *
 * Source: WHATWG HTML §9.2 (server-sent events).
 */
import { REQUEST_ID } from "@watchword/api/Headers"
import type { Principal } from "@watchword/schemas/Account"
import type { Follow, Following } from "@watchword/send/channel/Operation"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Sse from "effect/encoding/Sse"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { type ApiRequest, headerOf } from "../http/ApiRequest.ts"
import { NO_STORE } from "../http/Failures.ts"
import type { HostResponse, HostStream } from "../Host.ts"

const TYPE = "text/event-stream"

/** The name of the events. */
const EVENT = "phones"

const COMMENT_EVERY = "15 seconds"

/** Whether a client asks for a stream. */
export const isWanted = ({ host }: ApiRequest): boolean => headerOf(host, "accept")?.includes(TYPE) === true

type Parameters = Readonly<Record<string, string>>

/** How an answer is written in an event. */
type Encode = (answer: unknown) => unknown

export const answerOf =
  <E>({ follow }: Pick<Follow<unknown, unknown, E>, "follow">, encode: Encode) =>
  (
    request: ApiRequest,
    principal: Principal,
    parameters: Parameters,
    mayGoOn: Effect.Effect<boolean>
  ): Effect.Effect<HostResponse, unknown> =>
    Effect.flatMap(follow(principal, continued(request, parameters)), (following) =>
      Effect.contextWith((context: Context.Context<never>) => {
        const headers = {
          ...NO_STORE,
          [REQUEST_ID]: request.requestId,
          "content-type": TYPE,
          "x-accel-buffering": "no"
        }
        return Effect.succeed({ status: 200, headers, body: piecesOf(following, encode, mayGoOn, context) })
      })
    )

/** A client that was cut off says by a header where it was: the id of the last event. */
const continued = ({ host }: ApiRequest, parameters: Parameters): Parameters => {
  const last = headerOf(host, "last-event-id")
  return last === null || last === "" ? parameters : { ...parameters, after: last }
}

const utf8 = new TextEncoder()

const COMMENT = utf8.encode(":\n\n")

const OVER = { done: true, value: undefined } as const

const silence = Effect.succeed("silence" as const)

/**
 * @param mayGoOn whether the key still may, asked before each event: it may be revoked, or its account suspended, meanwhile
 * @param context of the request, in which all runs
 */
const piecesOf = (
  { after, end }: Following<unknown>,
  encode: Encode,
  mayGoOn: Effect.Effect<boolean>,
  context: Context.Context<never>
): HostStream => ({
  [Symbol.asyncIterator]: () => {
    const run = Effect.runForkWith(context)
    let last: string | null = null
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
      const { answer, id } = found.value
      last = id
      const data = JSON.stringify(encode(answer))
      return { done: false, value: utf8.encode(Sse.encoder.write({ _tag: "Event", event: EVENT, id, data })) }
    }

    return { next, return: close }
  }
})

const settled = <A>(fiber: Fiber.Fiber<A>): Promise<Exit.Exit<A>> =>
  new Promise((resolve) => fiber.addObserver(resolve))
