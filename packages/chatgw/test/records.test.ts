import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import type { Tdr } from "@watchword/schemas/Chatgw"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { austrian, codeTo, german, inWorld, page, principal, refuse } from "./fixture.ts"

describe("records", () => {
  it.effect("are of one account and one mode", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("sandbox")
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        for (const stranger of [yield* principal("sandbox"), { ...acme, mode: "live" } as const]) {
          const attempts = [
            Effect.flip(chat.get(stranger, uuid)),
            Effect.flip(chat.report(stranger, { id: uuid, status: "Failed" })),
            Effect.flip(chat.checkVerificationStatus(stranger, { request_id })),
            Effect.flip(chat.revoke(stranger, { request_id }))
          ]
          for (const error of yield* Effect.all(attempts)) assert.strictEqual(error._tag, "NOT_FOUND")
          assert.strictEqual((yield* chat.list(stranger, page({}))).total, 0)
        }
        for (const id of ["", "nothing", request_id, uuid.replace(/.$/, "\0")]) {
          assert.strictEqual((yield* Effect.flip(chat.get(acme, id)))._tag, "NOT_FOUND")
          assert.strictEqual((yield* Effect.flip(chat.report(acme, { id, status: "Success" })))._tag, "NOT_FOUND")
        }
      })
    )
  )

  it.effect("are listed newest first, filtered and sorted by every field", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        for (const to of [german, austrian, "+447700900123", "+33612345678"]) {
          gateway.onSend = to.startsWith("+33") ? refuse : (_, act) => act
          if (to.startsWith("+44")) yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          yield* Effect.ignore(chat.send(acme, codeTo(to), noKeys))
          yield* TestClock.adjust("10 seconds")
        }
        gateway.onSend = (_, act) => act
        yield* chat.send(acme, codeTo(german), noKeys)
        yield* chat.checkVerificationStatus(acme, { request_id: "request-1", code: codeTo().code })
        yield* chat.checkVerificationStatus(acme, {
          request_id: "request-2",
          code: codeTo("+491700000000", { code: "0000" }).code
        })
        yield* chat.revoke(acme, { request_id: "request-4" })

        const { list: all, total } = yield* chat.list(acme, page({}))
        assert.strictEqual(total, 5)
        const created = all.map(({ created_at }) => created_at)
        assert.deepStrictEqual(created, created.toSorted().toReversed())
        const fields = (
          [
            "uuid",
            "request_id",
            "to",
            "status",
            "delivery_status",
            "verification_status",
            "request_cost",
            "is_refunded",
            "country",
            "created_at"
          ] as const
        ).filter((name) => Object.hasOwn(all[0] ?? {}, name))
        assert.deepStrictEqual(fields.toSorted(), Object.keys(all[0] ?? {}).toSorted())
        for (const field of fields) {
          assert.isAtLeast(new Set(all.map((record) => record[field])).size, 2, `${field} is always the same`)
          for (const record of all) {
            const found = yield* chat.list(acme, page({ filter: { [field]: record[field] } }))
            assert.deepStrictEqual(
              found.list,
              all.filter((other) => other[field] === record[field]),
              `${field} ${record[field]}`
            )
          }
          const ascending = yield* chat.list(acme, page({ sort_by: field, sort_direction: "ASC" }))
          const values = ascending.list.map((record) => record[field])
          assert.deepStrictEqual(values, values.toSorted(byValue), field)
          const descending = yield* chat.list(acme, page({ sort_by: field }))
          assert.deepStrictEqual(descending.list, ascending.list.toReversed())
        }
        const cheap = yield* chat.list(acme, page({ filter: { request_cost: { lt: 0.05 } } }))
        assert.strictEqual(cheap.total, 1)
        const middle = yield* chat.list(
          acme,
          page({ filter: { created_at: { gte: "1970-01-01T00:00:10Z", lt: "1970-01-01T00:00:40Z" } } })
        )
        assert.strictEqual(middle.total, 3)
        const second = yield* chat.list(acme, page({ page: 2, rows_per_page: 3 }))
        assert.deepStrictEqual(second.list, all.slice(3))
        const either = yield* chat.list(acme, page({ filter: { verification_status: ["code_valid", null] } }))
        assert.strictEqual(either.total, 4)
      })
    )
  )

  it.effect.each([
    [{ sort_by: "password" }, "sort_by"],
    [{ sort_by: "sandbox" }, "sort_by"],
    [{ filter: { code: "123456" } }, "filter.code"],
    [{ filter: { status: "sent" } }, "filter.status"],
    [{ filter: { delivery_status: "SENT" } }, "filter.delivery_status"],
    [{ filter: { verification_status: "right" } }, "filter.verification_status"],
    [{ filter: { is_refunded: "yes" } }, "filter.is_refunded"],
    [{ filter: { request_cost: "0.05" } }, "filter.request_cost"]
  ])("are not listed by %j", ([given, path]) =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const error = yield* Effect.flip(chat.list(yield* principal(), page(given)))
        assert(error._tag === "BAD_REQUEST")
        assert.deepStrictEqual(
          error.issues?.map((issue) => issue.path),
          [path]
        )
      })
    )
  )
})

/** Null comes first, false before true, numbers by value, and texts in the order of code units. */
const byValue = (a: Tdr[keyof Tdr], b: Tdr[keyof Tdr]): number => {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return a === null || b === null ? Number(b === null) - Number(a === null) : Number(a) - Number(b)
}
