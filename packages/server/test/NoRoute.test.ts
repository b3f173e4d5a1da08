import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { ask, json, service } from "./fixture.ts"

it.effect.each<readonly [string, string, string]>([
  ["GET", "/sms", "POST"],
  ["OPTIONS", "/sms?to=1", "POST"],
  ["HEAD", "/verifications/vrf_1", "GET"],
  ["BREW", "/call/flash/1", "DELETE"],
  ["PUT", "/sandbox/inbox", "GET, DELETE"]
])("a request by another method names those of the path: %s %s", ([method, path, allow]) =>
  Effect.gen(function* () {
    const answer = yield* ask({ method, path })
    expect([answer.status, answer.headers["allow"]]).toEqual([405, allow])
    expect(json(answer)).toMatchObject({ error: "METHOD_NOT_ALLOWED", request_id: expect.any(String) })
  }).pipe(Effect.provide(service()))
)

it.effect("a browser's preflight is told that there is no CORS, and gets none of its headers", () =>
  Effect.gen(function* () {
    const headers = { origin: "https://shop.example", "access-control-request-method": "POST" }
    const answer = yield* ask({ method: "OPTIONS", path: "/sms", headers })
    expect(json(answer)).toMatchObject({ message: expect.stringContaining("no CORS") })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
  }).pipe(Effect.provide(service()))
)

it.effect.each<readonly [string, string]>([
  ["/sms/", "leave out the slash"],
  ["/sms/1/sdr//", "leave out the slash"],
  ["/", "at /docs"],
  ["/docs?x=1", "at /docs"],
  ["/nope/", "There is no such endpoint."],
  ["/sms/docs", "There is no such endpoint."]
])("a request without an endpoint is told what may be wrong: %s", ([path, message]) =>
  Effect.gen(function* () {
    const answer = yield* ask({ method: "GET", path })
    expect([answer.status, answer.headers["allow"]]).toEqual([404, undefined])
    expect(json(answer)).toMatchObject({ error: "NOT_FOUND", message: expect.stringContaining(message) })
  }).pipe(Effect.provide(service()))
)
