import { assert, describe, it } from "@effect/vitest"
import { Authentication, Http } from "@watchword/send/gateway"
import { parseRetryAfter } from "../../src/internal/gateway/exchange.ts"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { once } from "node:events"
import { createServer } from "node:net"
import { folderForAll } from "../../../../test/folder.ts"
import { occupyThreads } from "../../../../test/threads.ts"
import { type Behave, json, serve } from "./server.ts"

const { file } = folderForAll()

/** A scripted gateway, and a client of it. */
const gateway = Effect.fnUntraced(function* (behave: Behave, timeout = 5) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => serve(behave)),
    (server) => Effect.promise(server.close)
  )
  const http = yield* Http.make({
    baseUrl: server.url,
    authentication: Authentication.bearer(Redacted.make("secret")),
    timeout
  })
  const ask = (repeatable = false, about?: string) => http.ask({ path: "method", body: { a: 1 }, repeatable, about })
  return { ...http, ask, server }
})

const answers = (...behaviours: ReadonlyArray<Behave>): Behave => {
  let asked = 0
  return (...args) => behaviours[Math.min(asked++, behaviours.length - 1)]?.(...args)
}

const ok: Behave = (_seen, response) => json(response, 200, { ok: true })
const drop: Behave = (_seen, _response, request) => request.socket.destroy()
const never: Behave = () => undefined
const failing: Behave = (_seen, response) => json(response, 500, {})

const unused = Effect.promise(async () => {
  const server = await serve(ok)
  await server.close()
  return server.url
})

