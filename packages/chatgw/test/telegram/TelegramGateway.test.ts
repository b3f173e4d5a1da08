import { assert, describe, it } from "@effect/vitest"
import type { CodeMessage, RequestStatus } from "@watchword/chatgw/ChatgwGateway"
import * as Telegram from "@watchword/chatgw/telegram"
import type { WebhookRequest } from "@watchword/send/gateway"
import { signCallback } from "@watchword/callback-signature"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { messageTo } from "../message.ts"
import { answer, late } from "../../../../test/provider.ts"
import { refusals, uncertain } from "./faults.ts"
import { type Fault } from "../../../../test/provider.ts"
import { telegramApi, telegramError } from "@watchword/sandbox/http"

const start = Effect.fnUntraced(function* (
  options: { readonly timeout?: number; readonly token?: string; readonly callbackUrl?: string } = {}
) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => telegramApi({ now: () => 1_700_000_000 })),
    (server) => Effect.promise(() => server.stop())
  )
  const gateway = yield* Telegram.make({
    ...options,
    token: Redacted.make(options.token ?? "token"),
    baseUrl: server.url()
  })
  const send = (changes: Partial<CodeMessage> = {}) => gateway.send(messageTo("6789", changes))
  /** The status that a callback is answered with. */
  const receive = Effect.fnUntraced(function* (body: string | Uint8Array, headers: WebhookRequest["headers"]) {
    const rawBody = typeof body === "string" ? new TextEncoder().encode(body) : body
    assert(gateway.webhook !== null)
    return (yield* gateway.webhook.handle({ method: "POST", query: {}, headers, rawBody })).status
  })
  const methods = () => server.calls.map(({ path }) => path.slice(1))
  return { gateway, receive, send, server, methods }
})

describe("a send", () => {
  it.live("asks for what the message asks", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start({ callbackUrl: "https://example.com/ours" })
      const message = messageTo("6789", { ttl: 60 })
      yield* send(message)
      yield* send({ senderUsername: "shop", callbackUrl: "https://example.com/theirs" })
      assert.strictEqual(server.calls[0]?.path, "/sendVerificationMessage")
      assert.deepStrictEqual(server.calls[0]?.body, {
        phone_number: message.to,
        code: "123456",
        ttl: 60,
        payload: message.delivery,
        callback_url: "https://example.com/ours"
      })
      assert.deepInclude(server.calls[1]?.body, {
        sender_username: "shop",
        callback_url: "https://example.com/theirs"
      })
    })
  )

  it.live.each(refusals)("that is refused with %s is rejected with %s", ([code, failure]) =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      for (const status of [200, 400]) {
        if (code.startsWith("FLOOD_WAIT") && status === 400) return
        server.once(telegramError(code, status))
        const outcome = yield* send()
        assert(outcome._tag === "Rejected", `was ${outcome._tag}`)
        assert.strictEqual(outcome.failure._tag, failure)
      }
    })
  )

  it.live.each(uncertain)("is unknown after %s, and not made again", ([_name, fault]) =>
    Effect.gen(function* () {
      const { send, server, methods } = yield* start({ timeout: 1 })
      server.once(late(fault))
      assert.strictEqual((yield* send())._tag, "Unknown")
      assert.deepStrictEqual(methods(), ["sendVerificationMessage"])
      assert.strictEqual((yield* send())._tag, "Accepted")
    })
  )

  const certain: ReadonlyArray<readonly [string, Fault, string]> = [
    ["status 429 and a page", answer(429, "slow down", { "content-type": "text/plain" }), "TEMPORARY_UNAVAILABLE"],
    ["status 401 and a page", answer(401, "who?", { "content-type": "text/plain" }), "SERVICE_UNAVAILABLE"]
  ]

  it.live.each(certain)("is rejected after %s", ([_name, fault, failure]) =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      server.once(fault)
      const outcome = yield* send()
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, failure)
    })
  )

  it.live("is rejected when nothing listens", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      yield* Effect.promise(() => server.stop())
      const outcome = yield* send()
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "TEMPORARY_UNAVAILABLE")
    })
  )

  it.live("is sent to others while the gateway wants a pause for one number", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      server.once(telegramError("FLOOD_WAIT_3600", 420))
      yield* send()
      const outcome = yield* send({ to: messageTo("6780").to })
      assert.strictEqual(outcome._tag, "Accepted")
    })
  )

  it.live("is rejected without asking while the gateway wants a pause", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      server.once(telegramError("FLOOD_WAIT_60", 420))
      yield* send()
      const outcome = yield* send()
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "TEMPORARY_UNAVAILABLE")
      assert.lengthOf(server.calls, 1)
    })
  )

  it.live("is rejected with a wrong token", () =>
    Effect.gen(function* () {
      const { send } = yield* start({ token: "another" })
      const outcome = yield* send()
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, "SERVICE_UNAVAILABLE")
    })
  )

  it.live("never tells code or token", () =>
    Effect.gen(function* () {
      const { send, server } = yield* start()
      const faults: ReadonlyArray<Fault> = [
        telegramError("CODE_INVALID 86420975 token"),
        "drop",
        answer(500, "86420975 token")
      ]
      for (const fault of faults) {
        server.once(fault)
        assert.notMatch(JSON.stringify(yield* send({ code: Redacted.make("86420975") })), /86420975|token/)
      }
    })
  )
})

