/**
 * Phones of the sandbox, in-process: what becomes of messages and calls, in which process and after which time.
 */
import { realTime } from "../../../test/until.ts"
import { assert, describe, it } from "@effect/vitest"
import { Features } from "@watchword/send/channel/Features"
import * as Accounts from "@watchword/ledger/Accounts"
import { PrivacyCommands } from "@watchword/operator/commands"
import type { PhoneCall, PhoneEvent, PhoneMessage } from "@watchword/schemas/SandboxPhone"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import * as MemoryStore from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Services from "watchword/Services"

/** A number whose last digits would refuse each message. */
const to = "+4915123450503"

const operation = Effect.fnUntraced(function* (channel: string, name: string) {
  const running = (yield* Features).find((each) => each.feature.name === channel)
  const found = running?.operations[name]
  assert(found !== undefined)
  return found
})

/** Runs an operation of the sandbox. */
const sandbox = Effect.fnUntraced(function* (name: string, principal: Principal, ...input: ReadonlyArray<unknown>) {
  const found = yield* operation("sandbox", name)
  const [first, second] = input
  switch (found._tag) {
    case "Command":
      return yield* found.run(principal)
    case "Query":
    case "Follow":
      return yield* found.run(principal, first ?? {})
    case "ReadBy":
    case "ChangeBy":
      return yield* found.run(principal, String(first), second ?? {})
    case "Update":
      return yield* found.run(principal, String(first), second)
    default:
      return assert.fail(`the sandbox has no ${found._tag}`)
  }
})

const setPhone = (principal: Principal, phone: object, number = to) => sandbox("setPhone", principal, number, phone)

/** Sends by a channel, and lets the gateway answer. */
const send = Effect.fnUntraced(function* (principal: Principal, channel: string, body: object) {
  const found = yield* operation(channel, channel === "call" ? "flash" : "send")
  assert(found._tag === "Send")
  const sending = yield* Effect.forkChild(found.run(principal, body, noKeys))
  yield* TestClock.adjust("300 millis")
  return yield* Fiber.join(sending)
})

const text = (principal: Principal, number = to) =>
  send(principal, "sms", { to: number, text: "Your code is 123456", from: "Acme" })
const code = (principal: Principal) => send(principal, "chatgw", { to, code: "123456", ttl: 60 })
const business = (principal: Principal) => send(principal, "bizchat", { to, text: "Your code is 123456" })
const flash = (principal: Principal) => send(principal, "call", { callee: to, caller: "+4930901820123" })

const events = (principal: Principal) =>
  Effect.map(sandbox("phoneEvents", principal), (answer): ReadonlyArray<PhoneEvent> => Object(answer).events)

/** The messages of an account, oldest first. */
const messages = (principal: Principal) =>
  Effect.map(events(principal), (all): ReadonlyArray<PhoneMessage> =>
    all.flatMap((event) => (event.type === "message" ? [event.message] : []))
  )

const states = (principal: Principal) => Effect.map(messages(principal), (all) => all.map(({ state }) => state))

const calls = (principal: Principal) =>
  Effect.map(events(principal), (all): ReadonlyArray<PhoneCall> =>
    all.flatMap((event) => (event.type === "call" ? [event.call] : []))
  )

/** Reads until a value is there, while the clock moves slowly: what hashes a code takes real time. */
const until = Effect.fnUntraced(function* <A, E, R>(read: Effect.Effect<A | undefined, E, R>) {
  for (;;) {
    const value = yield* read
    if (value !== undefined) return value
    yield* TestClock.adjust("20 millis")
    yield* Effect.promise(() => realTime(2, "a code is hashed"))
  }
})

const opened = Accounts.Accounts.use((accounts) =>
  Effect.map(accounts.create({ name: "Acme" }), (account): Principal => ({
    account,
    mode: "sandbox",
    key: null,
    scopes: null
  }))
)

