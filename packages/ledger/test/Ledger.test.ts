import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import { AccountId, EntryId, nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { makeMemory } from "@watchword/store/MemoryStore"
import { balanceOf, directionOf, posted } from "@watchword/store/Account"
import { type Service, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"

const layerOn = (store: Service) =>
  Layer.mergeAll(Ledger.layer, Accounts.layer).pipe(Layer.provideMerge(Layer.succeed(Store, store)))

const layer = Layer.unwrap(Effect.sync(() => layerOn(makeMemory())))

const unknown = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const euros = (amount: number) => MicroEuros.make(amount * 1_000_000)

describe("the ledger", () => {
  it.effect("credits an account once for each id", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const { id } = yield* accounts.create({})
      const note = { id: "invoice 7", reason: "paid by card" }
      const first = yield* ledger.credit(id, euros(5), note)
      const again = yield* ledger.credit(id, euros(5), note)
      assert.deepStrictEqual([first.repeated, again.repeated], [false, true])
      assert.strictEqual(again.balance.available, euros(5))
      assert.strictEqual((yield* ledger.credit(id, euros(5))).balance.available, euros(10))
      assert.strictEqual((yield* ledger.balance(id)).posted, euros(10))
      const [entry] = yield* Stream.runCollect(ledger.entries(id))
      assert.deepStrictEqual([entry?.id, entry?.reason], [EntryId.make("invoice 7"), "paid by card"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("refuses an id that was given to another amount", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const { id } = yield* accounts.create({})
      yield* ledger.credit(id, euros(5), { id: "invoice 7" })
      const refused = yield* Effect.flip(ledger.credit(id, euros(6), { id: "invoice 7" }))
      assert.strictEqual(refused._tag, "CONFLICT")
      assert.strictEqual((yield* ledger.balance(id)).posted, euros(5))
    }).pipe(Effect.provide(layer))
  )

  it.effect("debits what is available, and never more", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const { id } = yield* accounts.create({})
      yield* ledger.credit(id, euros(5))
      const refused = yield* Effect.flip(ledger.debit(id, euros(6), { reason: "chargeback" }))
      assert.strictEqual(refused._tag, "PAYMENT_REQUIRED")
      assert.include(refused.message, "5 EUR")
      const debited = yield* ledger.debit(id, euros(5), { reason: "chargeback" })
      assert.strictEqual(debited.balance.available, 0)
      assert.isTrue((yield* ledger.audit(id)).agrees)
      const entries = yield* Stream.runCollect(ledger.entries(id))
      assert.deepStrictEqual(
        entries.map(({ kind, reason }) => [kind, reason]),
        [
          ["credit", null],
          ["debit", "chargeback"]
        ]
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect("names what is wrong with a note", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const { id } = yield* accounts.create({})
      const refused = yield* Effect.flip(ledger.debit(id, euros(1), { id: " ", reason: "" }))
      assert.deepStrictEqual(refused._tag === "BAD_REQUEST" ? refused.issues : [], [
        { path: "id", message: "must have 1 to 100 characters and no control characters" },
        { path: "reason", message: "must have 1 to 200 characters and no control characters" }
      ])
    }).pipe(Effect.provide(layer))
  )

  it.effect("refuses amounts that are no credit, and accounts that are not there", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const { id } = yield* accounts.create({})
      for (const amount of [0, -1]) {
        assert.strictEqual((yield* Effect.flip(ledger.credit(id, MicroEuros.make(amount))))._tag, "BAD_REQUEST")
      }
      assert.strictEqual((yield* Effect.flip(ledger.credit(unknown, euros(1))))._tag, "NOT_FOUND")
      assert.strictEqual((yield* Effect.flip(ledger.balance(unknown)))._tag, "NOT_FOUND")
    }).pipe(Effect.provide(layer))
  )

  it.effect("reads more entries than a page holds, in their order", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const { id } = yield* accounts.create({})
      yield* Effect.forEach(Array.from({ length: 2_500 }), (_, index) => ledger.credit(id, MicroEuros.make(index + 1)))
      const entries = yield* Stream.runCollect(ledger.entries(id))
      assert.deepStrictEqual(
        entries.map((entry) => entry.amount),
        Array.from({ length: 2_500 }, (_, index) => index + 1)
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect("audits: agrees with a store that keeps its books, and not with one that does not", () => {
    const store = makeMemory()
    const careless: Service = {
      ...store,
      account: (id) =>
        Effect.map(
          store.account(id),
          Option.map((row) => ({ ...row, balance: balanceOf(euros(999), row.balance.held) }))
        )
    }
    const audited = Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const { id: account } = yield* accounts.create({})
      yield* ledger.credit(account, euros(5))
      const id = nextDeliveryId(1)
      yield* store.open({
        delivery: {
          id,
          account,
          mode: "live",
          channel: "sms",
          to: "+4915123456789",
          from: null,
          status: { name: "sent", rank: 0 },
          price: euros(2),
          parts: 1,
          reference: null,
          details: {}
        },
        claims: [],
        owner: nextProcessId(0),
        at: 1
      })
      return yield* ledger.audit(account)
    })
    return Effect.gen(function* () {
      const good = yield* Effect.provide(audited, layerOn(store))
      assert.isTrue(good.agrees)
      assert.deepStrictEqual(good.fromEntries, { posted: euros(5), held: euros(2), available: euros(3) })
      assert.isFalse((yield* Effect.provide(audited, layerOn(careless))).agrees)
    })
  })
})

describe("postings", () => {
  const kinds = fc.constantFrom("credit", "hold", "settle", "release", "refund")
  const steps = fc.array(fc.tuple(kinds, fc.integer({ min: 1, max: 1_000 })), { maxLength: 60 })

  it("never take a balance below zero, and move money without making any", () => {
    fc.assert(
      fc.property(steps, (moves) => {
        const places = { funding: 0, available: 0, held: 0, revenue: 0 }
        let balance = balanceOf(MicroEuros.make(0), MicroEuros.make(0))
        for (const [kind, amount] of moves) {
          const after = posted(balance, kind, MicroEuros.make(amount))
          const { from, to } = directionOf[kind]
          const short = (from === "available" || from === "held") && places[from] < amount
          assert.strictEqual(Option.isNone(after), short)
          if (Option.isNone(after)) continue
          places[from] -= amount
          places[to] += amount
          balance = after.value
        }
        assert.deepStrictEqual(
          [balance.available, balance.held, balance.posted],
          [places.available, places.held, places.available + places.held]
        )
        assert.strictEqual(places.funding + places.available + places.held + places.revenue, 0)
      })
    )
  })
})

describe("accounts", () => {
  it.effect("name every field that is wrong", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const wrong = { name: "", caller: "123", smsSender: "far too long a sender", senderUsername: "x", maxRing: 61 }
      const error = yield* Effect.flip(accounts.create(wrong))
      assert.deepStrictEqual(error._tag === "BAD_REQUEST" && error.issues?.map((issue) => issue.path), [
        "name",
        "caller",
        "smsSender",
        "senderUsername",
        "maxRing"
      ])
      const crossed = yield* Effect.flip(accounts.create({ minRing: 20, maxRing: 10 }))
      assert.strictEqual(crossed._tag === "BAD_REQUEST" && crossed.issues?.[0]?.path, "minRing")
    }).pipe(Effect.provide(layer))
  )

  it.effect("are listed oldest first, with their money", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.Accounts
      const ledger = yield* Ledger.Ledger
      const first = yield* accounts.create({ name: "first" })
      const second = yield* accounts.create({ name: "second" })
      yield* ledger.credit(second.id, euros(1))
      const listed = (yield* accounts.list).map(({ account, balance }) => [account.id, balance.available])
      assert.deepStrictEqual(listed, [
        [first.id, 0],
        [second.id, euros(1)]
      ])
      assert.strictEqual((yield* Effect.flip(accounts.get(unknown)))._tag, "NOT_FOUND")
    }).pipe(Effect.provide(layer))
  )
})
