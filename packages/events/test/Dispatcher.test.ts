import { it } from "@effect/vitest"
import * as Backlog from "../src/internal/Backlog.ts"
import * as Dispatcher from "../src/internal/Dispatcher.ts"
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"
import * as Endpoints from "../src/internal/Endpoints.ts"
import * as Handlers from "../src/internal/Handlers.ts"
import { type WebhookAnswer, type WebhookRequest, WebhookSender } from "../src/internal/WebhookSender.ts"
import { verifyWebhook, verifyWebhookList } from "@watchword/callback-signature/webhook"
import { type AccountId, EventId, firstUlid, nextAccountId } from "@watchword/schemas/Ids"
import { BackgroundAllowed, noInstallationSecret, observedStore } from "@watchword/send/pipeline"
import * as Watching from "../src/internal/Watching.ts"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { setImmediate } from "node:timers/promises"
import { describe, expect } from "vitest"
import { someAccount } from "../../../test/accounts.ts"

const taken: WebhookAnswer = { _tag: "Answered", status: 200 }
const broken: WebhookAnswer = { _tag: "Answered", status: 500 }

/** Scripted endpoints that keep the requests they receive. */
const receivers = () => {
  const got: Array<WebhookRequest & { readonly at: number }> = []
  const answers = new Map<string, WebhookAnswer | Effect.Effect<WebhookAnswer>>()
  const send = (request: WebhookRequest) =>
    Effect.clockWith((clock) => {
      got.push({ ...request, at: clock.currentTimeMillisUnsafe() })
      const answer = answers.get(request.url) ?? taken
      return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
    })
  const to = (url: string) => got.filter((request) => request.url === url)
  return { got, to, answers, layer: Layer.succeed(WebhookSender, { send, refuses: () => false }) }
}

let looks = 0

/** A store that counts how often events are asked for. */
const counted = () => {
  const store = makeMemory()
  const takeEvents: typeof store.takeEvents = (query) => {
    looks++
    return store.takeEvents(query)
  }
  return { ...store, takeEvents }
}

const services = (sender: Layer.Layer<never>) =>
  Dispatcher.layer.pipe(
    Layer.provideMerge(Endpoints.layer),
    Layer.provideMerge(Handlers.layer),
    Layer.provideMerge(Layer.merge(Settings.layer, noInstallationSecret)),
    Layer.provideMerge(Layer.provide(observedStore, Layer.sync(Store, counted))),
    Layer.provide(sender)
  )

const openAccount = Effect.gen(function* () {
  const store = yield* Store
  const id = nextAccountId(0)
  yield* store.createAccount(someAccount({ id }))
  return id
})

const happened = Effect.fnUntraced(function* (account: AccountId, endpoint: string, count = 1) {
  const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const event = () => ({ id: idAt(at), endpoint, account, mode: "live", fact: { _tag: "Test" }, at }) as const
  yield* (yield* Store).appendEvents(Array.from({ length: count }, event))
})

/** The endpoints that learn of a text that is sent now. */
const watchedBy = Effect.fnUntraced(function* (account: AccountId) {
  const { watch } = yield* Watching.make
  const asked = { account, mode: "live", channel: "sms" } as const
  const found = watch(asked, yield* Clock.currentTimeMillis)
  return (yield* found)?.endpoints ?? []
})

let last = 0

/** Ids of the service never go back in time; tests' ids do. */
const idAt = (at: number) => EventId.make(firstUlid(at).slice(0, 20) + String(++last).padStart(6, "0"))

/** Advances time in steps, and lets signing and sending continue after each. */
const pass = (seconds: number, step = 1) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(seconds / step) }),
    () =>
      Effect.andThen(
        TestClock.adjust(step * 1_000),
        Effect.promise(() => setImmediate())
      ),
    { discard: true }
  )

/** The same without background work: due events are sent after each step. */
const steps = (seconds: number, step: number) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(seconds / step) }),
    () =>
      Effect.andThen(
        Dispatcher.Dispatcher.use((dispatcher) => dispatcher.pass),
        TestClock.adjust(step * 1_000)
      ),
    { discard: true }
  )

