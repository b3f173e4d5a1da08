import { assert, describe, it } from "@effect/vitest"
import { Chat } from "@watchword/chatgw/Chat"
import type { Tdr } from "@watchword/schemas/Chat"
import { RequestId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { noKeys } from "@watchword/send/Claims"
import * as MemoryStore from "@watchword/store/MemoryStore"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import {
  centsOf,
  codeTo,
  entriesOf,
  german,
  inWorld,
  loseAnswer,
  loseQuestion,
  page,
  principal,
  refusal,
  refuse
} from "./fixture.ts"

const austrian = E164.make("+436641234567")

describe("a code", () => {
  it.effect("is sent, charged and found again", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("live", 1, { senderUsername: "acme_codes" })
        const sent = yield* chat.send(acme, codeTo(german, { ttl: 60 }), noKeys)
        const { uuid } = sent
        assert.deepStrictEqual(sent, {
          uuid,
          request_id: "request-1",
          to: german,
          status: "sent",
          request_cost: 0.05,
          remaining_balance: 0.95
        })
        assert.deepStrictEqual(yield* chat.get(acme, uuid), {
          uuid,
          request_id: "request-1",
          to: german,
          status: "SENT",
          delivery_status: "sent",
          verification_status: null,
          request_cost: 0.05,
          is_refunded: false,
          country: "Germany",
          created_at: "1970-01-01T00:00:00.000Z"
        })
        const [{ code, ...message } = { code: null }] = gateway.sends
        assert.strictEqual(code && Redacted.value(code), "123456")
        assert.deepStrictEqual(message, {
          delivery: uuid,
          to: german,
          ttl: 60,
          senderUsername: "acme_codes",
          callbackUrl: null,
          requestId: null
        })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
      })
    )
  )

  it.effect("takes what the body says before what the account says", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("live", 1, { senderUsername: "acme_codes" })
        const callback_url = "https://example.com/events"
        yield* chat.send(acme, codeTo(german, { sender_username: "@other_codes", callback_url }), noKeys)
        assert.include(gateway.sends[0], { senderUsername: "@other_codes", callbackUrl: callback_url, ttl: 300 })
      })
    )
  )

  it.effect("is not stored, told or logged, whatever becomes of it", () =>
    inWorld(({ gateway, store }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const keys = { requestId: RequestId.make(crypto.randomUUID()), idempotencyKey: "k" }
        for (const mode of ["live", "sandbox"] as const) {
          const acme = yield* principal(mode)
          const answers: Array<unknown> = []
          for (const onSend of [gateway.onSend, refuse, loseAnswer]) {
            gateway.onSend = onSend
            const to = german.replace(/.$/, String(answers.length))
            answers.push(yield* Effect.result(chat.send(acme, codeTo(to, { code: "86420975" }), noKeys)))
          }
          const sent = yield* Effect.result(chat.send(acme, codeTo(austrian, { code: "86420975" }), keys))
          answers.push(sent, yield* chat.list(acme, page({})))
          const { rows } = yield* store.list({
            account: acme.account.id,
            mode,
            channel: "chatgw",
            where: [],
            sort: { field: "id", direction: "ASC" },
            offset: 0,
            limit: 10
          })
          assert.isAtLeast(rows.length, 4)
          assert.notInclude(inspect([answers, rows], { depth: null, maxStringLength: null }), "86420975")
        }
      })
    )
  )

  it.effect("is not sent where it cannot be paid for", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("live", 0.04)
        const error = yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        assert.strictEqual(error._tag, "PAYMENT_REQUIRED")
        assert.lengthOf(gateway.sends, 0)
        assert.deepStrictEqual(yield* entriesOf(acme), [])
        assert.strictEqual((yield* chat.list(acme, page({}))).total, 0)
      })
    )
  )

  it.effect("is paid back when the gateway refuses it", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        gateway.onSend = refuse
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), noKeys)))._tag, "NOT_FOUND")
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "release 5"])
        const { list } = yield* chat.list(acme, page({}))
        assert.include(list[0], { status: "FAILED", delivery_status: "failed", request_id: null })
      })
    )
  )

  it.effect("is answered 503 where there is no gateway, and nothing is recorded", () =>
    inWorld(
      ({ store }) =>
        Effect.gen(function* () {
          const chat = yield* Chat
          const acme = yield* principal()
          assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), noKeys)))._tag, "SERVICE_UNAVAILABLE")
          const probe = yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, noKeys))
          assert.strictEqual(probe._tag, "SERVICE_UNAVAILABLE")
          for (const channel of ["chatgw", "chatgw_probe"] as const) {
            const { total } = yield* store.list({
              account: acme.account.id,
              mode: "live",
              channel,
              where: [],
              sort: { field: "id", direction: "ASC" },
              offset: 0,
              limit: 10
            })
            assert.strictEqual(total, 0)
          }
          assert.isNull(chat.webhook)
          assert.deepStrictEqual(yield* entriesOf(acme), [])
        }),
      { hasGateway: false }
    )
  )
})

