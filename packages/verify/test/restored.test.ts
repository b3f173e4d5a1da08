/** Verifications whose database was restored while they were pending. */
import { assert, describe, it } from "@effect/vitest"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Snapshots } from "@watchword/store/Snapshots"
import { Store } from "@watchword/store/Store"
import * as Pending from "../src/operator/Pending.ts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  CHAT_THEN_SMS,
  SMS,
  expectAttempts,
  check,
  codeOf,
  cutOff,
  get,
  life,
  list,
  makeWorld,
  number,
  principal,
  settled,
  start,
  withoutSends
} from "./fixture.ts"

/** A world, and a restore's actions in it. */
const restorable = () => {
  const { snapshots, ...store } = makeMemory()
  const restored = Pending.expireAll.pipe(
    Effect.provideService(Snapshots, snapshots),
    Effect.provideService(Store, store)
  )
  return { world: makeWorld({ store }), restored }
}

describe("a verification that was pending in a backup", () => {
  it.effect("has expired after the restore: its code is wrong, and its number is free", () =>
    Effect.gen(function* () {
      const { restored, world } = restorable()
      const [by, started] = yield* life(world)(
        Effect.gen(function* () {
          const owner = yield* principal()
          return [owner, yield* start(owner, SMS)] as const
        })
      )
      const code = codeOf(world)
      assert.strictEqual(yield* restored, 1)
      assert.strictEqual(yield* restored, 0)
      yield* life(world)(
        Effect.gen(function* () {
          assert.deepInclude(yield* check(by, started, code), { valid: false, status: "expired", checks_left: 5 })
          assert.deepInclude(yield* get(by, started), { status: "expired", reason: "restored", next: null })
          const again = yield* start(by, SMS)
          assert.notStrictEqual(again.id, started.id)
          assert.isTrue((yield* check(by, again, codeOf(world))).valid)
          assert.strictEqual(world.sms.sends.length, 2)
        })
      )
    })
  )

  it.effect("takes no step that was due long ago", () =>
    Effect.gen(function* () {
      const { restored, world } = restorable()
      const [by, started] = yield* life(world)(
        Effect.gen(function* () {
          const owner = yield* principal()
          return [owner, yield* start(owner, CHAT_THEN_SMS)] as const
        })
      )
      yield* restored
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 minute")
          yield* settled
          yield* expectAttempts(by, started, ["chatgw accepted"])
          assert.strictEqual(world.sms.sends.length, 0)
        })
      )
    })
  )

  it.effect("opens no send again that the backup has in the plan alone, and that was sent since", () =>
    Effect.gen(function* () {
      const { restored, world } = restorable()
      const by = yield* cutOff({ ...world, store: { ...world.store, open: withoutSends(world.store) } }, SMS)
      assert.strictEqual(yield* restored, 1)
      yield* life(world)(
        Effect.gen(function* () {
          yield* TestClock.adjust("5 minutes")
          yield* settled
          const { rows } = yield* list(by)
          assert.deepInclude(rows[0], { status: "expired", reason: "restored", to: number })
          assert.strictEqual(world.sms.sends.length, 0)
        })
      )
    })
  )
})

describe("a verification that has ended in a backup", () => {
  it.effect("stays as it is", () =>
    Effect.gen(function* () {
      const { restored, world } = restorable()
      yield* life(world)(
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, SMS)
          yield* check(by, started, codeOf(world))
          assert.strictEqual(yield* restored, 0)
          assert.deepInclude(yield* get(by, started), { status: "approved", reason: null })
        })
      )
    })
  )
})
