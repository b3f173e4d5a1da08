import { gunzipSync } from "node:zlib"
import { expect, it } from "@effect/vitest"
import { sms as feature } from "@watchword/sms/Sms"
import * as Docs from "@watchword/server/Docs"
import { type HostResponse, absent } from "@watchword/server/Host"
import * as Operations from "../src/internal/Operations.ts"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { ask, json, service } from "./fixture.ts"

const get = (
  { handle }: Operations.Operations,
  path: string,
  { headers = {}, method = "GET" }: { readonly method?: string; readonly headers?: Record<string, string> } = {}
): Effect.Effect<HostResponse> => handle({ method, path, headers, body: absent, remoteAddress: null })

const text = ({ body }: HostResponse) =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : typeof body === "string" ? body : null

const down = Effect.fail(new StoreError({ reason: "Unavailable", message: "gone" }))
const broken = Effect.fail(new StoreError({ reason: "Broken", message: "gone for good" }))
const sms = (...states: ReadonlyArray<readonly [name: string, up: boolean]>) => ({
  feature,
  health: Effect.succeed(states.map(([name, up]) => ({ name, up })))
})

describe("/healthz", () => {
  it.effect("answers 200 with and without the store", () =>
    Effect.gen(function* () {
      for (const store of [Effect.void, down]) {
        const operations = yield* Operations.make({ store, channels: [sms(["one", false])] })
        const answer = yield* get(operations, "/healthz")
        expect([answer.status, json(answer)]).toEqual([200, { status: "ok" }])
        expect((yield* get(operations, "/healthz", { method: "HEAD" })).status).toBe(200)
      }
    })
  )

  it.effect("answers 503 when only a restart of the process can mend the store", () =>
    Effect.gen(function* () {
      const answer = yield* get(yield* Operations.make({ store: broken, channels: [] }), "/healthz")
      expect([answer.status, json(answer)]).toEqual([503, { status: "broken" }])
    })
  )

  it.effect("waits half a second for a store that does not answer", () =>
    Effect.gen(function* () {
      const operations = yield* Operations.make({ store: Effect.never, channels: [] })
      const waiting = yield* Effect.forkChild(get(operations, "/healthz"))
      yield* TestClock.adjust("500 millis")
      expect((yield* Fiber.join(waiting)).status).toBe(200)
    })
  )
})

describe("/readyz", () => {
  const readiness = (store: Operations.Options["store"], ...channels: Operations.Options["channels"]) =>
    Effect.gen(function* () {
      const answer = yield* get(yield* Operations.make({ store, channels }), "/readyz")
      return [answer.status, json(answer)]
    })

  it.effect("names each connection", () =>
    Effect.gen(function* () {
      expect(yield* readiness(Effect.void, sms(["one", true]))).toEqual([
        200,
        { status: "ready", checks: { store: "up", "sms:one": "up" } }
      ])
    })
  )

  it.effect("is ready when a connection can stand in for another, or there are none", () =>
    Effect.gen(function* () {
      expect(yield* readiness(Effect.void, sms(["one", false], ["two", true]))).toEqual([
        200,
        { status: "ready", checks: { store: "up", "sms:one": "down", "sms:two": "up" } }
      ])
      expect(yield* readiness(Effect.void, sms())).toEqual([200, { status: "ready", checks: { store: "up" } }])
    })
  )

  it.effect("is degraded, with 200, when all connections of a channel are down", () =>
    Effect.gen(function* () {
      expect(yield* readiness(Effect.void, sms(["one", false]))).toEqual([
        200,
        { status: "degraded", checks: { store: "up", "sms:one": "down" } }
      ])
    })
  )

  it.effect("fails without the store", () =>
    Effect.gen(function* () {
      for (const store of [down, broken]) {
        expect(yield* readiness(store, sms(["one", true]))).toEqual([
          503,
          { status: "unavailable", checks: { store: "down", "sms:one": "up" } }
        ])
      }
    })
  )

  it.effect("fails while draining, from the moment on that it is told to or the service ends", () =>
    Effect.gen(function* () {
      const operations = yield* Operations.make({ store: Effect.void, channels: [] })
      yield* operations.drain
      const answer = yield* get(operations, "/readyz")
      expect([answer.status, json(answer)]).toEqual([503, { status: "draining", checks: { store: "up" } }])
      expect((yield* get(operations, "/healthz")).status).toBe(200)
      const ended = yield* Effect.scoped(Operations.make({ store: Effect.void, channels: [] }))
      expect((yield* get(ended, "/readyz")).status).toBe(503)
    })
  )

  it.effect("does not wait for a store that never answers", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(readiness(Effect.never))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(waiting)).toEqual([503, { status: "unavailable", checks: { store: "down" } }])
    })
  )

  it.effect("asks the store at most once a second, however many ask", () =>
    Effect.gen(function* () {
      let pings = 0
      const store = Effect.delay(
        Effect.sync(() => void pings++),
        "10 millis"
      )
      const operations = yield* Operations.make({ store, channels: [] })
      const asked = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 500 }, () => get(operations, "/readyz")),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("10 millis")
      yield* Fiber.join(asked)
      expect(pings).toBe(1)
      yield* TestClock.adjust("1 second")
      const later = yield* Effect.forkChild(get(operations, "/readyz"))
      yield* TestClock.adjust("10 millis")
      yield* Fiber.join(later)
      expect(pings).toBe(2)
    })
  )
})

