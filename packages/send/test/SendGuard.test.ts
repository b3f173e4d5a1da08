import { assert, describe, it } from "@effect/vitest"
import { Forbidden, ServiceUnavailable, TooManyRequests } from "@watchword/schemas/Errors"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { noKeys } from "@watchword/send/Claims"
import { accepted, rejected } from "@watchword/send/Outcome"
import { Send } from "@watchword/send/Send"
import { REASONS } from "../src/pipeline/GuardReasons.ts"
import { type Asked, SendGuard, type Verdict, passed } from "@watchword/send/SendGuard"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { PRICE, type balanceOf, kinds, layerOn, principalWith, request, someRequest, watched } from "./fixtures.ts"

const forbidden = {
  _tag: "Refused",
  failure: new Forbidden({ message: "The number is not allowed.", reason: "number_not_allowed" }),
  details: { [REASONS]: "number_not_allowed" }
} satisfies Verdict

const pressed = { key: "number", until: 1, amount: 1 }
const price = { key: "spend", until: 1, amount: PRICE }
const counting = { ...passed, counted: { requests: [pressed], money: [price] } } satisfies Verdict

/** A program with a scripted guard that records its questions. */
const withGuard = <A, E>(
  answers: ReadonlyArray<Verdict>,
  program: (
    asked: ReadonlyArray<Asked>,
    steps: ReadonlyArray<string>,
    unsent: ReadonlyArray<Taken>
  ) => Effect.Effect<A, E, Layers>
) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const told: Array<Taken> = []
    const unsent = (taken: Taken) => Effect.sync(() => void told.push(taken))
    const { steps, store } = watched(makeMemory())
    // Every second verdict is at hand.
    const check = (send: Asked) => {
      const verdict: Verdict = answers[asked.push(send) - 1] ?? passed
      return asked.length % 2 === 0 ? Effect.succeed(verdict) : Effect.sync(() => verdict)
    }
    return yield* program(asked, steps, told).pipe(
      Effect.provide(layerOn(store)),
      Effect.provideService(SendGuard, { check, verified: () => Effect.void, unsent })
    )
  })

type Taken = ReadonlyArray<{ readonly key: string }>

type Layers =
  | Effect.Services<ReturnType<typeof balanceOf>>
  | Send
  | Store
  | Effect.Services<ReturnType<typeof principalWith>>

const recordsOf = Effect.fnUntraced(function* ({ account, mode }: Asked["principal"]) {
  const store = yield* Store
  const page = yield* store.list({
    account: account.id,
    mode,
    channel: "sms",
    where: [],
    sort: { field: "createdAt", direction: "DESC" },
    offset: 0,
    limit: 10
  })
  return page.rows
})

describe("a send that the guard passes", () => {
  it.effect("has its request taken back where no gateway took it; the price goes back with its hold", () =>
    withGuard([counting, counting], (_asked, _steps, unsent) =>
      Effect.gen(function* () {
        const { send } = yield* Send
        const principal = yield* principalWith(4 * PRICE)
        yield* send(request(principal, accepted([])))
        assert.deepStrictEqual(unsent, [])
        const down = rejected(new ServiceUnavailable({ message: "The carrier is down." }))
        yield* Effect.flip(send(request(principal, down)))
        assert.deepStrictEqual(unsent, [[pressed]])
      })
    )
  )

  it.effect("has its request taken back once its hold is released", () =>
    Effect.gen(function* () {
      const { steps, store } = watched(makeMemory())
      const before: Array<string | undefined> = []
      const unsent = () => Effect.sync(() => void before.push(steps.at(-1)))
      const check = () => Effect.succeed(counting)
      const program = Effect.gen(function* () {
        const down = rejected(new ServiceUnavailable({ message: "The carrier is down." }))
        yield* Effect.flip((yield* Send).send(request(yield* principalWith(PRICE), down)))
        assert.deepStrictEqual(before, ["close"])
      })
      yield* program.pipe(
        Effect.provide(layerOn(store)),
        Effect.provideService(SendGuard, { check, verified: () => Effect.void, unsent })
      )
    })
  )

  it.effect("has all taken back where it is a repeat, which is answered like the first one", () =>
    withGuard([counting, counting], (_asked, _steps, unsent) =>
      Effect.gen(function* () {
        const { send } = yield* Send
        const principal = yield* principalWith(4 * PRICE)
        const repeat = request(principal, accepted([]), { keys: { ...noKeys, idempotencyKey: "a" } })
        const first = yield* send(repeat)
        assert.deepStrictEqual(unsent, [])
        assert.deepStrictEqual((yield* send(repeat)).delivery, first.delivery)
        assert.deepStrictEqual(unsent, [[pressed, price]])
      })
    )
  )

  it.effect("has all taken back where the balance does not pay for it, or the account is suspended", () =>
    withGuard([counting, counting], (_asked, _steps, unsent) =>
      Effect.gen(function* () {
        const { send } = yield* Send
        const principal = yield* principalWith(PRICE - 1)
        assert.strictEqual((yield* Effect.flip(send(request(principal, accepted([])))))._tag, "PAYMENT_REQUIRED")
        yield* Store.use((store) => store.changeAccount({ account: principal.account.id, suspended: true }))
        assert.strictEqual((yield* Effect.flip(send(request(principal, accepted([])))))._tag, "FORBIDDEN")
        assert.deepStrictEqual(unsent, [
          [pressed, price],
          [pressed, price]
        ])
      })
    )
  )

  it.effect("has all taken back before it is asked about once more, where it finds its probe spent", () =>
    withGuard([passed, passed, counting], (asked, _steps, unsent) =>
      Effect.gen(function* () {
        const { send } = yield* Send
        const principal = yield* principalWith(9 * PRICE)
        const { delivery } = yield* send(request(principal, accepted([])))
        const prepaid = { id: delivery.id, price: MicroEuros.make(4_000) }
        yield* send(request(principal, accepted([]), { prepaid }))
        yield* send(request(principal, accepted([]), { prepaid }))
        assert.deepStrictEqual(unsent, [[pressed, price]])
        assert.strictEqual(asked.length, 4)
      })
    )
  )
})