/** Processes that use one store, one after the other. */
const processes = () => {
  const store = Layer.succeed(Store, MemoryStore.make())
  return <A, E>(life: Effect.Effect<A, E, Services.Services>) =>
    Effect.provide(life, Layer.fresh(Services.layer({ store })))
}

const alone = <A, E>(life: Effect.Effect<A, E, Services.Services>) => processes()(life)

describe("a phone", () => {
  it.effect("has a say instead of the last digits of its number, and without it they have theirs", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      assert.deepInclude(yield* Effect.flip(text(acme)), { _tag: "SERVICE_UNAVAILABLE" })
      yield* setPhone(acme, {})
      yield* text(acme)
      yield* business(acme)
      yield* code(acme)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* states(acme), ["delivered", "delivered", "delivered"])
      yield* setPhone(acme, { sms: "undelivered", bizchat: "read" })
      yield* text(acme)
      yield* business(acme)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* states(acme)).slice(3), ["failed", "read"])
      yield* sandbox("removePhone", acme, to)
      assert.deepInclude(yield* Effect.flip(text(acme)), { _tag: "SERVICE_UNAVAILABLE" })
    }).pipe(alone)
  )

  it.effect("is of one account, and of the sandbox alone", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, {})
      assert.deepInclude(yield* Effect.flip(text(yield* opened)), { _tag: "SERVICE_UNAVAILABLE" })
      const live: Principal = { ...acme, mode: "live" }
      const names = ["phones", "phone", "setPhone", "removePhone", "messageEvent", "callEvent", "phoneEvents"]
      for (const name of names) {
        const body = name === "callEvent" ? { event: "answer" } : name === "messageEvent" ? { event: "read" } : {}
        const refused = yield* Effect.flip(sandbox(name, live, name === "phoneEvents" ? {} : to, body))
        assert.deepInclude(refused, { _tag: "FORBIDDEN", reason: "sandbox_only" })
      }
    }).pipe(alone)
  )

  it.effect("is one of a hundred", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      for (let index = 0; index < 100; index++) yield* setPhone(acme, {}, `+491512345${String(1000 + index)}`)
      assert.deepInclude(yield* Effect.flip(setPhone(acme, {})), { _tag: "BAD_REQUEST" })
      yield* setPhone(acme, { mode: "manual" }, "+4915123451000")
      assert.lengthOf(Object(yield* sandbox("phones", acme)).phones, 100)
    }).pipe(alone)
  )

  it.effect("goes with the person of its number", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, {})
      yield* text(acme)
      yield* TestClock.adjust("1 second")
      const asked = yield* PrivacyCommands.erase.ask({ number: to })
      assert.strictEqual((yield* asked.run).output.settings, 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* sandbox("phones", acme), { phones: [] })
      assert.deepStrictEqual(yield* messages(acme), [])
    }).pipe(alone)
  )
})

describe("a text with a delay", () => {
  it.effect("is kept by its carrier until then", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { sms: { delay: 20 } })
      yield* text(acme)
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(yield* states(acme), ["kept"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* states(acme), ["delivered"])
    }).pipe(alone)
  )

  it.effect("waits on for a phone that is offline by then", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { sms: { delay: 20 } })
      yield* text(acme)
      yield* setPhone(acme, { offline: true })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* states(acme), ["kept"])
      yield* setPhone(acme, {})
      assert.deepStrictEqual(yield* states(acme), ["delivered"])
    }).pipe(alone)
  )
})

