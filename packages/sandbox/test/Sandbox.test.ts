import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "@watchword/ledger/Accounts"
import { Prices, free } from "@watchword/ledger/PriceTable"
import * as Sandbox from "@watchword/sandbox/Sandbox"
import type { Mode } from "@watchword/schemas/Channel"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import type { InboxQuery } from "@watchword/schemas/SandboxPhone"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import { heartbeatLayer, observedStore } from "@watchword/send/pipeline"
import { accepted, rejected } from "@watchword/send/Outcome"
import type { Request } from "@watchword/send/Send"
import { Channels } from "@watchword/send/channel/Features"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { whatIsSet } from "../../../test/whatIsSet.ts"

const german = E164.make("+4915123456789")
const french = E164.make("+33612345678")

/** The sandbox, and the pipeline of sends, on a store in memory. */
const layer = Layer.unwrap(
  Effect.sync(() =>
    Sandbox.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(Send.layer, Accounts.layer, Settings.layer)),
      Layer.provide(Layer.succeed(Channels, [])),
      Layer.provide(Layer.succeed(Prices, free)),
      Layer.provideMerge(whatIsSet),
      Layer.provideMerge(Layer.merge(heartbeatLayer, ChannelRegistry.layerBuiltIn)),
      Layer.provideMerge(Layer.provide(observedStore, Layer.succeed(Store, makeMemory())))
    )
  )
)

const principal = Effect.fnUntraced(function* (mode: Mode = "sandbox") {
  const accounts = yield* Accounts.Accounts
  const made: Principal = { account: yield* accounts.create({}), mode, key: null, scopes: null }
  return made
})

/** Sends a text, by a gateway that takes it unless one is given. */
const send = Effect.fnUntraced(function* (principal: Principal, text: string, given: Partial<Request> = {}) {
  const { send } = yield* Send.Send
  const { delivery } = yield* send({
    principal,
    channel: "sms",
    statuses: {
      pending: { name: "sent", rank: 0 },
      accepted: { name: "sent", rank: 1 },
      failed: { name: "failed", rank: 2 }
    },
    to: german,
    from: null,
    units: 1,
    content: { text, code: null },
    details: {},
    body: text,
    keys: noKeys,
    deliver: () => Effect.succeed(accepted([text])),
    ...given
  })
  return delivery
})

/** The texts of the inbox. */
const texts = Effect.fnUntraced(function* (principal: Principal, query: InboxQuery = {}) {
  const { inbox } = yield* Sandbox.Sandbox
  const { messages } = yield* inbox(principal, query)
  return messages.map(({ text }) => text)
})