describe("a repeated request", () => {
  const id = () => ({ requestId: RequestId.make(crypto.randomUUID()), idempotencyKey: null })
  const key = { requestId: null, idempotencyKey: "signup-1" }

  it.effect("under the same x-request-id is a conflict, unless the first failed or the body differs", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const keys = id()
        gateway.onSend = refuse
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), keys)))._tag, "NOT_FOUND")
        gateway.onSend = (_, act) => act
        yield* chat.send(acme, codeTo(), keys)
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), keys)))._tag, "CONFLICT")
        for (const other of [{ code: "654321" }, { ttl: 60 }, { sender_username: "other" }]) {
          yield* chat.send(acme, codeTo(german, other), keys)
        }
        assert.lengthOf(gateway.sends, 5)
      })
    )
  )

  it.effect("under the same Idempotency-Key is answered again, and a conflict with another body", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const sent = yield* chat.send(acme, codeTo(), key)
        assert.deepStrictEqual(yield* chat.send(acme, codeTo(), key), sent)
        const other = yield* Effect.flip(chat.send(acme, codeTo(german, { code: "0000" }), key))
        assert.strictEqual(other._tag, "CONFLICT")
        assert.lengthOf(gateway.sends, 1)
      })
    )
  )

  it.effect("of a send may have the id of a probe", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const keys = { ...id(), idempotencyKey: "k" }
        yield* chat.checkSendAbility(acme, { to: german }, keys)
        yield* chat.send(acme, codeTo(), keys)
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "settle 1", "hold 4", "settle 4"])
      })
    )
  )

  it.effect("of a probe asks and costs once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const [one, two] = [id(), key]
        const first = yield* chat.checkSendAbility(acme, { to: german }, one)
        // While it is remembered, and when a send has spent it.
        yield* chat.checkSendAbility(acme, { to: german }, one)
        yield* chat.send(acme, codeTo(), noKeys)
        const again = yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, one))
        assert.strictEqual(again._tag, "CONFLICT")
        const named = yield* chat.checkSendAbility(acme, { to: austrian }, two)
        yield* chat.send(acme, codeTo(austrian), noKeys)
        const repeated = yield* chat.checkSendAbility(acme, { to: austrian }, two)
        assert.deepStrictEqual(repeated, { ...named, remaining_balance: 0.9 })
        const other = yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, two))
        assert.strictEqual(other._tag, "CONFLICT")
        assert.strictEqual(gateway.probes, 2)
        assert.strictEqual(first.request_id, "request-1")
      })
    )
  )

  it.effect("of a probe whose price came back tells what the first told", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const first = yield* chat.checkSendAbility(acme, { to: german }, key)
        const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
        yield* chat.revoke(acme, { request_id })
        const again = yield* chat.checkSendAbility(acme, { to: german }, key)
        assert.deepStrictEqual(again, { ...first, remaining_balance: 1 })
      })
    )
  )

  it.effect("of a probe that found nobody tells so again", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        gateway.onProbe = () => Effect.succeed({ _tag: "Unreachable" })
        const first = yield* chat.checkSendAbility(acme, { to: german }, key)
        assert.deepStrictEqual(yield* chat.checkSendAbility(acme, { to: german }, key), first)
        assert.isTrue(first.is_refunded)
        assert.strictEqual(gateway.probes, 1)
      })
    )
  )
})

