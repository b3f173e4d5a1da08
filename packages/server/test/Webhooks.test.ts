import { expect, it } from "@effect/vitest"
import { type WebhookRequest, respond } from "@watchword/send/gateway"
import {
  type HostBody,
  type ReadBody,
  bytes,
  late,
  overloaded,
  parsed,
  tooLarge,
  unreadable
} from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { describe } from "vitest"
import { ask, callingBack, json, service } from "./fixture.ts"

const MAX = 100_000

const signed = { "x-request-signature": "ab" }

/** A service that keeps what its gateways call it back with. */
const calledBack = (calls: Array<WebhookRequest>, status = 200) =>
  service(
    callingBack({
      maxBodyBytes: MAX,
      signatureHeaders: ["x-request-signature"],
      handle: (request) =>
        Effect.sync(() => {
          calls.push(request)
          return respond(status, "taken")
        })
    })
  )

const paths = ["/chatgw/events", "/bizchat/events"] as const

describe.each(paths)("%s", (path) => {
  it.effect("hands over the request as it came, without a key", () => {
    const calls: Array<WebhookRequest> = []
    const rawBody = Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0xff, 0x00, 0x7d)
    return Effect.gen(function* () {
      const headers = { "x-request-signature": "ab", "x-many": ["one", "two"], "content-type": "text/odd" }
      const answer = yield* ask({ path: `${path}?a=1&a=2&b=%20&__proto__=x`, headers, body: bytes(rawBody) })
      expect([answer.status, answer.body]).toEqual([200, "taken"])
      expect(calls).toHaveLength(1)
      expect(calls[0]).toMatchObject({
        method: "POST",
        rawBody,
        headers: { "x-request-signature": "ab", "x-many": "one, two" }
      })
      expect(Object.entries(calls[0]?.query ?? {}).toSorted()).toEqual([
        ["__proto__", "x"],
        ["a", "1"],
        ["b", " "]
      ])
    }).pipe(Effect.provide(calledBack(calls)))
  })

  it.effect("takes a notification of many events", () => {
    const calls: Array<WebhookRequest> = []
    return Effect.gen(function* () {
      const rawBody = new Uint8Array(MAX)
      expect((yield* ask({ path: `${path}?a=1`, headers: signed, body: bytes(rawBody) })).status).toBe(200)
      expect(calls[0]?.rawBody).toHaveLength(rawBody.length)
    }).pipe(Effect.provide(calledBack(calls)))
  })

  it.effect("does not read a body that has no signature", () => {
    const calls: Array<WebhookRequest> = []
    let reads = 0
    const body: ReadBody = ({ end, write }) => {
      reads++
      write(Uint8Array.of(1))
      end()
      return () => {}
    }
    return Effect.gen(function* () {
      expect((yield* ask({ path, body })).status).toBe(401)
      expect(reads).toBe(0)
      yield* ask({ path, headers: signed, body })
      expect(reads).toBe(1)
      expect(calls.map(({ rawBody }) => rawBody.length)).toEqual([0, 1])
    }).pipe(Effect.provide(calledBack(calls, 401)))
  })

  it.effect("answers what the gateway's part of it answers", () =>
    Effect.gen(function* () {
      const answer = yield* ask({ method: "GET", path: `${path}?challenge=1` })
      expect([answer.status, answer.body]).toEqual([401, "taken"])
    }).pipe(Effect.provide(calledBack([], 401)))
  )

  it.effect("refuses a body that is not there as bytes, and says in the log why", () => {
    const calls: Array<WebhookRequest> = []
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(message))
    return Effect.gen(function* () {
      const bodies: ReadonlyArray<readonly [HostBody, number]> = [
        [parsed({ request_id: "1" }), 500],
        [tooLarge, 400],
        [unreadable, 400],
        [overloaded, 503],
        [late, 408],
        [bytes(new Uint8Array(MAX + 1)), 400]
      ]
      for (const [body, status] of bodies) expect((yield* ask({ path, headers: signed, body })).status).toBe(status)
      expect(calls).toEqual([])
      expect(String(logged)).toContain("parsed them already")
    }).pipe(Effect.provide(Layer.merge(calledBack(calls), Logger.layer([logger]))))
  })

  it.effect("is no endpoint for other methods, or below it", () =>
    Effect.gen(function* () {
      for (const method of ["PUT", "DELETE"]) {
        const answer = yield* ask({ path, method })
        expect([answer.status, answer.headers["allow"]]).toEqual([405, "POST, GET"])
      }
      const questions = [{ path: `${path}/more` }, { path: path.toUpperCase() }]
      for (const question of questions) {
        const answer = yield* ask(question)
        expect([answer.status, json(answer)]).toMatchObject([404, { error: "NOT_FOUND" }])
      }
    }).pipe(Effect.provide(calledBack([])))
  )

  it.effect("is no endpoint without a gateway", () =>
    Effect.gen(function* () {
      const answer = yield* ask({ path, body: "{}" })
      expect([answer.status, json(answer)]).toMatchObject([404, { error: "NOT_FOUND" }])
    }).pipe(Effect.provide(service()))
  )
})
