/** Steps that another process takes. */
import { assert, describe, it } from "@effect/vitest"
import { about } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  CHAT_THEN_SMS,
  SMS,
  SMS_THEN_CALL,
  type World,
  expectAttempts,
  cancel,
  centsOf,
  check,
  codeOf,
  cutOff,
  eventually,
  get,
  life,
  list,
  makeWorld,
  number,
  principal,
  settled,
  start,
  unfollowed,
  withoutSends
} from "./fixture.ts"

/** An account, and its verification, whose process has ended since. */
const begun = (world: World, body: Body) =>
  life(world)(
    Effect.gen(function* () {
      const owner = yield* principal()
      return [owner, yield* start(owner, body)] as const
    })
  )

type Body = Parameters<typeof start>[1]

const CALL = { workflow: [{ channel: "call", timeout: 60 }] }

/** All verifications that are due at some time. */
const allDue = (store: World["store"]) =>
  Effect.map(store.deliveriesTo({ to: number, since: 0, until: Number.MAX_SAFE_INTEGER, limit: 100 }), (deliveries) =>
    deliveries.filter(({ dueAt }) => dueAt !== null)
  )

describe("the next process", () => {
  it.effect("takes a step that was due while none ran", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const [by, started] = yield* begun(world, CHAT_THEN_SMS)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(world.sms.sends.length, 0)
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          yield* expectAttempts(by, started, ["chatgw revoked", "sms accepted"])
          assert.isTrue((yield* check(by, started, codeOf(world))).valid)
        })
      )
    })
  )

  it.effect("takes all steps that are due at once, however many they are", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const many = Array.from({ length: 1_200 }, (_, index) => `+49151${20_000_000 + index}`)
      yield* life(world)(
        Effect.gen(function* () {
          const by = yield* principal("live", 100_000)
          yield* Effect.forEach(many, (to) => start(by, { ...CHAT_THEN_SMS, to }), { concurrency: 50 })
        })
      )
      yield* TestClock.adjust("5 minutes")
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          const sent = Effect.sync(() => world.sms.sends.length)
          assert.strictEqual(yield* eventually(sent, (count) => count === many.length), many.length)
        })
      )
    })
  )

  it.effect("expires what has expired meanwhile, and sends nothing", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const by = yield* life(world)(Effect.tap(principal(), (owner) => start(owner, CHAT_THEN_SMS)))
      yield* TestClock.adjust("10 minutes")
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          const { rows } = yield* eventually(list(by), ({ rows }) => rows[0]?.status === "expired")
          assert.deepInclude(rows[0], { status: "expired", next: null })
          assert.strictEqual(world.sms.sends.length, 0)
        })
      )
    })
  )

  it.effect("opens a send again whose process died before the gateway was asked, once", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const { store } = world
      // The process gets no further than the send's place in the plan.
      const dying = { ...world, store: { ...store, open: withoutSends(store) } }
      const by = yield* cutOff(dying, SMS)
      assert.strictEqual(world.sms.sends.length, 0)
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("29 seconds")
          assert.strictEqual(world.sms.sends.length, 0)
          yield* TestClock.adjust("12 seconds")
          const { rows } = yield* eventually(list(by), () => world.sms.sends.length > 0)
          const after = yield* expectAttempts(by, rows[0] ?? assert.fail(), ["sms accepted"])
          assert.strictEqual(after.sends_left, 4)
          assert.strictEqual(world.sms.sends.length, 1)
        })
      )
    })
  )

  it.effect("asks neither for a probe nor for a message again that the one before it has sent", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const { store } = world
      // The process sends the message, and dies before that is in the plan.
      const dying = { ...world, store: { ...store, ...withoutPlans(store) } }
      const by = yield* cutOff(dying, CHAT_THEN_SMS)
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("6 seconds")
          const { rows } = yield* list(by)
          yield* expectAttempts(by, rows[0] ?? assert.fail(), ["chatgw accepted"])
          assert.deepStrictEqual([world.chat.probes, world.chat.sends.length], [1, 1])
          assert.deepStrictEqual(yield* centsOf(by), { available: 997, held: 0 })
        })
      )
    })
  )

  it.effect("counts a send that was taken and failed before its answer came", () =>
    Effect.gen(function* () {
      const world = makeWorld({ live: ["bizchat", "sms"] })
      const { store } = world
      const steps = [{ channel: "bizchat", timeout: 60 }, ...SMS.workflow]
      const pending = store.unresolved({ phase: "pending", createdBefore: 1, abandoned: false, limit: 1 })
      // The process dies before it has stored the gateway's answer.
      const by = yield* life({ ...world, store: { ...store, close: () => Effect.never } })(
        Effect.tap(principal(), (owner) =>
          Effect.andThen(
            Effect.forkDetach(start(owner, { workflow: steps, max_sends: 1 })),
            eventually(pending, ({ length }) => length > 0)
          )
        )
      )
      const [sent] = yield* pending
      const id = sent?.id ?? assert.fail("no send")
      const at = { refs: ["text-1"], details: {}, at: 1 } as const
      yield* store.close({ id, outcome: "accepted", status: { name: "sent", rank: 1 }, ...at })
      yield* store.report(about(id, 1, { status: { name: "failed", rank: 4 }, refund: true }))
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("6 seconds")
          const { rows } = yield* list(by)
          const after = yield* expectAttempts(by, rows[0] ?? assert.fail(), ["bizchat undelivered"])
          assert.deepInclude(after, { status: "failed", sends_left: 0 })
          assert.deepInclude(after.attempts[0], { price: 0, reason: null })
          assert.strictEqual(world.sms.sends.length, 0)
        })
      )
    })
  )

  it.effect("takes back what the one before it did not live to, once the verification has ended", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const [by, started] = yield* begun(world, CHAT_THEN_SMS)
      const { store } = world
      // The process gets no further than the end of the plan.
      const find: typeof store.find = (key) => (key.channel === "chatgw" ? Effect.never : store.find(key))
      yield* life({ ...world, store: { ...store, find } })(
        Effect.gen(function* () {
          yield* Effect.forkDetach(cancel(by, started))
          yield* eventually(get(by, started), ({ status }) => status === "canceled")
        })
      )
      assert.deepStrictEqual(world.chat.revoked, [])
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("31 seconds")
          const after = yield* expectAttempts(by, started, ["chatgw revoked"])
          assert.deepInclude(after, { status: "canceled" })
          assert.strictEqual(after.attempts[0]?.price, 0)
          assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
        })
      )
    })
  )

  it.effect("asks what became of a message that the one before it took back, and did not live to say so", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const [by, started] = yield* begun(world, CHAT_THEN_SMS)
      const { store } = world
      // The process gets no further than the gateway's answer to the revocation.
      const report: typeof store.report = (request) =>
        request.refund && !("version" in request.when) ? Effect.never : store.report(request)
      yield* life({ ...world, store: { ...store, report } })(
        Effect.gen(function* () {
          yield* Effect.forkDetach(cancel(by, started))
          yield* eventually(get(by, started), () => world.chat.revoked.length > 0)
        })
      )
      // The message has expired, and cannot be revoked again.
      yield* TestClock.adjust("1 hour")
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          const after = yield* expectAttempts(by, started, ["chatgw revoked"])
          assert.deepInclude(after.attempts[0], { price: 0 })
          assert.deepStrictEqual(world.chat.revoked, ["request-1"])
          assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
        })
      )
    })
  )

  it.effect("finds the receipt that comes while it settles a verification that has ended", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const { store } = world
      // The process sends the text, and dies before that is in the plan.
      const by = yield* cutOff({ ...world, store: { ...store, ...withoutPlans(store) } }, SMS)
      let isRead = false
      // The receipt is stored as soon as the record was read.
      const find: typeof store.find = (key) =>
        Effect.tap(store.find(key), () => {
          if (key.channel !== "sms" || isRead) return Effect.void
          isRead = true
          return store.report(about(key.id, 0, { status: { name: "delivered", rank: 3 } }))
        })
      yield* life({ ...world, store: { ...store, find } })(
        Effect.gen(function* () {
          const { rows } = yield* list(by)
          const started = rows[0] ?? assert.fail()
          yield* cancel(by, started)
          yield* expectAttempts(by, started, ["sms accepted"])
          yield* TestClock.adjust("6 seconds")
          yield* expectAttempts(by, started, ["sms delivered"])
        })
      )
    })
  )

  it.effect("looks no more at a call that the one before it left, once the verification has ended", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const { store, trunk } = world
      const { end } = trunk
      // The process dies before it has stored the gateway's answer, and ends no call.
      trunk.end = () => Effect.void
      const dying = { ...world, store: { ...store, close: () => Effect.never } }
      const dead = yield* Effect.forkChild(
        life(dying)(
          Effect.tap(principal(), (owner) =>
            Effect.andThen(
              Effect.forkDetach(start(owner, CALL)),
              eventually(Effect.void, () => trunk.calls.length > 0)
            )
          )
        )
      )
      yield* eventually(Effect.void, () => trunk.calls.length > 0)
      yield* settled
      yield* TestClock.adjust("1 minute")
      const by = yield* Fiber.join(dead)
      trunk.end = end
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("6 seconds")
          const { rows } = yield* list(by)
          const started = rows[0] ?? assert.fail()
          yield* expectAttempts(by, started, ["call unknown"])
          yield* cancel(by, started)
          yield* TestClock.adjust("1 minute")
          yield* expectAttempts(by, started, ["call unknown"])
          assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
          yield* eventually(allDue(store), ({ length }) => length === 0)
          assert.deepStrictEqual(yield* allDue(store), [])
        })
      )
    })
  )

  it.effect("acts on a receipt that a process stored and did not live to act on", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const [by, started] = yield* begun(world, SMS_THEN_CALL)
      const delivery = started.attempts[0]?.delivery_id ?? assert.fail()
      yield* world.store.report(about(delivery, 0, { status: { name: "delivered", rank: 3 } }))
      yield* TestClock.adjust("60 seconds")
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("2 seconds")
          const after = yield* expectAttempts(by, started, ["sms delivered"])
          assert.isNull(after.next)
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual(world.trunk.calls.length, 0)
        })
      )
    })
  )
})