describe("records", () => {
  it.effect("are of one account and one mode", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
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
        const chat = yield* Chat
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
        const chat = yield* Chat
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

/** Null comes first, false before true, numbers as numbers and texts by code units. */
const byValue = (a: Tdr[keyof Tdr], b: Tdr[keyof Tdr]): number => {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return a === null || b === null ? Number(b === null) - Number(a === null) : Number(a) - Number(b)
}

describe("what a probe has cost", () => {
  it.effect("is taken off the next send", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        assert.deepStrictEqual(yield* chat.checkSendAbility(acme, { to: german }, noKeys), {
          request_id: "request-1",
          phone_number: german,
          request_cost: 0.01,
          is_refunded: false,
          remaining_balance: 0.99,
          delivery_status: { status: "sent", updated_at: 0 }
        })
        const sent = yield* chat.send(acme, codeTo(), noKeys)
        assert.include(sent, { request_id: "request-1", request_cost: 0.04, remaining_balance: 0.95 })
        const next = yield* chat.send(acme, codeTo(), noKeys)
        assert.include(next, { request_id: "request-2", request_cost: 0.05, remaining_balance: 0.9 })
        assert.deepStrictEqual(
          gateway.sends.map(({ requestId }) => requestId),
          ["request-1", null]
        )
      })
    )
  )

  it.effect("is all that the send costs where both cost the same", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chat
          const acme = yield* principal()
          yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_cost: 0, remaining_balance: 0.95 })
          assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
          assert.deepStrictEqual(yield* chat.revoke(acme, { request_id: "request-1" }), {
            request_id: "request-1",
            is_refunded: true,
            remaining_balance: 1
          })
          assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5", "refund 5"])
        }),
      { prices: { chatgw: "0.05", chatgw_probe: "0.05" } }
    )
  )

  it.effect("never makes a send cost less than nothing", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chat
          const acme = yield* principal()
          yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_cost: 0, remaining_balance: 0.93 })
        }),
      { prices: { chatgw: "0.05", chatgw_probe: "0.07" } }
    )
  )

  it.effect("is nothing where nobody has an account, and that is asked again", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        gateway.onProbe = () => Effect.succeed({ _tag: "Unreachable" })
        const probe = yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        assert.deepInclude(probe, { is_refunded: true, remaining_balance: 1, phone_number: german })
        assert.deepStrictEqual(probe.delivery_status, { status: "failed", updated_at: 0 })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "release 1"])
        gateway.onProbe = (_, act) => act
        assert.isFalse((yield* chat.checkSendAbility(acme, { to: german }, noKeys)).is_refunded)
      })
    )
  )

  it.effect("is paid once while it is remembered", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const first = yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        yield* TestClock.adjust("59 minutes")
        assert.deepStrictEqual(yield* chat.checkSendAbility(acme, { to: german }, noKeys), first)
        assert.strictEqual(gateway.probes, 1)
      })
    )
  )

  it.effect("is lost after an hour", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.05)
        assert.isNull(gateway.sends[0]?.requestId ?? null)
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        assert.strictEqual(gateway.probes, 2)
      })
    )
  )

  it.effect("is spent by one of two sends that come at once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.onSend = (_, act) => Effect.andThen(Effect.yieldNow, act)
        const sent = yield* Effect.all([chat.send(acme, codeTo(), noKeys), chat.send(acme, codeTo(), noKeys)], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(sent.map(({ request_cost }) => request_cost).toSorted(), [0.04, 0.05])
        assert.strictEqual(new Set(sent.map(({ request_id }) => request_id)).size, 2)
        assert.deepStrictEqual(yield* centsOf(acme), { available: 90, held: 0 })
      })
    )
  )

  it.effect("is there again after a send that was refused", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.onSend = refuse
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        assert.deepStrictEqual(yield* centsOf(acme), { available: 99, held: 0 })
        gateway.onSend = (_, act) => act
        assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_id: "request-1", request_cost: 0.04 })
      })
    )
  )

  it.effect("is paid once where the gateway has forgotten the probe, and the code goes out anew", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.requests.delete("request-1")
        const sent = yield* chat.send(acme, codeTo(), noKeys)
        assert.include(sent, { request_id: "request-2", request_cost: 0.04, remaining_balance: 0.95 })
        assert.deepStrictEqual(
          gateway.sends.map(({ requestId }) => requestId),
          ["request-1", null]
        )
        assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.05)
      })
    )
  )

  it.effect("is not paid towards a second send while the first is in doubt", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.onSend = loseQuestion
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        gateway.onSend = (_, act) => act
        assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_id: "request-2", request_cost: 0.05 })
      })
    )
  )

  it.effect("is spent although that cannot be noted", () => {
    const store = MemoryStore.make()
    const away = new StoreError({ reason: "Unavailable", message: "away" })
    return inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chat
          const acme = yield* principal()
          yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.04)
          assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_id: "request-2", request_cost: 0.05 })
        }),
      { store: { ...store, report: (report) => (report.target._tag === "Delivery" ? away : store.report(report)) } }
    )
  })

  it.effect("counts for its own account, mode and number only", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        yield* chat.send(yield* principal(), codeTo(), noKeys)
        yield* chat.send({ ...acme, mode: "sandbox" }, codeTo(), noKeys)
        yield* chat.send(acme, codeTo(austrian), noKeys)
        assert.deepStrictEqual(
          gateway.sends.map(({ requestId }) => requestId),
          [null, null]
        )
        assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.04)
      })
    )
  )

  it.effect("stays held while nobody knows whether the gateway was asked", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        gateway.onProbe = () => Effect.succeed({ _tag: "Unknown", failure: refusal() })
        yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, noKeys))
        assert.deepStrictEqual(yield* centsOf(acme), { available: 99, held: 1 })
        gateway.onProbe = () => Effect.succeed({ _tag: "Rejected", failure: refusal() })
        yield* Effect.flip(chat.checkSendAbility(acme, { to: austrian }, noKeys))
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "hold 1", "release 1"])
      })
    )
  )
})

