/**
 * Phones of the sandbox, in-process: an account that sends to them, and their messages.
 */
import { assert } from "@effect/vitest"
import { Features } from "@watchword/send/channel/Features"
import * as Accounts from "@watchword/ledger/Accounts"
import type { PhoneCall, PhoneEvent, PhoneMessage } from "@watchword/schemas/SandboxPhone"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Services from "watchword/Services"
import { realTime } from "../../../../test/until.ts"

/** A number whose last digits would refuse each message. */
export const to = "+4915123450503"

export const operation = Effect.fnUntraced(function* (channel: string, name: string) {
  const running = (yield* Features).find((each) => each.feature.name === channel)
  const found = running?.operations[name]
  assert(found !== undefined)
  return found
})

/** Runs an operation of the sandbox. */
export const sandbox = Effect.fnUntraced(function* (
  name: string,
  principal: Principal,
  ...input: ReadonlyArray<unknown>
) {
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

export const setPhone = (principal: Principal, phone: object, number = to) =>
  sandbox("setPhone", principal, number, phone)

/** Sends by a channel, and lets the gateway answer. */
const send = Effect.fnUntraced(function* (principal: Principal, channel: string, body: object) {
  const found = yield* operation(channel, channel === "call" ? "flash" : "send")
  assert(found._tag === "Send")
  const sending = yield* Effect.forkChild(found.run(principal, body, noKeys))
  yield* TestClock.adjust("300 millis")
  return yield* Fiber.join(sending)
})

export const text = (principal: Principal, number = to) =>
  send(principal, "sms", { to: number, text: "Your code is 123456", from: "Acme" })
export const code = (principal: Principal) => send(principal, "chatgw", { to, code: "123456", ttl: 60 })
export const business = (principal: Principal) => send(principal, "bizchat", { to, text: "Your code is 123456" })
export const flash = (principal: Principal) => send(principal, "call", { callee: to, caller: "+4930901820123" })

export const events = (principal: Principal) =>
  Effect.map(sandbox("phoneEvents", principal), (answer): ReadonlyArray<PhoneEvent> => Object(answer).events)

/** The messages of an account, oldest first. */
export const messages = (principal: Principal) =>
  Effect.map(events(principal), (all): ReadonlyArray<PhoneMessage> =>
    all.flatMap((event) => (event.type === "message" ? [event.message] : []))
  )

export const states = (principal: Principal) => Effect.map(messages(principal), (all) => all.map(({ state }) => state))

export const calls = (principal: Principal) =>
  Effect.map(events(principal), (all): ReadonlyArray<PhoneCall> =>
    all.flatMap((event) => (event.type === "call" ? [event.call] : []))
  )

/** Reads until a value is there, while the clock moves slowly: what hashes a code takes real time. */
export const until = Effect.fnUntraced(function* <A, E, R>(read: Effect.Effect<A | undefined, E, R>) {
  for (;;) {
    const value = yield* read
    if (value !== undefined) return value
    yield* TestClock.adjust("20 millis")
    yield* Effect.promise(() => realTime(2, "a code is hashed"))
  }
})

export const opened = Accounts.Accounts.use((accounts) =>
  Effect.map(accounts.create({ name: "Acme" }), (account): Principal => ({
    account,
    mode: "sandbox",
    key: null,
    scopes: null
  }))
)

/** Processes that use one store, one after the other. */
export const processes = () => {
  const store = Layer.succeed(Store, makeMemory())
  return <A, E>(life: Effect.Effect<A, E, Services.Services>) =>
    Effect.provide(life, Layer.fresh(Services.layer({ store, secret: "a secret that both processes have" })))
}

export const alone = <A, E>(life: Effect.Effect<A, E, Services.Services>) => processes()(life)
