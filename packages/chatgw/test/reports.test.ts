import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import { centsOf, codeTo, inWorld, principal } from "./fixture.ts"

describe("reported outcomes", () => {
  it.effect("move a record once; repeats are fine and contradictions are conflicts", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const outcomes = [
          ["Success", "Failed", "DELIVERED"],
          ["Failed", "Success", "FAILED"]
        ] as const
        for (const [said, contrary, status] of outcomes) {
          const { uuid } = yield* chat.send(acme, codeTo(), noKeys)
          const answer = { message: "OK", id: uuid, status } as const
          assert.deepStrictEqual(yield* chat.report(acme, { id: uuid, status: said }), answer)
          assert.deepStrictEqual(yield* chat.report(acme, { id: uuid, status: said }), answer)
          const error = yield* Effect.flip(chat.report(acme, { id: uuid, status: contrary }))
          assert.strictEqual(error._tag, "CONFLICT")
          assert.strictEqual((yield* chat.get(acme, uuid)).status, status)
        }
        assert.deepStrictEqual(yield* centsOf(acme), { available: 90, held: 0 })

        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        yield* gateway.tell(request_id, { delivery: "read" })
        assert.strictEqual((yield* chat.report(acme, { id: uuid, status: "Success" })).status, "READ")
        assert.strictEqual((yield* Effect.flip(chat.report(acme, { id: uuid, status: "Failed" })))._tag, "CONFLICT")
      })
    )
  )

  it.effect.each(["revoked", "expired"] as const)("contradict that it was %s", (delivery) =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const { request_id, uuid: id } = yield* chat.send(acme, codeTo(), noKeys)
        yield* gateway.tell(request_id, { delivery })
        for (const status of ["Success", "Failed"] as const) {
          assert.strictEqual((yield* Effect.flip(chat.report(acme, { id, status })))._tag, "CONFLICT")
        }
      })
    )
  )
})