describe("a send under a probe's request id", () => {
  const probed = Effect.gen(function* () {
    const started = yield* start()
    const probe = yield* started.gateway.checkSendAbility(messageTo("6789").to)
    assert(probe._tag === "Reachable")
    return { ...started, requestId: probe.requestId }
  })

  it.live.each([
    ["before the gateway acted", "drop"],
    ["after the gateway acted", late("drop")]
  ] as const)("goes out once when the connection drops %s", ([_name, answered]) =>
    Effect.gen(function* () {
      const { requestId, send, server } = yield* probed
      server.once(answered)
      const outcome = yield* send({ requestId })
      assert(outcome._tag === "Accepted")
      assert.deepStrictEqual(outcome.refs, [requestId])
      assert.strictEqual(server.requests.size, 1)
    })
  )

  it.live.each([
    ["cannot be made again", undefined],
    ["is refused the second time", telegramError("FLOOD_WAIT_5")],
    ["fails the second time, too", "drop"]
  ] as const)("is unknown when its answer is lost and it %s", ([_name, fault]) =>
    Effect.gen(function* () {
      const { requestId, send, server } = yield* probed
      server.once((_call, take) => {
        take()
        if (fault === undefined) void server.stop()
        else server.once(fault)
        return "drop"
      })
      assert.strictEqual((yield* send({ requestId }))._tag, "Unknown")
    })
  )

  it.live("has gone out where the gateway refuses its repeat as sent already, which needs no further question", () =>
    Effect.gen(function* () {
      const { methods, requestId, send, server } = yield* probed
      server.once(late("drop"))
      assert.strictEqual((yield* send({ requestId }))._tag, "Accepted")
      assert.deepStrictEqual(methods().slice(1), ["sendVerificationMessage", "sendVerificationMessage"])
    })
  )

  it.live("is not taken for another message that went out under it", () =>
    Effect.gen(function* () {
      const { requestId, send } = yield* probed
      yield* send({ requestId })
      assert.strictEqual((yield* send({ requestId, code: Redacted.make("654321") }))._tag, "Unknown")
    })
  )
})

describe("a probe", () => {
  it.live("is unknown when the answer is lost, and not made again", () =>
    Effect.gen(function* () {
      const { gateway, methods, server } = yield* start()
      server.once(late("drop"))
      const probe = yield* gateway.checkSendAbility(messageTo("6789").to)
      assert.strictEqual(probe._tag, "Unknown")
      assert.deepStrictEqual(methods(), ["checkSendAbility"])
    })
  )

  it.live("finds no account where the gateway refunds", () =>
    Effect.gen(function* () {
      const { gateway, server } = yield* start()
      server.once(answer(200, '{"ok":true,"result":{"request_id":"1","is_refunded":true}}'))
      assert.strictEqual((yield* gateway.checkSendAbility(messageTo("6789").to))._tag, "Unreachable")
    })
  )

  it.live("is rejected when the gateway refuses", () =>
    Effect.gen(function* () {
      const { gateway, server } = yield* start()
      server.once(telegramError("BALANCE_NOT_ENOUGH"))
      const probe = yield* gateway.checkSendAbility(messageTo("6789").to)
      assert(probe._tag === "Rejected")
      assert.strictEqual(probe.failure._tag, "SERVICE_UNAVAILABLE")
    })
  )
})