describe("revoking", () => {
  it.effect("returns the price of a message that was not read, and of its probe", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        assert.deepStrictEqual(yield* chat.revoke(acme, { request_id }), {
          request_id,
          is_refunded: true,
          remaining_balance: 1
        })
        assert.deepStrictEqual((yield* entriesOf(acme)).toSorted(), [
          "hold 1",
          "hold 4",
          "refund 1",
          "refund 4",
          "settle 1",
          "settle 4"
        ])
        assert.include(yield* chat.get(acme, uuid), { status: "REVOKED", is_refunded: true, request_cost: 0.04 })
        assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
        assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.05)
      })
    )
  )

  it.effect("returns nothing for a message that was read", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        yield* chat.checkVerificationStatus(acme, { request_id, code: codeTo().code })
        assert.include(yield* chat.revoke(acme, { request_id }), { is_refunded: false, remaining_balance: 0.95 })
        assert.include(yield* chat.get(acme, uuid), {
          status: "READ",
          is_refunded: false,
          verification_status: "code_valid"
        })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
      })
    )
  )

  it.effect("is a conflict when the code's time is over", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        for (const mode of ["live", "sandbox"] as const) {
          const acme = yield* principal(mode)
          const { request_id } = yield* chat.send(acme, codeTo(german, { ttl: 30 }), noKeys)
          const other = yield* chat.send(acme, codeTo(austrian, { ttl: 30 }), noKeys)
          yield* TestClock.adjust("29999 millis")
          yield* chat.revoke(acme, { request_id: other.request_id })
          yield* TestClock.adjust("1 millis")
          assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
        }
      })
    )
  )

  it.effect.each(["expired", "revoked", "failed"] as const)("is a conflict when the gateway said %s", (delivery) =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
        yield* gateway.tell(request_id, { delivery })
        assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
      })
    )
  )

  it.effect("twice at once refunds once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
        const revoke = Effect.result(Effect.andThen(Effect.yieldNow, chat.revoke(acme, { request_id })))
        yield* Effect.all([revoke, revoke, gateway.tell(request_id)], { concurrency: "unbounded" })
        yield* gateway.tell(request_id)
        assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
        const refunds = (yield* entriesOf(acme)).filter((entry) => entry.startsWith("refund"))
        assert.deepStrictEqual(refunds.toSorted(), ["refund 1", "refund 4"])
      })
    )
  )

  it.effect("may be repeated where the store failed half way, until the refund is there", () => {
    const store = MemoryStore.make()
    const away = new StoreError({ reason: "Unavailable", message: "away" })
    let left = Infinity
    return inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chat
          for (const reports of [0, 1, 2]) {
            const acme = yield* principal()
            yield* chat.checkSendAbility(acme, { to: german }, noKeys)
            const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
            left = reports
            assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "StoreError")
            left = Infinity
            assert.isTrue((yield* chat.revoke(acme, { request_id })).is_refunded)
            assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
          }
        }),
      { store: { ...store, report: (report) => Effect.suspend(() => (left-- > 0 ? store.report(report) : away)) } }
    )
  })

  it.effect("is not found for what was never sent", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal()
        // A probe is no code that could be taken back.
        const { request_id } = yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        for (const id of [request_id, "nothing", acme.account.id]) {
          assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id: id })))._tag, "NOT_FOUND")
          const check = chat.checkVerificationStatus(acme, { request_id: id })
          assert.strictEqual((yield* Effect.flip(check))._tag, "NOT_FOUND")
        }
      })
    )
  )
})