describe("/metrics", () => {
  it.effect("counts answers by route and status, and tells about the process", () =>
    Effect.gen(function* () {
      const operations = yield* Operations.make({ store: Effect.void, channels: [] })
      const count = (labels: string) =>
        Effect.map(get(operations, "/metrics"), (answer) => {
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

      const answer = yield* get(operations, "/metrics")
      expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8")
      expect(text(answer)).not.toContain("made-up")
      expect(text(answer)).toMatch(/^process_resident_memory_bytes \d+$/m)
      expect(text(answer)).toMatch(/^process_uptime_seconds [\d.]+$/m)
    }).pipe(Effect.provide(service()))
  )
})

describe("the documentation", () => {
  const pages = (baseUrl: string) =>
    Operations.make({ store: Effect.void, channels: [], pages: Docs.layer({ baseUrl }) })

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
      expect(page).toContain("<code>/sms/webhook</code>")
      const markup = page.replaceAll(/<(script|style)\b[^>]*>.*?<\/\1>/gs, "<$1></$1>")
      expect(markup).not.toMatch(/<link|<iframe|<img|\bsrc=|\bhref="(?!#|\.\/")/)
      expect(page).not.toMatch(/url\(["']?(?:https?:)?\/\//)
      const hash = "'sha256-[\\w+/]{43}='"
      expect(answer.headers["content-security-policy"]).toMatch(
        new RegExp(
          `^default-src 'none'; style-src ${hash}; script-src ${hash}; ` +
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$"
        )
      )
    })
  )

  it.effect("is made once, and not sent again to a client that has it", () =>
    Effect.gen(function* () {
      const operations = yield* pages("/v1")
      for (const path of ["/docs", "/openapi.json"]) {
        const first = yield* get(operations, path)
        const { etag = "", ...headers } = first.headers
        expect(headers["cache-control"]).toBe("public, max-age=300")
        expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
        // The same bytes: nothing was built, and nothing is encoded again.
        expect((yield* get(operations, path)).body).toBe(first.body)
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const answer = yield* get(operations, path, { headers: { "if-none-match": known } })
          expect([answer.status, answer.body, answer.headers["etag"]]).toEqual([304, null, etag])
        }
        expect((yield* get(operations, path, { headers: { "if-none-match": '"other"' } })).status).toBe(200)
      }
    })
  )

  it.effect("begins with the way to the first verification", () =>
    Effect.gen(function* () {
      const document = json(yield* get(yield* pages("https://otp.example.com/v1"), "/openapi.json"))
      expect(document).toHaveProperty("tags[0].name", "Verifications")
      for (const part of ["## Start here", "x-api-key", "sk_test_", "curl https://otp.example.com/v1/verifications "]) {
        expect(document).toHaveProperty("info.description", expect.stringContaining(part))
      }
    })
  )

  it.effect("is compressed once, for clients that take it, with an ETag of its own", () =>
    Effect.gen(function* () {
      const operations = yield* pages("/v1")
      for (const path of ["/docs", "/openapi.json"]) {
        const plain = yield* get(operations, path)
        const asked = (accepted: string, more: Record<string, string> = {}) =>
          get(operations, path, { headers: { "accept-encoding": accepted, ...more } })
        const zipped = yield* asked("gzip, deflate, br")
        const { etag = "" } = zipped.headers
        expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" })
        expect([plain.headers["content-encoding"], plain.headers["vary"]]).toEqual([undefined, "accept-encoding"])
        expect(etag).not.toBe(plain.headers["etag"])
        const bytes = zipped.body instanceof Uint8Array ? zipped.body : Buffer.alloc(0)
        expect(bytes.length).toBeLessThan(Buffer.byteLength(text(plain) ?? "") / 2)
        expect(gunzipSync(bytes).toString()).toBe(text(plain))
        expect((yield* asked("*")).body).toBe(zipped.body)
        for (const accepted of ["", "br", "identity", "gzip;q=0", "gzip; q=0.0, *"]) {
          expect((yield* asked(accepted)).headers["content-encoding"]).toBe(undefined)
        }
        const known = yield* asked("gzip", { "if-none-match": etag })
        expect([known.status, known.headers["etag"]]).toEqual([304, etag])
        expect((yield* asked("gzip", { "if-none-match": plain.headers["etag"] ?? "" })).status).toBe(200)
      }
    })
  )

  it.effect("is named at the root, and has its address with a slash too", () =>
    Effect.gen(function* () {
      const pages = Docs.layer({ baseUrl: "/v1" })
      const operations = yield* Operations.make({ store: Effect.void, channels: [], pages })
      const root = yield* get(operations, "/")
      expect([root.status, json(root)]).toMatchObject([404, { message: expect.stringContaining("at /docs") }])
      for (const path of ["/docs/", "/healthz/"]) expect((yield* get(operations, path)).status).toBe(200)
    })
  )

  it.effect("is there only where it is asked for", () =>
    Effect.gen(function* () {
      const operations = yield* Operations.make({ store: Effect.void, channels: [] })
      for (const path of ["/docs", "/openapi.json", "/", "/HEALTHZ", "//metrics"]) {
        const answer = yield* get(operations, path)
        expect([answer.status, json(answer)]).toMatchObject([404, { error: "NOT_FOUND" }])
      }
    })
  )
})