describe("a status", () => {
  const sent = Effect.gen(function* () {
    const started = yield* start()
    const outcome = yield* started.send()
    assert(outcome._tag === "Accepted")
    return { ...started, requestId: outcome.refs[0] ?? "" }
  })

  it.live("is asked for again when the answer is lost", () =>
    Effect.gen(function* () {
      const { gateway, requestId, server } = yield* sent
      server.once("drop")
      server.once(answer(500, "{}"))
      assert.strictEqual((yield* gateway.checkVerificationStatus(requestId, null)).requestId, requestId)
    })
  )

  it.live("is not asked for again with a code, which could count twice", () =>
    Effect.gen(function* () {
      const { gateway, methods, requestId, server } = yield* sent
      server.once(late("drop"))
      const failure = yield* Effect.flip(gateway.checkVerificationStatus(requestId, Redacted.make("000000")))
      assert.strictEqual(failure._tag, "TEMPORARY_UNAVAILABLE")
      assert.deepStrictEqual(methods(), ["sendVerificationMessage", "checkVerificationStatus"])
    })
  )

  it.live.each([
    ["CODE_INVALID", "code_invalid"],
    ["CODE_EXPIRED", "expired"],
    ["CODE_MAX_ATTEMPTS_EXCEEDED", "code_max_attempts_exceeded"]
  ] as const)("makes of the error %s the state %s", ([code, status]) =>
    Effect.gen(function* () {
      const { gateway, requestId, server } = yield* sent
      server.once(telegramError(code))
      const checked = yield* gateway.checkVerificationStatus(requestId, Redacted.make("12"))
      assert.strictEqual(checked.verification?.status, status)
    })
  )

  it.live("takes what it does not know for not said", () =>
    Effect.gen(function* () {
      const { gateway, server } = yield* sent
      const result = {
        request_id: "1",
        phone_number: null,
        delivery_status: { status: "teleported", updated_at: 5 },
        verification_status: null,
        is_refunded: null
      }
      server.once(answer(200, JSON.stringify({ ok: true, result, extra: 1 })))
      assert.deepInclude(yield* gateway.checkVerificationStatus("1", null), {
        requestId: "1",
        delivery: null,
        verification: null,
        isRefunded: false
      })
    })
  )

  it.live("cannot be had while the gateway is away", () =>
    Effect.gen(function* () {
      const { gateway, requestId, server } = yield* sent
      yield* Effect.promise(() => server.stop())
      const failure = yield* Effect.flip(gateway.checkVerificationStatus(requestId, null))
      assert.strictEqual(failure._tag, "TEMPORARY_UNAVAILABLE")
    })
  )
})

describe("a gateway that is down", () => {
  it.live("is not asked any more after failures about five numbers, and shows as down", () =>
    Effect.gen(function* () {
      const { gateway, send, server } = yield* start()
      assert.deepStrictEqual(yield* gateway.health, [{ name: "telegram", up: true }])
      for (let times = 0; times < 5; times++) {
        server.once(answer(500, "{}"))
        const { to } = messageTo(String(6780 + times))
        assert.strictEqual((yield* send({ to }))._tag, "Unknown")
      }
      assert.strictEqual((yield* send())._tag, "Rejected")
      assert.lengthOf(server.calls, 5)
      assert.deepStrictEqual(yield* gateway.health, [{ name: "telegram", up: false }])
    })
  )
})

