import { expect, layer } from "@effect/vitest"
import {
  WatchwordClient,
  layer as clientLayer,
  make as makeClient,
  withIdempotencyKey,
  withRequestId
} from "@watchword/client/effect"
import { serve } from "@watchword/node"
import { ListBody } from "@watchword/pagination/Page"
import { Code } from "@watchword/schemas/Chatgw"
import { LongCode } from "@watchword/schemas/Verification"
import * as Errors from "@watchword/schemas/Errors"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Text } from "@watchword/schemas/Sms"
import { StartVerification } from "@watchword/schemas/Verification"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { createWatchword, memory } from "watchword"

/** A whole service behind node:http, and the facts that a client needs about it. */
class Running extends Context.Service<
  Running,
  { readonly baseUrl: string; readonly accountId: string; readonly apiKey: string; readonly readKey: string }
>()("test/Running") {}

const running = Layer.effect(
  Running,
  Effect.acquireRelease(
    Effect.promise(async () => {
      const service = await createWatchword({ store: memory() })
      const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
      const all = await service.operator.key.create({ account_id: account, sandbox: true })
      const read = await service.operator.key.create({ account_id: account, sandbox: true, scopes: ["sms:read"] })
      const serving = await serve(service, { basePath: "/v1", port: 0 })
      const baseUrl = `http://127.0.0.1:${serving.port}/v1`
      return { service, serving, told: { baseUrl, accountId: account, apiKey: all.key, readKey: read.key } }
    }),
    ({ service, serving }) => Effect.promise(() => serving.close().then(service.dispose))
  ).pipe(Effect.map(({ told }) => told))
)

const client = (choose: (told: Running["Service"]) => string = ({ apiKey }) => apiKey) =>
  Layer.unwrap(
    Effect.map(Running, (told) =>
      clientLayer({ baseUrl: told.baseUrl, accountId: told.accountId, apiKey: Redacted.make(choose(told)) })
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))

let sent = 0
const message = () => ({ to: E164.make(`+4915120${String(100_000 + sent++)}`), text: Text.make("Your code is 123456") })