describe("ask", () => {
  it.live("posts JSON with the token", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* gateway(ok)
      assert.deepStrictEqual(yield* ask(), { _tag: "Answer", status: 200, body: { ok: true }, retryAfter: null })
      assert.deepStrictEqual(server.seen, [{ path: "/method", authorization: "Bearer secret", body: { a: 1 } }])
    })
  )

  it.live("takes a base URL with slashes at its end", () =>
    Effect.gen(function* () {
      const { server } = yield* gateway(ok)
      const http = yield* Http.make({
        baseUrl: `${server.url}///`,
        authentication: Authentication.bearer(Redacted.make("secret"))
      })
      yield* http.ask({ path: "method", body: {}, repeatable: false })
      assert.deepStrictEqual(
        server.seen.map(({ path }) => path),
        ["/method"]
      )
    })
  )

  it.live("reads a sign whose octets come apart", () =>
    Effect.gen(function* () {
      const octets = Buffer.from('{"city":"Köln"}')
      const { ask } = yield* gateway((_seen, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.write(octets.subarray(0, octets.indexOf(0xc3) + 1), () =>
          setImmediate(() => response.end(octets.subarray(octets.indexOf(0xc3) + 1)))
        )
      })
      assert.deepInclude(yield* ask(), { _tag: "Answer", body: { city: "Köln" } })
    })
  )

  it.live("says who asks", () =>
    Effect.gen(function* () {
      let agent: string | undefined
      const { ask } = yield* gateway((_seen, response, request) => {
        agent = request.headers["user-agent"]
        json(response, 200, {})
      })
      yield* ask()
      assert.match(agent ?? "", /^Watchword\/\d+\.\d+\.\d+/)
    })
  )

  it.live("asks nothing where the address or the token fits into no request, and repeats neither", () =>
    Effect.gen(function* () {
      for (const [baseUrl, token] of [
        ["http://127.0.0.1:1", "sec\nret"],
        ["http://user:secret@127.0.0.1:1", "t"],
        ["::secret", "t"]
      ] as const) {
        const http = yield* Http.make({ baseUrl, authentication: Authentication.bearer(Redacted.make(token)) })
        const reply = yield* http.ask({ path: "method", body: {}, repeatable: false })
        assert.deepInclude(reply, { _tag: "NotAsked" })
        assert.notMatch(JSON.stringify(reply), /sec|ret/)
      }
    })
  )

  it.live("writes forms, other methods, headers and credentials", () =>
    Effect.gen(function* () {
      const requests: Array<unknown> = []
      const { server } = yield* gateway((_seen, response, { headers, method, url }) => {
        requests.push([method, url, headers.authorization, headers["content-type"], headers["x-more"]])
        json(response, 200, {})
      })
      const authentication = Authentication.basic("user", Redacted.make("pässword"))
      const http = yield* Http.make({ baseUrl: server.url, authentication })
      const body = { a: "1 & 2", b: 3 }
      const headers = { "x-more": "more" }
      yield* http.ask({ method: "PUT", path: "", headers, body, encoding: "form", repeatable: false })
      const credentials = `Basic ${Buffer.from("user:pässword").toString("base64")}`
      assert.deepStrictEqual(requests, [["PUT", "/", credentials, "application/x-www-form-urlencoded", "more"]])
      assert.deepStrictEqual(server.seen[0]?.body, "a=1+%26+2&b=3")
    })
  )

  it.live("gives refusals as answers", () =>
    Effect.gen(function* () {
      const { ask } = yield* gateway((_seen, response) => json(response, 400, { error: "no" }))
      assert.deepInclude(yield* ask(), { _tag: "Answer", status: 400, body: { error: "no" } })
    })
  )

  it.live("tells JSON from what only looks like it", () =>
    Effect.gen(function* () {
      const kinds: ReadonlyArray<readonly [Record<string, string>, string, "Answer" | "Garbled"]> = [
        [{}, "{}", "Answer"],
        [{ "content-type": "application/json; charset=utf-8" }, "{}", "Answer"],
        [{ "content-type": "application/problem+json" }, "{}", "Answer"],
        [{ "content-type": "application/json" }, "{", "Garbled"],
        [{ "content-type": "application/json" }, "", "Garbled"],
        [{ "content-type": "application/json" }, `"${"x".repeat(1024 * 1024)}"`, "Garbled"],
        [{ "content-type": "text/html" }, "{}", "Garbled"],
        [{ location: "/elsewhere" }, "", "Garbled"]
      ]
      for (const [headers, body, kind] of kinds) {
        const { ask } = yield* gateway((_seen, response) =>
          response.writeHead("location" in headers ? 307 : 200, headers).end(body)
        )
        assert.strictEqual((yield* ask())._tag, kind, JSON.stringify(headers))
      }
    })
  )

  it.live("knows that a question never left when nothing listens", () =>
    Effect.gen(function* () {
      const reasons = [
        [yield* unused, /^ECONNREFUSED$/],
        ["http://host.invalid", /^its name does not resolve \(E\w+\)$/]
      ] as const
      for (const [baseUrl, why] of reasons) {
        const http = yield* Http.make({ baseUrl, authentication: Authentication.bearer(Redacted.make("secret")) })
        const reply = yield* http.ask({ path: "method", body: {}, repeatable: false })
        assert.strictEqual(reply._tag, "NotAsked")
        assert.match(reply._tag === "NotAsked" ? reply.why : "", why)
      }
    })
  )

  it.live("does not ask twice what may not be asked twice", () =>
    Effect.gen(function* () {
      const dropped = yield* gateway(answers(drop, ok))
      assert.deepInclude(yield* dropped.ask(), { _tag: "NoAnswer", timedOut: false })
      assert.lengthOf(dropped.server.seen, 1)
      const failed = yield* gateway(answers(failing, ok))
      assert.deepInclude(yield* failed.ask(), { _tag: "Answer", status: 500 })
      assert.lengthOf(failed.server.seen, 1)
    })
  )

  it.live("asks up to three times what may be repeated", () =>
    Effect.gen(function* () {
      const mended = yield* gateway(answers(drop, failing, ok))
      assert.deepInclude(yield* mended.ask(true), { _tag: "Answer", status: 200 })
      assert.lengthOf(mended.server.seen, 3)
      const broken = yield* gateway(answers(drop))
      assert.deepInclude(yield* broken.ask(true), { _tag: "NoAnswer" })
      assert.lengthOf(broken.server.seen, 3)
    })
  )

  it.live("does not forget that an earlier attempt may have left when a later one cannot", () =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() =>
        serve((_seen, _response, request) => {
          void server.close()
          request.socket.destroy()
        })
      )
      const http = yield* Http.make({
        baseUrl: server.url,
        authentication: Authentication.bearer(Redacted.make("secret"))
      })
      assert.deepInclude(yield* http.ask({ path: "method", body: {}, repeatable: true }), { _tag: "NoAnswer" })
      assert.lengthOf(server.seen, 1)
    })
  )

  it.live("gives up on an answer that does not come, and does not ask again", () =>
    Effect.gen(function* () {
      const silent = yield* gateway(never, 1)
      assert.deepInclude(yield* silent.ask(true), { _tag: "NoAnswer", timedOut: true })
      assert.lengthOf(silent.server.seen, 1)
      const half = yield* gateway((_seen, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "10" }).write("{")
      }, 1)
      assert.deepInclude(yield* half.ask(true), { _tag: "NoAnswer", timedOut: true })
    })
  )

  it.live("knows that a question never left when its time was over before there was a connection", () =>
    Effect.gen(function* () {
      const { server } = yield* gateway(ok)
      const silent = createServer()
      yield* Effect.promise(() => once(silent.listen(0, "127.0.0.1"), "listening"))
      const address = silent.address()
      const port = typeof address === "object" ? address?.port : 0
      const askAt = Effect.fnUntraced(function* (baseUrl: string) {
        const authentication = Authentication.bearer(Redacted.make("secret"))
        const http = yield* Http.make({ baseUrl, authentication, timeout: 1 })
        return yield* http.ask({ path: "method", body: {}, repeatable: false })
      })
      // A name that is not resolved, and TLS that is not answered.
      const release = yield* Effect.promise(() => occupyThreads(file("pipe")))
      const unresolved = yield* Effect.ensuring(
        askAt(server.url.replace("127.0.0.1", "localhost")),
        Effect.promise(release)
      )
      assert.deepInclude(unresolved, { _tag: "NotAsked", timedOut: true })
      assert.lengthOf(server.seen, 0)
      assert.deepInclude(yield* askAt(`https://127.0.0.1:${port}`), { _tag: "NotAsked", timedOut: true })
      silent.close()
    })
  )

  it.live("does not know it of a question on a connection that was there", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* gateway(answers(ok, never), 1)
      yield* ask()
      assert.deepInclude(yield* ask(), { _tag: "NoAnswer", timedOut: true })
      assert.lengthOf(server.seen, 2)
    })
  )

  it.live("gives up in time where it cannot be interrupted too", () =>
    Effect.gen(function* () {
      const { ask } = yield* gateway(never, 1)
      assert.deepInclude(yield* Effect.uninterruptible(ask()), { _tag: "NoAnswer" })
    })
  )

  it.live("never tells the token", () =>
    Effect.gen(function* () {
      const server = yield* gateway(ok)
      const http = yield* Http.make({
        baseUrl: server.server.url,
        authentication: Authentication.bearer(Redacted.make("sec\nret"))
      })
      assert.notInclude(JSON.stringify(yield* http.ask({ path: "method", body: {}, repeatable: false })), "ret")
    })
  )
})