describe("a callback", () => {
  /** A receiver that hands callbacks to the gateway, as the service's own does. */
  const receiving = Effect.gen(function* () {
    let receive: ((body: Uint8Array, headers: WebhookRequest["headers"]) => Effect.Effect<number>) | undefined
    const receiver = createServer((request, response) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      buffer(request)
        .then((rawBody) => (receive === undefined ? 500 : Effect.runPromise(receive(rawBody, headers))))
        .then(
          (status) => response.writeHead(status).end(),
          () => response.destroy()
        )
    })
    yield* Effect.promise(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)))
    yield* Effect.addFinalizer(() => Effect.sync(() => receiver.close()))
    const address = receiver.address()
    const callbackUrl = `http://127.0.0.1:${address === null || typeof address === "string" ? 0 : address.port}`
    const started = yield* start({ callbackUrl })
    receive = started.receive
    const outcome = yield* started.send()
    assert(outcome._tag === "Accepted")
    return { ...started, callbackUrl, requestId: outcome.refs[0] ?? "" }
  })

  it.live("is handed on", () =>
    Effect.gen(function* () {
      const { gateway, requestId, server } = yield* receiving
      const reported: Array<RequestStatus> = []
      yield* gateway.events((status) => Effect.sync(() => void reported.push(status)))
      assert.strictEqual(yield* Effect.promise(() => server.report(requestId, { delivery: "delivered" })), 200)
      assert.lengthOf(reported, 1)
      assert.deepInclude(reported[0], { requestId, delivery: { status: "delivered", updatedAt: 1_700_000_000 } })
      assert.isNotNull(reported[0]?.of)
    })
  )

  it.live("is not acknowledged before it is handled", () =>
    Effect.gen(function* () {
      const { gateway, requestId, server } = yield* receiving
      yield* gateway.events(() => new StoreError({ reason: "Unavailable", message: "away" }))
      assert.strictEqual(yield* Effect.promise(() => server.report(requestId, { delivery: "delivered" })), 503)
    })
  )

  /** The gateway's events from signed bodies. */
  const told = Effect.fnUntraced(function* (...bodies: ReadonlyArray<string>) {
    const { gateway, receive } = yield* start()
    const reported: Array<RequestStatus> = []
    yield* gateway.events((status) => Effect.sync(() => void reported.push(status)))
    const statuses: Array<number> = []
    for (const body of bodies) {
      const headers = yield* Effect.promise(() => signCallback(body, { accessToken: "token" }))
      statuses.push(yield* receive(body, { ...headers }))
    }
    return { reported, statuses }
  })

  it.live("may have the verification's state as its own", () =>
    Effect.gen(function* () {
      const { reported } = yield* told('{"request_id":"1","status":"code_valid"}', '{"request_id":"2"}')
      assert.deepStrictEqual(
        reported.map((status) => [status.requestId, status.verification?.status]),
        [
          ["1", "code_valid"],
          ["2", undefined]
        ]
      )
    })
  )

  it.live.each([
    ['{"request_id":"1","is_refunded":true,"delivery_status":7}', { isRefunded: true, delivery: null }],
    ['{"request_id":"1","is_refunded":true,"delivery_status":{"status":7}}', { isRefunded: true, delivery: null }],
    ['{"request_id":"1","is_refunded":"yes","payload":5}', { isRefunded: false, of: null }],
    [
      '{"request_id":"1","delivery_status":{"status":"read","updated_at":1700000000.9}}',
      { delivery: { status: "read", updatedAt: 1_700_000_000 } }
    ]
  ] as const)("is taken for what can be read of it: %s", ([body, expected]) =>
    Effect.gen(function* () {
      const { reported, statuses } = yield* told(body)
      assert.deepStrictEqual(statuses, [200])
      assert.deepInclude(reported[0], expected)
    })
  )

  it.live("without a readable time counts from now", () =>
    Effect.gen(function* () {
      const before = Math.floor(Date.now() / 1000)
      for (const time of ['"soon"', "1e300", "null", "-1e300"]) {
        const { reported } = yield* told(`{"request_id":"1","delivery_status":{"status":"read","updated_at":${time}}}`)
        assert.isAtLeast(reported[0]?.delivery?.updatedAt ?? 0, before)
        assert.isTrue(Number.isSafeInteger(reported[0]?.delivery?.updatedAt))
      }
    })
  )

  it.live("that is forged is refused and not handed on", () =>
    Effect.gen(function* () {
      const { gateway, receive } = yield* start()
      yield* gateway.events(() => Effect.die("handed on"))
      const headers = { "x-request-timestamp": "1", "x-request-signature": "0".repeat(64) }
      assert.strictEqual(yield* receive("{}", headers), 401)
      const body = '{"request_id":"1"}'
      const signed = yield* Effect.promise(() => signCallback(body, { accessToken: "another" }))
      assert.strictEqual(yield* receive(body, { ...signed }), 401)
    })
  )

  it.live("that is signed and no event is answered 400", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* told("{", "[]", '{"request_id":7}')).statuses, [400, 400, 400])
    })
  )

  it.live("is a POST", () =>
    Effect.gen(function* () {
      const { gateway } = yield* start()
      assert(gateway.webhook !== null)
      const asked = gateway.webhook.handle({ method: "GET", query: {}, headers: {}, rawBody: new Uint8Array() })
      assert.strictEqual((yield* asked).status, 405)
    })
  )
})