describe("reported outcomes", () => {
  it.effect("move a record once; repeats are fine and contradictions are conflicts", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
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
        const chat = yield* Chat
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

describe("the sandbox", () => {
  const to = (digits: string) => `+491512345${digits}`

  it.effect("costs nothing and keeps to itself", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("sandbox")
        assert.include(yield* chat.checkSendAbility(acme, { to: german }, noKeys), {
          request_cost: 0,
          is_refunded: false
        })
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        assert.strictEqual((yield* chat.get(acme, uuid)).status, "SENT")
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* chat.get(acme, uuid)).status, "DELIVERED")
        const checked = yield* chat.checkVerificationStatus(acme, { request_id, code: codeTo().code })
        assert.deepStrictEqual(checked, { request_id, verification_status: { status: "code_valid", updated_at: 1 } })
        assert.include(yield* chat.get(acme, uuid), { status: "READ", verification_status: "code_valid" })
        assert.deepStrictEqual(yield* entriesOf(acme), [])
        assert.deepStrictEqual([gateway.sends.length, gateway.probes], [0, 0])
      })
    )
  )

  it.effect.each([
    ["0001", "SENT", null],
    ["0002", "FAILED", null],
    ["0004", "EXPIRED", "expired"],
    ["0486", "DELIVERED", null],
    ["0603", "DELIVERED", null]
  ] as const)("a number that ends in %s ends as %s", ([digits, status, verification_status]) =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("sandbox")
        const { uuid } = yield* chat.send(acme, codeTo(to(digits)), noKeys)
        yield* TestClock.adjust("1 minute")
        assert.include(yield* chat.get(acme, uuid), { status, verification_status })
      })
    )
  )

  it.effect.each([
    ["0003", "NOT_FOUND", 1],
    ["0402", "PAYMENT_REQUIRED", 0],
    ["0480", "TEMPORARY_UNAVAILABLE", 1],
    ["0503", "SERVICE_UNAVAILABLE", 1]
  ] as const)("a number that ends in %s is answered %s", ([digits, code, recorded]) =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("sandbox")
        const error = yield* Effect.flip(chat.send(acme, codeTo(to(digits)), noKeys))
        assert.strictEqual(error._tag, code)
        const { list, total } = yield* chat.list(acme, page({}))
        assert.strictEqual(total, recorded)
        for (const record of list) assert.strictEqual(record.status, "FAILED")
        const probe = yield* Effect.result(chat.checkSendAbility(acme, { to: codeTo(to(digits)).to }, noKeys))
        if (digits === "0003") assert.strictEqual(probe._tag === "Success" && probe.success.is_refunded, true)
        else assert.strictEqual(probe._tag === "Failure" && probe.failure._tag, code)
      })
    )
  )

  it.effect("a code expires by itself, and may not be entered any more", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("sandbox")
        const { request_id, uuid } = yield* chat.send(acme, codeTo(german, { ttl: 30 }), noKeys)
        yield* TestClock.adjust("30 seconds")
        assert.include(yield* chat.get(acme, uuid), { status: "EXPIRED", verification_status: "expired" })
        const checked = yield* chat.checkVerificationStatus(acme, { request_id, code: codeTo().code })
        assert.deepStrictEqual(checked.verification_status, { status: "expired", updated_at: 30 })
        assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
      })
    )
  )

  it.effect("three wrong codes are one too many, and the record says so", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chat
        const acme = yield* principal("sandbox")
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        const states: Array<unknown> = []
        for (const code of ["0000", "1111", "2222", "123456"]) {
          const body = { request_id, code: codeTo(german, { code }).code }
          states.push((yield* chat.checkVerificationStatus(acme, body)).verification_status?.status)
          states.push((yield* chat.get(acme, uuid)).verification_status)
        }
        const [wrong, over] = ["code_invalid", "code_max_attempts_exceeded"]
        assert.deepStrictEqual(states, [wrong, wrong, wrong, wrong, over, over, over, over])
      })
    )
  )
})
