import { expect, it } from "@effect/vitest"
import * as Errors from "@watchword/schemas/Errors"
import { absent } from "@watchword/server/Host"
import * as Routes from "../src/internal/Routes.ts"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Tracer from "effect/Tracer"
import { describe } from "vitest"
import { ask, createKey, json, openAccount, service } from "./fixture.ts"

const REQUEST_ID = "0c9d7e3a-1111-4222-8333-444455556666"

/** The answer that a host gets from a route with this outcome. */
const answerOf = (route: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>) =>
  Effect.gen(function* () {
    const handle = yield* Routes.toHandle(HttpRouter.add("GET", "/", Effect.orDie(route)))
    const headers = { "x-request-id": REQUEST_ID }
    return yield* handle({ method: "GET", path: "/", headers, body: absent, remoteAddress: null })
  })

describe("an error becomes its envelope", () => {
  const message = "A sentence for people."

  it.effect.each([
    [400, new Errors.BadRequest({ message })],
    [401, new Errors.Unauthorized({ message })],
    [402, new Errors.PaymentRequired({ message })],
    [403, new Errors.Forbidden({ message })],
    [404, new Errors.NotFound({ message })],
    [409, new Errors.Conflict({ message, reason: "in_flight" })],
    [429, new Errors.TooManyRequests({ message, reason: "too_many", retryAfter: 7 })],
    [480, new Errors.TemporaryUnavailable({ message })],
    [486, new Errors.BusyHere({ message })],
    [500, new Errors.InternalServerError({ message })],
    [503, new Errors.ServiceUnavailable({ message })],
    [603, new Errors.Decline({ message })]
  ] as const)("with the status %i", ([status, error]) =>
    Effect.gen(function* () {
      const answer = yield* answerOf(Effect.fail(error))
      expect(answer.status).toBe(status)
      expect(answer.headers).toEqual({
        "cache-control": "no-store",
        "content-type": "application/json",
        "x-content-type-options": "nosniff",
        "x-request-id": REQUEST_ID,
        ...(status === 429 ? { "retry-after": "7" } : {})
      })
      expect(json(answer)).toEqual({
        error: error._tag,
        message,
        request_id: REQUEST_ID,
        ...(status === 400 ? { issues: [] } : {}),
        ...(status === 409 ? { reason: "in_flight" } : {}),
        ...(status === 429 ? { reason: "too_many", retry_after: 7 } : {})
      })
    })
  )
})

describe("a route's answer", () => {
  it.effect("keeps its status, headers and text", () =>
    Effect.gen(function* () {
      const response = HttpServerResponse.text("€", { status: 201, headers: { "x-more": "1" } })
      expect(yield* answerOf(Effect.succeed(response))).toEqual({
        status: 201,
        headers: { "content-type": "text/plain", "x-more": "1", "x-request-id": REQUEST_ID },
        body: "€"
      })
    })
  )

  it.effect("may have no body", () =>
    Effect.gen(function* () {
      expect(yield* answerOf(Effect.succeed(HttpServerResponse.empty()))).toEqual({
        status: 204,
        headers: { "x-request-id": REQUEST_ID },
        body: null
      })
    })
  )
})

/** A tracer, and the spans that it has made. */
const recording = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
const SPAN = "00f067aa0ba902b7"

it.effect("traces requests where there is a tracer, without their secrets", () =>
  Effect.gen(function* () {
    const { spans, tracer } = recording()
    const { id } = yield* openAccount
    const key = yield* createKey(id)
    const headers = { host: "localhost", "x-api-key": key, "x-account-id": id }
    const body = '{"to":"+4915123456789","text":"Your code is 778899"}'
    yield* Effect.withTracer(ask({ path: "/sms", headers, body }), tracer)
    const query = new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": "sesame", api_key: "sesame" })
    yield* Effect.withTracer(ask({ method: "GET", path: `/bizchat/events?${query}`, headers }), tracer)
    const pages = yield* Routes.toHandle(HttpRouter.add("GET", "/pages", HttpServerResponse.empty()))
    const request = { method: "GET", path: `/pages?${query}`, headers, body: absent, remoteAddress: null }
    yield* Effect.withTracer(pages(request), tracer)

    expect(Object.fromEntries(spans[0]?.attributes ?? [])).toMatchObject({
      "http.route": "/sms",
      "http.response.status_code": 200
    })
    const queries = spans.map(({ attributes }) => attributes.get("url.query"))
    const redacted = "hub.mode=REDACTED&hub.verify_token=REDACTED&api_key=REDACTED"
    expect(queries).toEqual([undefined, redacted, redacted])
    expect(JSON.stringify(spans.map(({ attributes, events }) => [...attributes, ...events]))).not.toMatch(
      new RegExp(`778899|4915123456789|sesame|${key}`)
    )
  }).pipe(Effect.provide(service()))
)

describe("a trace that a client names", () => {
  const contexts = [
    { traceparent: `00-${TRACE}-${SPAN}-01` },
    { b3: `${TRACE}-${SPAN}-1` },
    { "x-b3-traceid": TRACE, "x-b3-spanid": SPAN, "x-b3-sampled": "1" }
  ]

  const traceIds = Effect.gen(function* () {
    const { spans, tracer } = recording()
    for (const headers of contexts) yield* Effect.withTracer(ask({ path: "/sms", headers }), tracer)
    return spans.map(({ traceId }) => traceId)
  })

  it.effect("is not continued", () =>
    Effect.gen(function* () {
      const ids = yield* traceIds
      expect(ids).toHaveLength(3)
      expect(ids).not.toContain(TRACE)
    }).pipe(Effect.provide(service()))
  )

  it.effect("is continued where the service trusts its clients", () =>
    Effect.gen(function* () {
      expect(yield* traceIds).toEqual([TRACE, TRACE, TRACE])
    }).pipe(Effect.provide(service({ trustTraceparent: true })))
  )
})