layer(running)("a client", (it) => {
  it.effect("sends, finds, lists and reports", () =>
    Effect.gen(function* () {
      const { sandbox, sms } = yield* WatchwordClient
      const payload = message()
      const { messageId, ...echo } = yield* sms.send({ payload })
      expect(echo).toEqual({ from: "Acme", to: payload.to })
      expect(yield* sms.get({ params: { messageId } })).toMatchObject({ messageId, to: payload.to })
      const body = yield* Schema.decodeEffect(ListBody)({ filter: { to: payload.to } })
      expect(yield* sms.list({ payload: body })).toMatchObject({ total: 1, list: [{ messageId }] })
      expect(yield* sms.report({ payload: { id: messageId, status: "delivered" } })).toEqual({
        message: "OK",
        id: messageId,
        status: "delivered"
      })
      const inbox = sandbox.inbox({ query: { to: payload.to, wait: 30 } })
      expect(yield* inbox).toMatchObject({ messages: [{ channel: "sms", to: payload.to, code: "123456" }] })
      yield* sandbox.clear()
      expect(yield* sandbox.inbox({ query: { to: payload.to } })).toEqual({ messages: [] })
    }).pipe(Effect.provide(client()))
  )

  it.effect("sends, checks, takes back, lists and reports codes by chat", () =>
    Effect.gen(function* () {
      const { chatgw } = yield* WatchwordClient
      const { to } = message()
      const code = Code.make("0042")
      const probe = yield* chatgw.checkSendAbility({ payload: { to } })
      const sent = yield* chatgw.send({ payload: { to, code, ttl: 60 } })
      expect(sent).toMatchObject({ to, request_id: probe.request_id, status: "sent" })
      const { request_id, uuid } = sent
      const checked = yield* chatgw.checkVerificationStatus({ payload: { request_id, code } })
      expect(checked.verification_status?.status).toBe("code_valid")
      expect(yield* chatgw.get({ params: { uuid } })).toMatchObject({ uuid, verification_status: "code_valid" })
      const body = yield* Schema.decodeEffect(ListBody)({ filter: { to } })
      expect(yield* chatgw.list({ payload: body })).toMatchObject({ total: 1, list: [{ uuid }] })
      const reported = yield* chatgw.report({ payload: { id: uuid, status: "Success" } })
      expect(reported).toEqual({ message: "OK", id: uuid, status: "READ" })
      const other = yield* chatgw.send({ payload: { to, code, ttl: 60 } })
      const revoke = chatgw.revoke({ payload: { request_id: other.request_id } })
      expect(yield* revoke).toMatchObject({ is_refunded: true })
      expect(yield* Effect.flip(revoke)).toBeInstanceOf(Errors.Conflict)
      const withoutAccount = E164.make("+4915123450003")
      expect(yield* Effect.flip(chatgw.send({ payload: { to: withoutAccount, code, ttl: 60 } }))).toBeInstanceOf(
        Errors.NotFound
      )
    }).pipe(Effect.provide(client()))
  )

  it.effect("starts, checks, cancels, lists and reports verifications", () =>
    Effect.gen(function* () {
      const { verify } = yield* WatchwordClient
      const code = LongCode.make("739204")
      const start = (more: object = {}) =>
        Schema.decodeEffect(StartVerification)({ to: message().to, code, ...more }).pipe(
          Effect.flatMap((payload) => verify.start({ payload }))
        )
      const { id, to } = yield* start({ client_ref: "user 7" })
      const check = (code: LongCode) => verify.check({ payload: { verification_id: id, code } })
      expect(yield* check(LongCode.make("000000"))).toMatchObject({ valid: false, checks_left: 4 })
      const named = check(code).pipe(withIdempotencyKey("check-8271"))
      expect(yield* named).toMatchObject({ valid: true, status: "approved" })
      expect(yield* named).toMatchObject({ valid: true, status: "approved" })
      expect(yield* Effect.flip(check(code))).toBeInstanceOf(Errors.Conflict)
      expect(yield* verify.get({ params: { id }, query: {} })).toMatchObject({ id, to, client_ref: "user 7" })
      const body = yield* Schema.decodeEffect(ListBody)({ filter: { to } })
      expect(yield* verify.list({ payload: body })).toMatchObject({ total: 1, list: [{ id }] })

      const other = { params: { id: (yield* start({ workflow: [{ channel: "sms", timeout: 60 }] })).id } }
      const again = yield* Effect.flip(verify.next({ ...other, payload: { channel: "sms" } }))
      expect(again).toBeInstanceOf(Errors.TooManyRequests)
      expect(again).toMatchObject({ reason: "resend_too_soon", retryAfter: expect.any(Number) })
      expect(yield* verify.cancel(other)).toMatchObject({ status: "canceled" })
      const reported = yield* verify.report({ params: { id: (yield* start()).id }, payload: { status: "approved" } })
      expect(reported).toMatchObject({ status: "approved" })
    }).pipe(Effect.provide(client()))
  )

  it.effect("gets errors as their classes, with the correlation id it gave", () =>
    Effect.gen(function* () {
      const { sms } = yield* WatchwordClient
      const id = "0c9d7e3a-1111-4222-8333-444455556666"
      const lost = yield* sms.get({ params: { messageId: "none" } }).pipe(withRequestId(id), Effect.flip)
      expect(lost).toBeInstanceOf(Errors.NotFound)
      expect(lost).toMatchObject({ _tag: "NOT_FOUND", request_id: id })
      const body = yield* Schema.decodeEffect(ListBody)({ sort_by: "nothing" })
      const refused = yield* Effect.flip(sms.list({ payload: body }))
      expect(refused).toBeInstanceOf(Errors.BadRequest)
      expect(refused).toMatchObject({ issues: [{ path: "sort_by" }] })
    }).pipe(Effect.provide(client()))
  )

  it.effect("gets the first answer again under an idempotency key, and a conflict under a correlation id", () =>
    Effect.gen(function* () {
      const { sms } = yield* WatchwordClient
      const payload = message()
      const named = sms.send({ payload }).pipe(withIdempotencyKey("signup-8271"))
      expect(yield* named).toEqual(yield* named)
      const other = message()
      const correlated = sms.send({ payload: other }).pipe(withRequestId("1c9d7e3a-1111-4222-8333-444455556666"))
      yield* correlated
      expect(yield* Effect.flip(correlated)).toBeInstanceOf(Errors.Conflict)
    }).pipe(Effect.provide(client()))
  )

  it.effect("has a key for each send, which a retry of its HttpClient keeps, and follows no redirect", () =>
    Effect.gen(function* () {
      const told = yield* Running
      const asked: Array<{ readonly key: string | null; readonly redirect: RequestRedirect | undefined }> = []
      const fetching: typeof fetch = async (input, init) => {
        asked.push({ key: new Headers(init?.headers).get("idempotency-key"), redirect: init?.redirect })
        const response = await fetch(input, init)
        if (asked.length === 1) throw new TypeError("the connection was cut")
        return response
      }
      // Each request looks up the fetch again.
      const through = Effect.provideService(FetchHttpClient.Fetch, fetching)
      const retrying = Effect.map(HttpClient.HttpClient, HttpClient.retryTransient({ times: 1 }))
      const { sms, verify } = yield* Effect.provide(
        makeClient({ baseUrl: told.baseUrl, accountId: told.accountId, apiKey: Redacted.make(told.apiKey) }),
        Layer.provide(Layer.effect(HttpClient.HttpClient, retrying), FetchHttpClient.layer)
      )
      const payload = message()
      yield* through(sms.send({ payload }))
      const body = yield* Schema.decodeEffect(ListBody)({ filter: { to: payload.to } })
      expect(yield* through(sms.list({ payload: body }))).toMatchObject({ total: 1 })
      const start = yield* Schema.decodeEffect(StartVerification)({ to: message().to })
      yield* through(verify.start({ payload: start }))
      const [cut, again, list, other] = asked.map(({ key }) => key)
      expect(cut).toMatch(/^[0-9a-f-]{36}$/)
      expect([again, list]).toEqual([cut, null])
      expect(other).toMatch(/^[0-9a-f-]{36}$/)
      expect(other).not.toBe(cut)
      expect(asked.map(({ redirect }) => redirect)).toEqual(asked.map(() => "manual"))
    })
  )

  it.effect("is refused without the scope", () =>
    Effect.gen(function* () {
      const { sms } = yield* WatchwordClient
      expect(yield* Effect.flip(sms.send({ payload: message() }))).toBeInstanceOf(Errors.Forbidden)
    }).pipe(Effect.provide(client(({ readKey }) => readKey)))
  )

  it.effect("is refused with a wrong key", () =>
    Effect.gen(function* () {
      const { sms } = yield* WatchwordClient
      const error = yield* Effect.flip(sms.send({ payload: message() }))
      expect(error).toBeInstanceOf(Errors.Unauthorized)
    }).pipe(Effect.provide(client(() => "sk_test_wrong")))
  )
})
