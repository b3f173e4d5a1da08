import { expect, it } from "@effect/vitest"
import { sms as channel } from "@watchword/sms/Sms"
import * as Docs from "@watchword/server/Docs"
import { type Handle, type HostResponse, absent } from "@watchword/server/Host"
import * as Operations from "@watchword/server/Operations"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { ask, json, service } from "./fixture.ts"

const get = (handle: Handle, path: string, method = "GET"): Effect.Effect<HostResponse> =>
  handle({ method, path, headers: {}, body: absent, remoteAddress: null })

const text = ({ body }: HostResponse) => (body instanceof Uint8Array ? new TextDecoder().decode(body) : body)

const up = Operations.answers("store", Effect.void)
const sms = (...states: ReadonlyArray<readonly [name: string, up: boolean]>) =>
  Operations.gateway({ channel, health: Effect.succeed(states.map(([name, up]) => ({ name, up }))) })

describe("/healthz", () => {
  it.effect("answers whatever the checks say", () =>
    Effect.gen(function* () {
      const handle = yield* Operations.make({ checks: [Operations.answers("store", Effect.fail("gone"))] })
      const answer = yield* get(handle, "/healthz")
      expect([answer.status, json(answer)]).toEqual([200, { status: "ok" }])
      expect((yield* get(handle, "/healthz", "HEAD")).status).toBe(200)
    })
  )
})

describe("/readyz", () => {
  const readiness = (checks: ReadonlyArray<Operations.Check>) =>
    Effect.gen(function* () {
      const answer = yield* get(yield* Operations.make({ checks }), "/readyz")
      return [answer.status, json(answer)]
    })

  it.effect("names what is up", () =>
    Effect.gen(function* () {
      expect(yield* readiness([up, sms(["one", true])])).toEqual([
        200,
        { status: "ready", checks: { store: "up", "sms:one": "up" } }
      ])
    })
  )

  it.effect("passes when a gateway can stand in for another, or there are none", () =>
    Effect.gen(function* () {
      expect(yield* readiness([up, sms(["one", false], ["two", true])])).toEqual([
        200,
        { status: "ready", checks: { store: "up", "sms:one": "down", "sms:two": "up" } }
      ])
      expect(yield* readiness([up, sms()])).toEqual([200, { status: "ready", checks: { store: "up" } }])
    })
  )

  it.effect("fails with the store, and when all gateways of a channel are down", () =>
    Effect.gen(function* () {
      const down = Operations.answers("store", Effect.fail("gone"))
      expect(yield* readiness([down, sms(["one", true])])).toEqual([
        503,
        { status: "unavailable", checks: { store: "down", "sms:one": "up" } }
      ])
      expect(yield* readiness([up, sms(["one", false])])).toEqual([
        503,
        { status: "unavailable", checks: { store: "up", "sms:one": "down" } }
      ])
    })
  )

  it.effect("does not wait for a store that never answers", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(readiness([Operations.answers("store", Effect.never)]))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(waiting)).toEqual([503, { status: "unavailable", checks: { store: "down" } }])
    })
  )
})

describe("/metrics", () => {
  it.effect("counts answers by route and status, and tells about the process", () =>
    Effect.gen(function* () {
      const handle = yield* Operations.make({ checks: [] })
      const count = (labels: string) =>
        Effect.map(get(handle, "/metrics"), (answer) => {
          const line = text(answer)
            ?.split("\n")
            .find((line) => line.startsWith(`watchword_http_requests_total{${labels}} `))
          return Number(line?.split(" ")[1] ?? 0)
        })
      const refused = 'method="POST",route="/sms",status="401"'
      const unknown = 'method="any",route="none",status="404"'
      const before = [yield* count(refused), yield* count(unknown)]
      yield* ask({ path: "/sms" })
      yield* ask({ path: "/made-up", method: "BREW" })
      yield* ask({ path: "/made-up-too", method: "GET" })
      expect([yield* count(refused), yield* count(unknown)]).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 2])

      const answer = yield* get(handle, "/metrics")
      expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8")
      expect(text(answer)).not.toContain("made-up")
      expect(text(answer)).toMatch(/^process_resident_memory_bytes \d+$/m)
      expect(text(answer)).toMatch(/^process_uptime_seconds [\d.]+$/m)
    }).pipe(Effect.provide(service()))
  )
})

describe("the documentation", () => {
  const pages = (baseUrl: string) => Operations.make({ checks: [], pages: Docs.layer({ baseUrl }) })

  it.effect("has the document, with the address of the interface", () =>
    Effect.gen(function* () {
      const document = json(yield* get(yield* pages("https://otp.example.com/v1"), "/openapi.json"))
      expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: "https://otp.example.com/v1" }] })
    })
  )

  it.effect("has a page that loads nothing from elsewhere", () =>
    Effect.gen(function* () {
      const answer = yield* get(yield* pages("/v1"), "/docs")
      expect(answer.headers["content-type"]).toContain("text/html")
      const page = text(answer) ?? ""
      expect(page).toContain('"/sms/webhook"')
      const markup = page.replaceAll(/<(script|style)\b[^>]*>.*?<\/\1>/gs, "<$1></$1>")
      expect(markup).not.toMatch(/<link|<iframe|<img|\bsrc=|https?:/)
      expect(page).not.toMatch(/url\(["']?(?:https?:)?\/\//)
      expect(answer.headers["content-security-policy"]).toBe(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      )
    })
  )

  it.effect("is there only where it is asked for", () =>
    Effect.gen(function* () {
      const handle = yield* Operations.make({ checks: [] })
      for (const path of ["/docs", "/openapi.json", "/", "/healthz/", "/HEALTHZ", "//metrics"]) {
        const answer = yield* get(handle, path)
        expect([answer.status, json(answer)]).toMatchObject([404, { error: "NOT_FOUND" }])
      }
    })
  )
})
