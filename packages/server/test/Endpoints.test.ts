import { expect, it } from "@effect/vitest"
import { type Webhook, respond } from "@watchword/send/gateway"
import { Features } from "@watchword/send/channel/Features"
import * as Endpoints from "../src/internal/Endpoints.ts"
import { within599 } from "@watchword/server/Host"
import { pathBehind } from "../src/internal/NodeMessages.ts"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import { ask, callingBack, createKey, openAccount, service } from "./fixture.ts"

const segment = fc.constantFrom(
  "sms",
  "sdr",
  "webhook",
  "call",
  "flash",
  "cdr",
  "chatgw",
  "bizchat",
  "tdr",
  "events",
  "0199a1c6",
  "SMS",
  "",
  "%2f",
  "%73ms",
  "%ZZ",
  "."
)
const path = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.constantFrom("", "?", "?a=/sms"))
  .map(([segments, query]) => `/${segments.join("/")}${query}`)
const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND")

describe("an endpoint", () => {
  it.effect("is what the handler asks a key or a signature for, and nothing else is", () =>
    Effect.gen(function* () {
      const endpoints = Endpoints.make((yield* Features).map(({ feature }) => feature))
      expect(endpoints.all.length).toBeGreaterThan(8)
      const known = endpoints.all.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, "x") }))
      const guessed = fc.sample(fc.record({ method, path }), 2_000)
      for (const question of [...known, ...guessed]) {
        const { status } = yield* ask(question)
        expect([question, endpoints.has(question.method, question.path)]).toEqual([question, status === 401])
      }
      expect(known.every((question) => endpoints.has(question.method, question.path))).toBe(true)
    }).pipe(Effect.provide(service(callingBack(refusing))))
  )
})

/** A gateway that refuses all events. */
const refusing: Webhook = { maxBodyBytes: 1, signatureHeaders: [], handle: () => Effect.succeed(respond(401)) }

describe("a path behind a prefix", () => {
  it.each([
    ["/v1", "/v1/sms?a", "/sms?a"],
    ["/v1/", "/v1/sms", "/sms"],
    ["/v1", "/v1", "/"],
    ["/v1", "/v1?a=/b/c", "/?a=/b/c"],
    ["/v1", "/v1//sms/../x", "//sms/../x"],
    ["/t/:tenant/v1", "/t/a.b/v1/sms", "/sms"],
    ["/v1", "http://host/v1/sms", "/sms"],
    ["", "/sms", "/sms"]
  ])("%j of %j is %j", (prefix, target, rest) => {
    expect(pathBehind(prefix)(target)).toBe(rest)
  })
})

describe("a status beyond 599", () => {
  it("becomes 486 and a header, where it cannot be sent", () => {
    const answer = { status: 603, headers: { "content-type": "application/json" }, body: '{"error":"DECLINE"}' }
    expect(within599(answer)).toEqual({ ...answer, status: 486, headers: { ...answer.headers, "x-status": "603" } })
    expect(within599({ ...answer, status: 503 }).status).toBe(503)
  })
})

it.effect("a client's address that the host has found is taken as it is", () =>
  Effect.gen(function* () {
    const { id } = yield* openAccount
    const key = yield* createKey(id, { allow: ["203.0.113.7"] })
    const headers = { "x-account-id": id, "x-api-key": key, "x-forwarded-for": "203.0.113.7" }
    const status = (clientAddress: string | null) =>
      Effect.map(ask({ path: "/sms/sdr", headers, remoteAddress: "10.0.0.1", clientAddress }), ({ status }) => status)
    expect(yield* status("203.0.113.7")).toBe(200)
    for (const other of ["10.0.0.1", "198.51.100.1", "unknown", null]) expect(yield* status(other)).toBe(401)
  }).pipe(Effect.provide(service({ trustedProxies: ["10.0.0.0/8", "198.51.100.1"] })))
)