/** Without background work. */
const byHand = (sender: Layer.Layer<never>) => Layer.provide(services(sender), Layer.succeed(BackgroundAllowed, false))

const DAY = 86_400

const a = "https://a.example/"
const b = "https://b.example/"

describe("the dispatcher", () => {
  it.effect("sends an event at once, signed, and no more once it is taken", () => {
    const receiver = receivers()
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id, secret } = yield* EndpointAdmin.add(account, { url: a })
      yield* happened(account, id)
      yield* pass(120)
      expect(receiver.got).toHaveLength(1)
      const [{ at, body, headers } = { at: 0, body: "", headers: {} }] = receiver.got
      const event = yield* Effect.promise(() => verifyWebhook(body, headers, { secret, now: () => at }))
      expect(event).toMatchObject({ type: "webhook.test", data: { webhook_id: id, account_id: account } })
      expect(yield* EndpointAdmin.list()).toMatchObject([
        { id, owner: account, state: null, events: { pending: 0, lastAnswer: { answer: "200" } } }
      ])
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("opens an event with its post, and with what a failing endpoint said, but for digits", () => {
    const receiver = receivers()
    const said = `No account for +4915123456789:\n${"x".repeat(300)}`
    receiver.answers.set(a, Effect.delay(Effect.succeed({ _tag: "Answered", status: 500, said }), "30 millis"))
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      yield* happened(account, id)
      yield* pass(120)
      const [waiting] = yield* EndpointAdmin.events(id, { state: "pending", limit: 9 })
      if (waiting === undefined) throw new Error("the event waits")
      const opened = yield* EndpointAdmin.event(id, waiting.id)
      expect(opened).toMatchObject({ state: "pending", to: null, lastAnswer: { answer: "500", took: 30 } })
      expect(opened.lastAnswer?.said).toBe(`No account for +…: ${"x".repeat(181)}…`)
      const [posted] = receiver.got
      expect(opened.posts.map(({ body, id }) => [id, body])).toEqual([
        [posted?.headers["webhook-id"], JSON.parse(posted?.body ?? "")]
      ])
      const other = yield* EndpointAdmin.add(account, { url: b })
      expect(yield* Effect.flip(EndpointAdmin.event(other.id, waiting.id))).toMatchObject({ _tag: "NOT_FOUND" })
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("keeps an event of a newer program for that, and sends those that it knows", () => {
    const receiver = receivers()
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      const store = yield* Store
      const unknown = JSON.parse('{"_tag":"AccountClosed","closed":true}')
      yield* store.appendEvents([{ id: idAt(0), endpoint: id, account, mode: "live", fact: unknown, at: 0 }])
      yield* happened(account, id)
      yield* pass(100)
      expect(receiver.got.map(({ body }) => JSON.parse(body).type)).toEqual(["webhook.test"])
      expect(yield* EndpointAdmin.list()).toMatchObject([{ state: null, events: { pending: 1, failed: 0 } }])
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("tries again after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h and 10 h under the same id, and then ends", () => {
    const receiver = receivers()
    receiver.answers.set(a, broken)
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      yield* happened(account, id)
      yield* steps(100, 1)
      yield* steps(DAY, 30)
      const gaps = receiver.got
        .slice(1)
        .map(({ at }, index) => Math.round((at - (receiver.got[index]?.at ?? 0)) / 1_000))
      const expected = [5, 60, 300, 1_800, 7_200, 18_000, 36_000]
      expected.forEach((gap, index) => {
        expect(Math.abs((gaps[index] ?? 0) - gap)).toBeLessThanOrEqual(index < 2 ? 1 : 30)
      })
      expect(gaps).toHaveLength(expected.length)
      expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
      const stamps = receiver.got.map(
        ({ at, headers }) => Number(headers["webhook-timestamp"]) - Math.floor(at / 1_000)
      )
      expect(new Set(stamps)).toEqual(new Set([0]))
      expect(yield* EndpointAdmin.list()).toMatchObject([
        { events: { pending: 0, failed: 1 }, state: { disabled: null } }
      ])
    }).pipe(Effect.provide(byHand(receiver.layer)))
  })

  it.effect("forgets failures with the first success, and disables after five days without one", () => {
    const receiver = receivers()
    receiver.answers.set(a, broken)
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      const day = Effect.andThen(happened(account, id), steps(DAY, 600))
      for (let n = 0; n < 4; n++) yield* day
      receiver.answers.set(a, taken)
      yield* day
      expect(yield* EndpointAdmin.list()).toMatchObject([{ state: null }])
      receiver.answers.set(a, broken)
      for (let n = 0; n < 6; n++) yield* day
      expect(yield* EndpointAdmin.list()).toMatchObject([
        { state: { disabled: { why: "failing" } }, events: { pending: 0 } }
      ])
      const before = receiver.got.length
      yield* day
      expect(receiver.got).toHaveLength(before)
      expect((yield* Effect.flip(EndpointAdmin.test(id))).message).toContain("is disabled")
      receiver.answers.set(a, taken)
      yield* EndpointAdmin.enable(id)
      yield* day
      expect(receiver.got).toHaveLength(before + 1)
    }).pipe(Effect.provide(byHand(receiver.layer)))
  })

  it.effect("ends an endpoint that answers 410, with all that waits for it", () => {
    const receiver = receivers()
    receiver.answers.set(a, { _tag: "Answered", status: 410 })
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(null, { url: a })
      yield* happened(account, id, 100)
      yield* steps(2 * DAY, 600)
      expect(receiver.got.length).toBeLessThanOrEqual(16)
      expect(yield* EndpointAdmin.list()).toMatchObject([
        { state: { disabled: { why: "gone" } }, events: { pending: 0 } }
      ])
      expect(yield* watchedBy(account)).toEqual([])
    }).pipe(Effect.provide(byHand(receiver.layer)))
  })

  it.effect("has a slow endpoint hold up no other, and sends it no more than eight at once", () => {
    const receiver = receivers()
    receiver.answers.set(a, Effect.delay(Effect.succeed({ _tag: "Unanswered", why: "timeout" }), "15 seconds"))
    return Effect.gen(function* () {
      const account = yield* openAccount
      const slow = yield* EndpointAdmin.add(account, { url: a })
      const fast = yield* EndpointAdmin.add(account, { url: b })
      yield* happened(account, slow.id, 200)
      yield* happened(account, fast.id, 200)
      yield* pass(14, 0.1)
      expect(receiver.to(a)).toHaveLength(8)
      expect(receiver.to(b)).toHaveLength(200)
      receiver.answers.set(a, taken)
      yield* pass(5, 0.1)
      expect(receiver.to(a)).toHaveLength(200)
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect.each([1, 3, 30])("sends an endpoint %i at once where that is its concurrency", (concurrency) => {
    const receiver = receivers()
    receiver.answers.set(a, Effect.delay(Effect.succeed(taken), "1 second"))
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      yield* EndpointAdmin.setThroughput(id, { concurrency })
      yield* pass(2)
      yield* happened(account, id, 2 * concurrency + 1)
      yield* pass(5, 0.1)
      const first = receiver.got[0]?.at ?? 0
      const seconds = receiver.got.map(({ at }) => Math.round((at - first) / 1_000))
      const counts = [0, 1, 2, 3].map((n) => seconds.filter((second) => second === n).length)
      expect(counts[0]).toBe(concurrency)
      expect(Math.max(...counts)).toBe(concurrency)
      expect(receiver.got).toHaveLength(2 * concurrency + 1)
      expect(yield* EndpointAdmin.setThroughput(id, { concurrency: null })).toEqual({})
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("sends lists of what waits where an endpoint takes batches, each event with its own id", () => {
    const receiver = receivers()
    receiver.answers.set(a, Effect.delay(Effect.succeed(taken), "1 second"))
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id, secret } = yield* EndpointAdmin.add(account, { url: a })
      yield* EndpointAdmin.setThroughput(id, { concurrency: 2, batch: 10 })
      yield* pass(2)
      yield* happened(account, id, 35)
      yield* pass(3, 0.1)
      const lists = yield* Effect.forEach(receiver.got, ({ at, body, headers }) =>
        Effect.promise(() => verifyWebhookList(body, headers, { secret, now: () => at }))
      )
      expect(lists.map(({ length }) => length)).toEqual([10, 10, 10, 5])
      expect(new Set(lists.flat().map(({ id }) => id)).size).toBe(35)
      expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(4)
      expect(receiver.got.map(({ at }) => Math.round((at - (receiver.got[0]?.at ?? 0)) / 1_000))).toEqual([0, 0, 1, 1])
      yield* happened(account, id)
      yield* pass(2, 0.1)
      expect(JSON.parse(receiver.got.at(-1)?.body ?? "")).toMatchObject([{ type: "webhook.test" }])
      expect(yield* EndpointAdmin.list()).toMatchObject([{ events: { pending: 0, failed: 0 } }])
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("halves lists with each attempt, until an event that the endpoint cannot take is alone", () => {
    const receiver = receivers()
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      yield* EndpointAdmin.setThroughput(id, { concurrency: 1, batch: 16 })
      const idsIn = ({ body }: WebhookRequest): ReadonlyArray<string> =>
        JSON.parse(body).map((event: { readonly id: string }) => event.id)
      receiver.answers.set(
        a,
        Effect.sync(() => {
          const ids = idsIn(receiver.got.at(-1) ?? { url: a, headers: {}, body: "[]" })
          return ids.some((id) => id === poison) ? broken : taken
        })
      )
      const at = yield* Clock.currentTimeMillis
      const events = Array.from({ length: 16 }, () => idAt(at))
      const poison = `evt_${events[6]}_test`
      yield* (yield* Store).appendEvents(
        events.map((each) => ({ id: each, endpoint: id, account, mode: "live", fact: { _tag: "Test" }, at }))
      )
      yield* steps(9_000, 5)
      const refused = receiver.got.filter((request) => idsIn(request).includes(poison))
      expect(refused.map((request) => idsIn(request).length)).toEqual([16, 8, 4, 2, 1])
      expect(yield* EndpointAdmin.list()).toMatchObject([{ events: { pending: 1, failed: 0 } }])
      receiver.answers.set(a, taken)
      yield* steps(DAY, 600)
      yield* happened(account, id, 40)
      yield* steps(60, 5)
      expect(receiver.got.slice(-3).map((request) => idsIn(request).length)).toEqual([16, 16, 8])
      expect(yield* EndpointAdmin.list()).toMatchObject([{ events: { pending: 0, failed: 0 } }])
    }).pipe(Effect.provide(byHand(receiver.layer)))
  })

  it.effect(
    "looks again when the last event under way is settled, and not for each that leaves no other waiting",
    () => {
      const receiver = receivers()
      let answered = 0
      receiver.answers.set(
        a,
        Effect.suspend(() => Effect.delay(Effect.succeed(taken), ++answered * 50))
      )
      return Effect.gen(function* () {
        const account = yield* openAccount
        const { id } = yield* EndpointAdmin.add(account, { url: a })
        yield* pass(0.1, 0.1)
        const before = looks
        yield* happened(account, id, 5)
        yield* pass(0.4, 0.01)
        expect(receiver.got).toHaveLength(5)
        expect(looks - before).toBe(2)
      }).pipe(Effect.provide(services(receiver.layer)))
    }
  )

  it.effect.each([
    ["of forty endpoints that hang for the first time", 40, 3],
    ["of two hundred that have hung before", 200, 40]
  ] as const)("leaves places to others %s", ([, count, seconds]) => {
    const receiver = receivers()
    const hanging = Array.from({ length: count }, (_, n) => `https://hanging.example/${n}`)
    for (const url of hanging) {
      receiver.answers.set(url, Effect.delay(Effect.succeed({ _tag: "Unanswered", why: "timeout" }), "15 seconds"))
    }
    return Effect.gen(function* () {
      for (const url of hanging) {
        const owner = yield* openAccount
        const { id } = yield* EndpointAdmin.add(owner, { url })
        yield* happened(owner, id, 12)
      }
      yield* pass(seconds)
      expect(new Set(receiver.got.map(({ url }) => url)).size).toBe(count)
      const account = yield* openAccount
      const good = yield* EndpointAdmin.add(account, { url: b })
      yield* happened(account, good.id, 20)
      yield* pass(1, 0.05)
      const taken = receiver.to(b).length
      receiver.answers.clear()
      yield* pass(16)
      expect(taken).toBe(20)
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("signs with both secrets while one replaces the other, and with the new one alone afterwards", () => {
    const receiver = receivers()
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id, secret: old } = yield* EndpointAdmin.add(account, { url: a })
      const { secret: fresh } = yield* EndpointAdmin.rotate(id, { overlap: 60_000 })
      const verifiedBy = Effect.fnUntraced(function* () {
        yield* happened(account, id)
        yield* pass(5, 1)
        const { at, body, headers } = receiver.got.at(-1) ?? { at: 0, body: "", headers: {} }
        return yield* Effect.forEach([old, fresh], (secret) =>
          Effect.promise(() =>
            verifyWebhook(body, headers, { secret, now: () => at }).then(
              () => true,
              () => false
            )
          )
        )
      })
      expect(yield* verifiedBy()).toEqual([true, true])
      yield* pass(60, 5)
      expect(yield* verifiedBy()).toEqual([false, true])
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("replays what happened since a time, and forgets an endpoint that is removed", () => {
    const receiver = receivers()
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      yield* happened(account, id)
      yield* steps(3_600, 5)
      yield* happened(account, id, 2)
      yield* steps(3_600, 5)
      expect(yield* EndpointAdmin.replay(id, 1_800_000)).toBe(2)
      yield* steps(2, 1)
      expect(receiver.got).toHaveLength(5)
      const ids = receiver.got.map(({ headers }) => headers["webhook-id"])
      expect(new Set(ids).size).toBe(3)
      receiver.answers.set(a, broken)
      yield* happened(account, id)
      yield* steps(2, 1)
      yield* EndpointAdmin.remove(id)
      yield* steps(DAY, 600)
      expect(receiver.got).toHaveLength(6)
      expect(yield* EndpointAdmin.list()).toEqual([])
      expect((yield* Effect.flip(EndpointAdmin.replay(id, 0))).message).toBe("There is no such webhook.")
    }).pipe(Effect.provide(byHand(receiver.layer)))
  })

  it.effect("calls a handler until it returns, leaves others alone, and lets nothing wait when it is gone", () => {
    return Effect.gen(function* () {
      const handlers = yield* Handlers.Handlers
      const account = yield* openAccount
      const times: Array<string> = []
      let left = 2
      const off = handlers.on("webhook.test", ({ id }) => {
        times.push(id)
        if (left-- > 0) throw new Error("not yet")
      })
      handlers.on("*", () => times.push("other"))
      yield* happened(account, "on:webhook.test")
      yield* steps(3_600, 5)
      expect(times).toHaveLength(3)
      expect(new Set(times).size).toBe(1)
      off()
      yield* steps(2, 1)
      expect(yield* watchedBy(account)).toEqual(["on:*"])
    }).pipe(Effect.provide(byHand(receivers().layer)))
  })

  it.effect("measures what waits, and for how long", () => {
    const receiver = receivers()
    receiver.answers.set(a, broken)
    return Effect.gen(function* () {
      const account = yield* openAccount
      const { id } = yield* EndpointAdmin.add(account, { url: a })
      yield* happened(account, id, 3)
      yield* pass(40)
      yield* Backlog.measure(yield* Store)
      const text = yield* PrometheusMetrics.format()
      expect(text).toContain("watchword_events_pending 3\n")
      const [, age] = /watchword_events_oldest_age_seconds (\d+)/.exec(text) ?? []
      expect(Number(age)).toBeGreaterThanOrEqual(15)
    }).pipe(Effect.provide(services(receiver.layer)))
  })

  it.effect("waits for what is being sent when it ends", () => {
    const receiver = receivers()
    let done = 0
    receiver.answers.set(
      a,
      Effect.delay(
        Effect.sync(() => (done++, taken)),
        "3 seconds"
      )
    )
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(services(receiver.layer), scope)
      yield* Effect.gen(function* () {
        const account = yield* openAccount
        const { id } = yield* EndpointAdmin.add(account, { url: a })
        yield* happened(account, id, 3)
      }).pipe(Effect.provideContext(context))
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* pass(4, 1)
      expect(closing.pollUnsafe()).toBeDefined()
      expect(done).toBe(3)
    })
  })
})