describe("a phone that is offline", () => {
  it.effect("has its messages kept, which arrive together, and calls fail", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { offline: true })
      yield* text(acme)
      yield* business(acme)
      yield* code(acme)
      assert.deepInclude(yield* Effect.flip(flash(acme)), { _tag: "TEMPORARY_UNAVAILABLE" })
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* states(acme), ["kept", "kept", "kept"])
      assert.deepStrictEqual(
        (yield* messages(acme)).map(({ accepts }) => accepts),
        [["failed"], ["failed"], ["failed"]]
      )
      yield* setPhone(acme, { mode: "manual" })
      assert.deepStrictEqual(yield* states(acme), ["sent", "sent", "sent"])
      yield* setPhone(acme, { bizchat: "read" })
      assert.deepStrictEqual(yield* states(acme), ["delivered", "delivered", "delivered"])
    }).pipe(alone)
  )

  it.effect("has its messages arrive once it is removed", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { offline: true })
      yield* text(acme)
      yield* sandbox("removePhone", acme, to)
      assert.deepStrictEqual(yield* states(acme), ["delivered"])
    }).pipe(alone)
  )

  it.effect("has a chat expire whose time is over", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { offline: true })
      yield* code(acme)
      yield* TestClock.adjust("62 seconds")
      assert.deepStrictEqual(yield* states(acme), ["expired"])
      yield* setPhone(acme, {})
      assert.deepStrictEqual(yield* states(acme), ["expired"])
    }).pipe(alone)
  )

  it.effect("has what a process has kept arrive by the next one", () => {
    const inProcess = processes()
    return Effect.gen(function* () {
      const acme = yield* inProcess(
        Effect.gen(function* () {
          const acme = yield* opened
          yield* setPhone(acme, { offline: true })
          yield* text(acme)
          yield* setPhone(acme, { sms: { delay: 100 } }, "+4915123456789")
          yield* text(acme, "+4915123456789")
          yield* TestClock.adjust("5 seconds")
          return acme
        })
      )
      yield* inProcess(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(yield* states(acme), ["kept", "kept"])
          yield* setPhone(acme, {})
          assert.deepStrictEqual(yield* states(acme), ["delivered", "kept"])
        })
      )
      yield* TestClock.adjust("1 minute")
      yield* inProcess(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          assert.deepStrictEqual(yield* states(acme), ["delivered", "delivered"])
        })
      )
    })
  })
})

describe("a phone that waits for a person", () => {
  it.effect("has each event reported as its network would, and a message end once", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual" })
      yield* text(acme)
      yield* business(acme)
      yield* code(acme)
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* states(acme), ["sent", "sent", "sent"])
      const ids = (yield* messages(acme)).map(({ id }) => id)
      const post = (index: number, event: string) => sandbox("messageEvent", acme, ids[index], { event })
      assert.deepInclude(yield* post(0, "failed"), { state: "failed", accepts: [] })
      assert.deepInclude(yield* post(1, "delivered"), { state: "delivered", accepts: ["read"] })
      assert.deepInclude(yield* post(1, "read"), { state: "read", accepts: [] })
      assert.deepInclude(yield* post(2, "read"), { state: "read", accepts: [] })
      for (const [index, event] of [
        [0, "delivered"],
        [1, "delivered"],
        [2, "failed"]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(post(index, event)), { _tag: "CONFLICT", reason: "ended" })
      }
    }).pipe(alone)
  )

  it.effect("has a verification step on in sight: by a time-out, by a failure and by a call that is dropped", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual", offline: true })
      const start = yield* operation("verify", "start")
      assert(start._tag === "Send")
      const steps = ["chatgw", "sms", "call", "bizchat"].map((channel) => ({ channel, timeout: 20 }))
      yield* start.run(acme, { to, workflow: steps }, noKeys)
      const sms = yield* until(Effect.map(messages(acme), ([, second]) => second))
      yield* until(Effect.map(messages(acme), ([first]) => (first?.state === "revoked" ? first : undefined)))
      assert.deepInclude(sms, { channel: "sms", state: "kept", attempt: 2, live_price: 0 })
      yield* setPhone(acme, { mode: "manual" })
      yield* sandbox("messageEvent", acme, sms.id, { event: "failed" })
      const call = yield* until(Effect.map(calls(acme), ([first]) => first))
      assert.deepInclude(call, { state: "ringing", verification: sms.verification, attempt: 3 })
      yield* sandbox("callEvent", acme, call.id, { event: "hangup" })
      const verification = yield* until(
        Effect.map(events(acme), (all) =>
          all
            .flatMap((event) => (event.type === "verification" ? [event.verification] : []))
            .find(({ attempts }) => attempts[3]?.status === "accepted")
        )
      )
      assert.deepInclude(verification, { step: 4, channel: "bizchat", status: "pending" })
      assert.deepStrictEqual(
        verification.attempts.map(({ status }) => status),
        ["revoked", "undelivered", "undelivered", "accepted"]
      )
    }).pipe(alone)
  )

  it.effect("has a call that is ignored end after its time", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual" })
      yield* flash(acme)
      const [ringing] = yield* calls(acme)
      assert.deepInclude(ringing, { state: "ringing", caller: "+4930901820123", code: "820123" })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude((yield* calls(acme))[0], { state: "ended", hangup_cause: "NO_ANSWER", accepts: [] })
    }).pipe(alone)
  )
})