describe("two processes", () => {
  it.effect("take a due step once", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      yield* life(world)(
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, CHAT_THEN_SMS)
          yield* life(world)(
            Effect.gen(function* () {
              yield* TestClock.adjust("31 seconds")
              yield* expectAttempts(by, started, ["chatgw revoked", "sms accepted"])
            })
          )
          assert.strictEqual(world.sms.sends.length, 1)
        })
      )
    })
  )

  it.effect("make and check the same code under the same secrets, of which one was replaced meanwhile", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const [before] = world.secrets
      const [by, started] = yield* begun(world, SMS)
      const code = codeOf(world)
      const rotated = { ...world, secrets: ["fedcba9876543210fedcba9876543210", before ?? ""] }
      yield* life(rotated)(
        Effect.gen(function* () {
          yield* TestClock.adjust("30 seconds")
          yield* start(by, SMS)
          assert.strictEqual(codeOf(world), code)
          assert.isTrue((yield* check(by, started, code)).valid)
        })
      )
    })
  )

  it.effect("cannot check a code whose secret was taken away, and spend no guess on it", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const [by, started] = yield* begun(world, SMS)
      yield* life({ ...world, secrets: ["fedcba9876543210fedcba9876543210"] })(
        Effect.gen(function* () {
          const error = yield* Effect.flip(check(by, started, codeOf(world)))
          assert.strictEqual(error._tag, "SERVICE_UNAVAILABLE")
          assert.strictEqual((yield* get(by, started)).checks_left, 5)
        })
      )
    })
  )
})

/** Stores reports of deliveries, but is unavailable for plans. */
const withoutPlans = (store: World["store"]): Pick<World["store"], "close" | "report"> => {
  const { close, report } = unfollowed(store)
  return {
    close,
    report: (request) =>
      "version" in request.when
        ? Effect.fail(new StoreError({ reason: "Unavailable", message: "away" }))
        : report(request)
  }
}