describe("a number of the sandbox that ends in 0429", () => {
  it.effect("plays a guard's limit: 429 with the reason and the seconds to wait, and a record", () =>
    withGuard([], (asked) =>
      Effect.gen(function* () {
        const { send } = yield* Send
        const principal = yield* principalWith(0, "sandbox")
        const to = E164.make("+4915123450429")
        const error = yield* Effect.flip(send(request(principal, accepted([]), { to })))
        assert.deepInclude(error, { _tag: "TOO_MANY_REQUESTS", reason: "limit_number", retryAfter: 30 })
        const [record] = yield* recordsOf(principal)
        assert.strictEqual(record?.status.name, "blocked")
        assert.strictEqual(record?.details[REASONS], "limit_number")
        assert.deepStrictEqual(asked, [])
        const live = yield* principalWith(PRICE)
        yield* send(request(live, accepted([]), { to }))
      })
    )
  )
})

describe("a send that the guard refuses", () => {
  it.effect("reaches no gateway, takes no hold, and leaves a record with its reasons", () =>
    withGuard([forbidden], (_, steps) =>
      Effect.gen(function* () {
        const send = yield* Send
        const principal = yield* principalWith(PRICE)
        const refused = yield* Effect.flip(send.send(request(principal, Effect.die("it was sent"))))
        assert.deepStrictEqual(refused, forbidden.failure)
        assert.deepStrictEqual(yield* kinds(principal), ["credit"])
        assert.deepStrictEqual(steps, ["open"])
        const [record, ...others] = yield* recordsOf(principal)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(record, { phase: "rejected", price: MicroEuros.make(0), parts: 1 })
        assert.strictEqual(record?.status.name, "blocked")
        assert.strictEqual(record?.details[REASONS], "number_not_allowed")
      })
    )
  )

  it.effect("may be made again under the same ids", () =>
    withGuard([forbidden], () =>
      Effect.gen(function* () {
        const send = yield* Send
        const principal = yield* principalWith(PRICE)
        const keys = { ...noKeys, requestId: someRequest, idempotencyKey: "a" }
        yield* Effect.flip(send.send(request(principal, accepted([]), { keys })))
        const { delivery } = yield* send.send(request(principal, accepted([]), { keys }))
        assert.strictEqual(delivery.phase, "accepted")
      })
    )
  )

  it.effect("and repeats one that was sent is answered like that", () =>
    withGuard([passed, forbidden, forbidden], () =>
      Effect.gen(function* () {
        const send = yield* Send
        const principal = yield* principalWith(2 * PRICE)
        const keys = { ...noKeys, idempotencyKey: "a" }
        const first = yield* send.send(request(principal, accepted([]), { keys }))
        const again = yield* send.send(request(principal, Effect.die("it was sent"), { keys }))
        assert.deepStrictEqual(again.delivery, first.delivery)
        const other = yield* Effect.flip(send.send(request(principal, accepted([]), { keys, body: "another" })))
        assert.strictEqual(other._tag, "CONFLICT")
        assert.strictEqual((yield* recordsOf(principal)).length, 1)
      })
    )
  )

  it.effect("of a suspended account is answered like any other of it", () =>
    withGuard([forbidden], () =>
      Effect.gen(function* () {
        const send = yield* Send
        const store = yield* Store
        const principal = yield* principalWith(PRICE)
        yield* store.changeAccount({ account: principal.account.id, suspended: true })
        const error = yield* Effect.flip(send.send(request(principal)))
        assert.deepInclude(error, { _tag: "FORBIDDEN", reason: "account_suspended" })
      })
    )
  )
})