describe("the events of phones", () => {
  it.effect("have what has changed behind a cursor, once", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const next = (after?: string) =>
        Effect.map(sandbox("phoneEvents", acme, after === undefined ? {} : { after }), Object)
      const first = yield* next()
      assert.deepInclude(first, { reset: true, events: [] })
      yield* setPhone(acme, { mode: "manual" })
      yield* text(acme)
      const second = yield* next(first.cursor)
      assert.deepStrictEqual(
        second.events.map(({ type }: PhoneEvent) => type),
        ["phone", "message"]
      )
      assert.deepInclude(yield* next(second.cursor), { reset: false, events: [], cursor: second.cursor })
      yield* sandbox("clear", acme)
      yield* sandbox("removePhone", acme, to)
      const third = yield* next(second.cursor)
      assert.deepStrictEqual(
        third.events.map(({ type }: PhoneEvent) => type),
        ["removed", "removed"]
      )
      assert.deepInclude(yield* next("elsewhere.1"), { reset: true, events: [] })
    }).pipe(alone)
  )

  it.effect("come at once when this process sends, reports or ends something", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { mode: "manual" })
      let { cursor } = Object(yield* sandbox("phoneEvents", acme))
      const next = Effect.fnUntraced(function* <A, E, R>(cause: Effect.Effect<A, E, R>) {
        const waiting = yield* Effect.forkChild(sandbox("phoneEvents", acme, { after: cursor, wait: 30 }))
        yield* TestClock.adjust("1 millis")
        yield* cause
        yield* TestClock.adjust("100 millis")
        const found = Object(yield* Fiber.join(waiting))
        cursor = found.cursor
        return found.events.map((event: PhoneEvent) => ("message" in event ? event.message.state : event.type))
      })
      assert.deepStrictEqual(yield* next(text(acme)), ["sent"])
      const [message] = yield* messages(acme)
      const post = sandbox("messageEvent", acme, message?.id, { event: "delivered" })
      assert.deepStrictEqual(yield* next(post), ["delivered"])
    }).pipe(alone)
  )

  it.effect("are waited for, until one comes or the time is over", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const { cursor } = Object(yield* sandbox("phoneEvents", acme))
      const waiting = yield* Effect.forkChild(sandbox("phoneEvents", acme, { after: cursor, wait: 20 }))
      yield* TestClock.adjust("19 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* setPhone(acme, {})
      yield* TestClock.adjust("50 millis")
      assert.lengthOf(Object(yield* Fiber.join(waiting)).events, 1)
      const idle = yield* Effect.forkChild(
        sandbox("phoneEvents", acme, { after: Object(yield* sandbox("phoneEvents", acme)).cursor, wait: 5 })
      )
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(Object(yield* Fiber.join(idle)), { reset: false, events: [] })
    }).pipe(alone)
  )
})