describe("the inbox", () => {
  it.effect("has what the phone shows, with the code", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      const { id } = yield* send(acme, "Your code is 123-456.")
      assert.deepStrictEqual(yield* Sandbox.Sandbox.use(({ inbox }) => inbox(acme, {})), {
        messages: [
          {
            id,
            channel: "sms",
            to: german,
            from: null,
            text: "Your code is 123-456.",
            code: "123456",
            at: "1970-01-01T00:00:00.000Z"
          }
        ]
      })
    }).pipe(Effect.provide(layer))
  )

  it.effect("shows the newest first, of all channels, or of one number, one channel or after one message", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      const first = yield* send(acme, "one")
      yield* send(acme, "two", { to: french })
      const { id } = yield* send(acme, "three", { channel: "bizchat" })
      assert.deepStrictEqual(yield* texts(acme), ["three", "two", "one"])
      assert.deepStrictEqual(yield* texts(acme, { to: french }), ["two"])
      assert.deepStrictEqual(yield* texts(acme, { channel: "sms" }), ["two", "one"])
      assert.deepStrictEqual(yield* texts(acme, { after: first.id }), ["three", "two"])
      assert.deepStrictEqual(yield* texts(acme, { after: id }), [])
      const unknown = yield* Effect.flip(texts(acme, { channel: "pigeon" }))
      assert.deepInclude(unknown, { _tag: "BAD_REQUEST" })
    }).pipe(Effect.provide(layer))
  )

  it.effect("has at most a hundred messages, and those of the last day", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      for (let index = 0; index < 101; index++) yield* send(acme, `text ${index}`)
      const all = yield* texts(acme)
      assert.deepStrictEqual([all.length, all[0], all[99]], [100, "text 100", "text 1"])
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual(yield* texts(acme), [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is of one account, and has no message that the gateway refused or that shows nothing", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      yield* send(yield* principal(), "of another")
      const refused = rejected(new TemporaryUnavailable({ message: "no" }))
      yield* Effect.flip(send(acme, "refused", { deliver: () => Effect.succeed(refused) }))
      yield* send(acme, "a probe", { content: null })
      assert.deepStrictEqual(yield* texts(acme), [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is for sandbox keys alone", () =>
    Effect.gen(function* () {
      const live = yield* principal("live")
      const { clear, inbox } = yield* Sandbox.Sandbox
      const forbidden = { _tag: "FORBIDDEN", reason: "sandbox_only" } as const
      assert.deepInclude(yield* Effect.flip(inbox(live, {})), forbidden)
      assert.deepInclude(yield* Effect.flip(clear(live)), forbidden)
    }).pipe(Effect.provide(layer))
  )

  it.effect("is empty once it is cleared, up to the next message, even of the same millisecond", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      const other = yield* principal()
      const { clear } = yield* Sandbox.Sandbox
      yield* send(acme, "before")
      yield* send(other, "of another")
      yield* clear(acme)
      assert.deepStrictEqual(yield* texts(acme), [])
      yield* send(acme, "behind")
      assert.deepStrictEqual(yield* texts(acme), ["behind"])
      assert.deepStrictEqual(yield* texts(acme, { after: nextDeliveryId(0) }), [])
      assert.deepStrictEqual(yield* texts(other), ["of another"])
    }).pipe(Effect.provide(layer))
  )
})

describe("waiting for a message", () => {
  it.effect("ends with the message, also one that was under way before", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      const slow = yield* Effect.forkChild(
        send(acme, "slow", { deliver: () => Effect.delay(Effect.succeed(accepted(["slow"])), "3 seconds") })
      )
      yield* TestClock.adjust("1 second")
      const waiting = yield* Effect.forkChild(texts(acme, { to: german, wait: 30 }))
      yield* TestClock.adjust("1 second")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* Fiber.join(waiting), ["slow"])
      yield* Fiber.join(slow)
    }).pipe(Effect.provide(layer))
  )

  it.effect("ends without one after the time that was asked for", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      const waiting = yield* Effect.forkChild(texts(acme, { wait: 10 }))
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(waiting), [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("is for ten requests of an account at a time, and one that is given up makes room", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      const waiting = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.forkChild(texts(acme, { wait: 30 }))
      )
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Effect.flip(texts(acme, { wait: 30 })), {
        _tag: "TOO_MANY_REQUESTS",
        reason: "too_many_waits"
      })
      assert.deepStrictEqual(yield* texts(acme), [])
      const other = yield* Effect.forkChild(texts(yield* principal(), { wait: 30 }))
      for (const fiber of waiting.slice(5)) yield* Fiber.interrupt(fiber)
      const later = yield* Effect.forkChild(texts(acme, { wait: 30 }))
      yield* TestClock.adjust("1 second")
      yield* send(acme, "code 1234")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(later), ["code 1234"])
      assert.isUndefined(other.pollUnsafe())
    }).pipe(Effect.provide(layer))
  )

  it.effect("ends when the service drains, and does not begin after that", () =>
    Effect.gen(function* () {
      const acme = yield* principal()
      const { drain = Effect.die("missing") } = yield* Sandbox.Sandbox
      const waiting = yield* Effect.forkChild(texts(acme, { wait: 30 }))
      yield* TestClock.adjust("1 second")
      yield* drain
      assert.deepStrictEqual(yield* Fiber.join(waiting), [])
      assert.deepStrictEqual(yield* texts(acme, { wait: 30 }), [])
      yield* send(acme, "code 1234")
      assert.deepStrictEqual(yield* texts(acme, { wait: 30 }), ["code 1234"])
    }).pipe(Effect.provide(layer))
  )
})
