/**
 * Answers of an operation as server-sent events: one event for each, named after its endpoint's path.
 *
 * A comment every 15 seconds keeps proxies from closing a stream on which nothing happens.
 *
 * Source: WHATWG HTML §9.2 (server-sent events).
 */
import { REQUEST_ID } from "@watchword/api/internal/Headers"
import type { Follow } from "@watchword/send/channel/Operation"
import type { Principal } from "@watchword/schemas/Principal"
import * as Effect from "effect/Effect"
import * as Sse from "effect/encoding/Sse"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { type ApiRequest, headerOf } from "./ApiRequest.ts"
import { NO_STORE } from "./Failures.ts"
import type { HostResponse } from "../Host.ts"

const TYPE = "text/event-stream"

/** The name of the events. */
const EVENT = "phones"

const COMMENT_EVERY = "15 seconds"

/** Whether a client asks for a stream. */
export const isWanted = ({ host }: ApiRequest): boolean => headerOf(host, "accept")?.includes(TYPE) === true

type Parameters = Readonly<Record<string, string>>

/** @param encode how each answer is encoded */
export const answerOf =
  <E>({ stream }: Pick<Follow<unknown, unknown, E>, "stream">, encode: ((value: unknown) => unknown) | null) =>
  (request: ApiRequest, principal: Principal, parameters: Parameters): Effect.Effect<HostResponse, unknown> =>
    Effect.flatMap(stream(principal, continued(request, parameters)), (answers) =>
      Effect.contextWith((context) => {
        const events = Stream.map(answers, (answer) => eventOf(encode === null ? null : encode(answer)))
        const pieces = Stream.map(Stream.merge(events, comments, { haltStrategy: "left" }), (text) => utf8.encode(text))
        const headers = {
          ...NO_STORE,
          [REQUEST_ID]: request.requestId,
          "content-type": TYPE,
          "x-accel-buffering": "no"
        }
        return Effect.succeed({ status: 200, headers, body: Stream.toAsyncIterableWith(pieces, context) })
      })
    )

/** A client that was cut off says where it was by a header, whose event has the cursor as its id. */
const continued = ({ host }: ApiRequest, parameters: Parameters): Parameters => {
  const last = headerOf(host, "last-event-id")
  return last === null || last === "" ? parameters : { ...parameters, after: last }
}

const utf8 = new TextEncoder()

const comments = Stream.map(Stream.drop(Stream.tick(COMMENT_EVERY), 1), () => ":\n\n")

const eventOf = (answer: unknown): string => {
  const id = Predicate.hasProperty(answer, "cursor") ? String(answer.cursor) : undefined
  return Sse.encoder.write({ _tag: "Event", event: EVENT, id, data: JSON.stringify(answer) })
}
