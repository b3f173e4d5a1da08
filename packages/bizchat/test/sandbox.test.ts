import { assert, describe, it } from "@effect/vitest"
import * as Bizchat from "@watchword/bizchat/Bizchat"
import { RequestId } from "@watchword/schemas/Ids"
import { WaitUntil } from "@watchword/send/pipeline"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { watched } from "../../../test/watchedStore.ts"
import { layerOf, sandboxed, principal, page, message } from "./fixture.ts"

describe("the sandbox", () => {
  it.effect.each([
    ["0001", "SENT"],
    ["0002", "FAILED"],
    ["0004", "FAILED"],
    ["0486", "DELIVERED"],
    ["0603", "DELIVERED"],
    ["6789", "DELIVERED"]
  ] as const)("ends a text to a number that ends in %s as %s, for nothing", ([digits, status]) =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const mine = yield* principal("sandbox")
        const { uuid } = yield* chat.send(mine, message(`+491512345${digits}`), noKeys)
        yield* TestClock.adjust("999 millis")
        assert.strictEqual((yield* chat.get(mine, uuid)).status, "SENT")
        yield* TestClock.adjust("1 millis")
        assert.deepInclude(yield* chat.get(mine, uuid), { status, price: 0, is_refunded: false })
      })
    )
  )

  it.effect.each([
    ["0003", "NOT_FOUND", 1],
    ["0402", "PAYMENT_REQUIRED", 0],
    ["0480", "TEMPORARY_UNAVAILABLE", 1],
    ["0503", "SERVICE_UNAVAILABLE", 1]
  ] as const)("answers a number that ends in %s with %s", ([digits, code, recorded]) =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* Bizchat.Bizchat
        const mine = yield* principal("sandbox")
        const error = yield* Effect.flip(chat.send(mine, message(`+491512345${digits}`), noKeys))
        assert.strictEqual(error._tag, code)
        const { list, total } = yield* chat.list(mine, page({}))
        assert.strictEqual(total, recorded)
        for (const record of list) assert.strictEqual(record.status, "FAILED")
      })
    )
  )
})

describe("the steps of a send in the sandbox", () => {
  const keys = { ...noKeys, requestId: RequestId.make("0c9d7e3a-1111-4222-8333-444455556666") }

  it.effect("are one before the answer, and one for what follows", () => {
    const { service, steps } = watched()
    return Effect.gen(function* () {
      const chat = yield* Bizchat.Bizchat
      const mine = yield* principal("sandbox")
      yield* chat.send(mine, message(), noKeys)
      yield* Effect.flip(chat.send(mine, message("+4915123450480"), noKeys))
      assert.deepStrictEqual(steps, ["open", "open"])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(steps, ["open", "open", "report"])
    }).pipe(Effect.provide(layerOf(null, service)))
  })

  it.effect("have nothing that follows when the send was not let through, and leave nothing running", () => {
    const { away, service, steps } = watched()
    const left: Array<unknown> = []
    return Effect.gen(function* () {
      const chat = yield* Bizchat.Bizchat
      const mine = yield* principal("sandbox")
      yield* chat.send(mine, message(), keys)
      assert.strictEqual((yield* Effect.flip(chat.send(mine, message(), keys)))._tag, "CONFLICT")
      away.open = true
      assert.strictEqual((yield* Effect.flip(chat.send(mine, message(), noKeys)))._tag, "StoreError")
      assert.deepStrictEqual(left, [])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(steps, ["open", "open", "open", "report"])
    }).pipe(
      Effect.provideService(WaitUntil, (fiber) => void left.push(fiber)),
      Effect.provide(layerOf(null, service))
    )
  })
})
