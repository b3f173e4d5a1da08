/**
 * Sandbox events that were due when the process ended: made again by the next one.
 */
import { assert, describe, it } from "@effect/vitest"
import { Features } from "@watchword/send/channel/Features"
import * as Accounts from "@watchword/ledger/Accounts"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Services from "watchword/Services"
import { Maintenance } from "watchword/Services"

const to = "+4915123456789"

interface Message {
  readonly channel: string
  readonly operation: string
  readonly body: object
}

const sms = { channel: "sms", operation: "send", body: { to, text: "Your code is 123456", from: "Acme" } }
const chat = { channel: "chatgw", operation: "send", body: { to, code: "123456", ttl: 60 } }
const bizchat = { channel: "bizchat", operation: "send", body: { to, text: "Your code is 123456" } }

const operationOf = Effect.fnUntraced(function* (channel: string, name: string) {
  const running = (yield* Features).find((each) => each.feature.name === channel)
  const operation = running?.operations[name]
  assert(operation !== undefined)
  return operation
})

/** A sandbox send, and the id of its record. */
const send = Effect.fnUntraced(function* (principal: Principal, { body, channel, operation }: Message) {
  const { _tag, run } = yield* operationOf(channel, operation)
  assert(_tag === "Send")
  const sent = yield* Effect.forkChild(Effect.orDie(run(principal, body, noKeys)))
  yield* TestClock.adjust("300 millis")
  const { messageId, uuid } = Object(yield* Fiber.join(sent))
  return String(messageId ?? uuid)
})

const statusOf = Effect.fnUntraced(function* (principal: Principal, channel: string, id: string) {
  const { _tag, run } = yield* operationOf(channel, "get")
  assert(_tag === "Read")
  return Object(yield* Effect.orDie(run(principal, id))).status
})

/** The number of records in a status. */
const countOf = Effect.fnUntraced(function* (principal: Principal, channel: string, status: string) {
  const { _tag, run } = yield* operationOf(channel, "list")
  assert(_tag === "List")
  return Object(yield* Effect.orDie(run(principal, { filter: { status } }))).total
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
const processes = (options: { readonly background?: boolean } = {}) => {
  const store = Layer.succeed(Store, makeMemory())
  return <A, E>(life: Effect.Effect<A, E, Services.Services>) =>
    Effect.provide(life, Layer.fresh(Services.layer({ store, ...options })))
}

describe("the next process", () => {
  it.effect.each([
    [sms, "delivered"],
    [chat, "DELIVERED"],
    [bizchat, "DELIVERED"]
  ] as const)("makes what was due: %j", ([message, end]) =>
    Effect.gen(function* () {
      const process = processes()
      const [acme, id] = yield* process(
        Effect.gen(function* () {
          const principal = yield* opened
          return [principal, yield* send(principal, message)] as const
        })
      )
      yield* TestClock.adjust("20 seconds")
      yield* process(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 millis")
          assert.strictEqual(yield* statusOf(acme, message.channel, id), end)
        })
      )
    })
  )

  it.effect("expires codes: those whose time is over, and the others in time", () =>
    Effect.gen(function* () {
      const process = processes()
      const acme = yield* process(
        Effect.gen(function* () {
          const principal = yield* opened
          yield* send(principal, chat)
          yield* send(principal, { ...chat, body: { ...chat.body, ttl: 120 } })
          yield* send(principal, { ...chat, body: { ...chat.body, to: "+4915123450001" } })
          yield* TestClock.adjust("2 seconds")
          return principal
        })
      )
      yield* TestClock.adjust("1 minute")
      yield* process(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* countOf(acme, "chatgw", "EXPIRED"), 1)
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* countOf(acme, "chatgw", "EXPIRED"), 2)
        })
      )
    })
  )
})

describe("maintenance, where nothing runs by itself,", () => {
  it.effect.each([
    [sms, "delivered"],
    [chat, "EXPIRED"],
    [bizchat, "DELIVERED"]
  ] as const)("makes what was due: %j", ([message, end]) =>
    Effect.gen(function* () {
      const process = processes({ background: false })
      const acme = yield* process(Effect.tap(opened, (principal) => send(principal, message)))
      yield* TestClock.adjust("2 minutes")
      yield* process(
        Effect.gen(function* () {
          assert.strictEqual(yield* countOf(acme, message.channel, end), 0)
          yield* Maintenance.use(({ run }) => run)
          assert.strictEqual(yield* countOf(acme, message.channel, end), 1)
        })
      )
    })
  )

  it.effect("is not needed for a code that is looked at: it has expired", () =>
    Effect.gen(function* () {
      const process = processes({ background: false })
      yield* process(
        Effect.gen(function* () {
          const acme = yield* opened
          const id = yield* send(acme, chat)
          const silent = yield* send(acme, { ...chat, body: { ...chat.body, to: "+4915123450001" } })
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* statusOf(acme, "chatgw", id), "EXPIRED")
          assert.strictEqual(yield* statusOf(acme, "chatgw", silent), "SENT")
        })
      )
    })
  )
})