describe("manners", () => {
  it.effect("rests for as long as it is asked to", () =>
    Effect.gen(function* () {
      const server = yield* gateway((_seen, response) => json(response, 429, {}, { "retry-after": "7" }))
      const reply = yield* server.ask(true)
      assert.deepInclude(reply, { _tag: "Answer", status: 429 })
      assert.deepInclude(yield* server.ask(), { _tag: "NotAsked" })
      assert.lengthOf(server.server.seen, 1)
    })
  )

  const busy: Behave = (_seen, response) => json(response, 429, {}, { "retry-after": "3600" })

  it.effect("rests for ten seconds at most when a request about nothing brought it about", () =>
    Effect.gen(function* () {
      const { ask } = yield* gateway(answers(busy, ok))
      yield* ask()
      yield* TestClock.adjust("9999 millis")
      assert.deepInclude(yield* ask(), { _tag: "NotAsked" })
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* ask(), { status: 200 })
    })
  )

  it.effect("has the recipient that brought it about rest, and no other", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* gateway(answers(busy, ok))
      assert.deepInclude(yield* ask(false, "one"), { status: 429 })
      assert.deepInclude(yield* ask(false, "one"), { _tag: "NotAsked" })
      assert.deepInclude(yield* ask(false, "two"), { status: 200 })
      yield* TestClock.adjust("59 minutes")
      assert.deepInclude(yield* ask(false, "one"), { _tag: "NotAsked" })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* ask(false, "one"), { status: 200 })
      assert.lengthOf(server.seen, 3)
    })
  )

  it.effect("rests altogether when three recipients in a row have brought it about, for ten seconds at most", () =>
    Effect.gen(function* () {
      const { ask } = yield* gateway(answers(busy, busy, ok, busy, busy, busy, ok))
      const statuses = []
      for (const about of ["one", "two", "three", "one", "four", "five", "six", "seven"]) {
        const reply = yield* ask(false, about)
        statuses.push(reply._tag === "Answer" ? reply.status : reply._tag)
      }
      // The third was answered, so that the row begins again with the fourth, which already rests by itself.
      assert.deepStrictEqual(statuses, [429, 429, 200, "NotAsked", 429, 429, 429, "NotAsked"])
      yield* TestClock.adjust("10 seconds")
      assert.deepInclude(yield* ask(false, "seven"), { status: 200 })
      assert.deepInclude(yield* ask(false, "one"), { _tag: "NotAsked" })
    })
  )

  it.live("stops asking a gateway that fails, and says so", () =>
    Effect.gen(function* () {
      const { ask, isUp, server } = yield* gateway(failing)
      assert.isTrue(yield* isUp)
      for (let times = 0; times < 5; times++) assert.deepInclude(yield* ask(), { status: 500 })
      assert.isFalse(yield* isUp)
      assert.deepInclude(yield* ask(), { _tag: "NotAsked" })
      assert.lengthOf(server.seen, 5)
    })
  )

  it.live("counts failures about one recipient once", () =>
    Effect.gen(function* () {
      const { ask, isUp } = yield* gateway(failing)
      for (let times = 0; times < 20; times++) yield* ask(false, "one")
      assert.isTrue(yield* isUp)
      for (const about of ["two", "three", "four", "five"]) yield* ask(false, about)
      assert.isFalse(yield* isUp)
    })
  )

  it.live("tries a gateway that failed again before long", () =>
    Effect.gen(function* () {
      const { ask, isUp } = yield* gateway(answers(failing, failing, failing, failing, failing, ok))
      for (let times = 0; times < 5; times++) yield* ask()
      const mended = yield* Effect.repeat(ask(), {
        while: (reply) => reply._tag === "NotAsked",
        schedule: Schedule.spaced("1 second")
      })
      assert.deepInclude(mended, { _tag: "Answer", status: 200 })
      assert.isTrue(yield* isUp)
    })
  )

  it.live("goes on asking a gateway that refuses", () =>
    Effect.gen(function* () {
      const { ask, isUp, server } = yield* gateway((_seen, response) => json(response, 400, {}))
      for (let times = 0; times < 7; times++) yield* ask()
      assert.isTrue(yield* isUp)
      assert.lengthOf(server.seen, 7)
    })
  )
})

describe("a time limit", () => {
  it("is a number of seconds greater than 0", () => {
    assert.strictEqual(Http.secondsOf("timeout", 0.5), 0.5)
    for (const seconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(
        () => Http.secondsOf("timeout", seconds),
        /^timeout must be a number of seconds greater than 0, but is /
      )
    }
  })
})

describe("parseRetryAfter", () => {
  it("reads seconds and dates", () => {
    const now = Date.parse("2026-01-01T00:00:00Z")
    assert.deepStrictEqual(parseRetryAfter("7", now), Duration.seconds(7))
    assert.deepStrictEqual(parseRetryAfter("Thu, 01 Jan 2026 00:00:30 GMT", now), Duration.seconds(30))
    assert.deepStrictEqual(parseRetryAfter("Wed, 31 Dec 2025 23:59:00 GMT", now), Duration.zero)
    assert.isNull(parseRetryAfter("soon", now))
    assert.isNull(parseRetryAfter(null, now))
  })
})