describe("the guard", () => {
  it.effect("is asked with the price, the facts about the user, and whether a user asked for the send", () =>
    withGuard([], (asked) =>
      Effect.gen(function* () {
        const send = yield* Send
        const principal = yield* principalWith(9 * PRICE)
        const client = { client_ip: "192.0.2.7", client_ref: "u1", trusted: true }
        yield* send.send(request(principal, accepted([]), { client, units: 2 }))
        const origin = { id: nextDeliveryId(0), details: {} }
        yield* send.send(request(principal, accepted([]), { keys: { ...noKeys, origin } }))
        const { delivery } = yield* send.send(request(principal, accepted([])))
        const prepaid = { id: delivery.id, price: MicroEuros.make(4_000) }
        yield* send.send(request(principal, accepted([]), { prepaid }))
        assert.deepStrictEqual(
          asked.map(({ client, price, requests }) => [requests, Number(price), client]),
          [
            [1, 2 * PRICE, client],
            [0, PRICE, {}],
            [1, PRICE, {}],
            [0, PRICE - 4_000, {}]
          ]
        )
      })
    )
  )

  it.effect("is asked once more where a send finds its probe spent", () =>
    withGuard([passed, passed, passed, forbidden], (asked) =>
      Effect.gen(function* () {
        const send = yield* Send
        const principal = yield* principalWith(9 * PRICE)
        const { delivery } = yield* send.send(request(principal, accepted([])))
        const prepaid = { id: delivery.id, price: MicroEuros.make(4_000) }
        yield* send.send(request(principal, accepted([]), { prepaid }))
        const error = yield* Effect.flip(send.send(request(principal, accepted([]), { prepaid })))
        assert.strictEqual(error._tag, "FORBIDDEN")
        assert.deepStrictEqual(
          asked.map(({ requests }) => requests),
          [1, 0, 0, 1]
        )
      })
    )
  )

  it.effect("notes on the record why it would have refused a send", () =>
    withGuard([{ ...passed, details: { [REASONS]: "limit_ip" } }], () =>
      Effect.gen(function* () {
        const send = yield* Send
        const principal = yield* principalWith(PRICE)
        const { delivery } = yield* send.send(request(principal, accepted([])))
        assert.strictEqual(delivery.status.name, "sent")
        assert.strictEqual(delivery.details[REASONS], "limit_ip")
      })
    )
  )

  it.effect("bounds the sandbox sends that an account has under way", () =>
    withGuard(
      [
        { ...passed, bounds: { sandbox_under_way: 1 } },
        { ...passed, bounds: { sandbox_under_way: 1 } }
      ],
      () =>
        Effect.gen(function* () {
          const send = yield* Send
          const principal = yield* principalWith(0, "sandbox")
          yield* send.send(request(principal, accepted([])))
          const error = yield* Effect.flip(send.send(request(principal, accepted([]))))
          assert.deepInclude(error, { _tag: "TOO_MANY_REQUESTS", reason: "too_many_sandbox_sends" })
        })
    )
  )

  it.effect("refuses sandbox sends too, whose content is not kept then", () =>
    withGuard(
      [{ ...forbidden, failure: new TooManyRequests({ message: "Later.", reason: "limit_ip", retryAfter: 9 }) }],
      () =>
        Effect.gen(function* () {
          const send = yield* Send
          const principal = yield* principalWith(0, "sandbox")
          const to = E164.make("+4915123456780")
          const content = { text: "Your code is 1", code: null }
          const error = yield* Effect.flip(send.send(request(principal, accepted([]), { to, content })))
          assert.deepInclude(error, { _tag: "TOO_MANY_REQUESTS", reason: "limit_ip", retryAfter: 9 })
          const [record] = yield* recordsOf(principal)
          assert.deepStrictEqual(record?.details, {
            [REASONS]: "number_not_allowed",
            failure: "TOO_MANY_REQUESTS",
            failure_message: "Later."
          })
        })
    )
  )
})
