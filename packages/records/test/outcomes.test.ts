import { assert, describe, it } from "@effect/vitest"
import * as Records from "@watchword/records/Records"
import { DeliveryId, nextAccountId, nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { Delivery, Status } from "@watchword/store/Delivery"
import { memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { someAccount } from "../../../test/accounts.ts"

const status = {
  sent: { name: "sent", rank: 1 },
  delivered: { name: "delivered", rank: 2 },
  failed: { name: "failed", rank: 2 },
  read: { name: "read", rank: 3 }
} as const satisfies Record<string, Status>

const owner = nextProcessId(0)

/** A delivery of a new account that has been sent. */
const delivery = Effect.gen(function* () {
  const store = yield* Store
  const account = nextAccountId(0)
  yield* store.createAccount(someAccount({ id: account }))
  const opened = yield* store.open({
    delivery: {
      id: nextDeliveryId(0),
      account,
      mode: "live",
      channel: "sms",
      to: "+4915123456789",
      from: "Acme",
      status: status.sent,
      price: zero,
      parts: 1,
      reference: null,
      details: {}
    },
    claims: [],
    owner,
    at: 0
  })
  if (opened._tag !== "Opened") return assert.fail(`the delivery was not opened: ${opened._tag}`)
  return opened.delivery
})

const partitionOf = ({ account, mode, channel }: Delivery) => ({ account, mode, channel })

const layer = Records.layer.pipe(Layer.provideMerge(Layer.fresh(memory())))

const test = <E>(name: string, program: Effect.Effect<void, E, Records.Records | Store>) =>
  // oxlint-disable-next-line vitest/expect-expect -- The tests that are given assert.
  it.effect(name, () => Effect.provide(program, layer))

describe("get", () => {
  test(
    "finds a record of its account, mode and channel, and no other's",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const partition = partitionOf(sent)
      assert.deepStrictEqual(yield* records.get(partition, Option.some(sent.id)), sent)
      for (const other of [
        { ...partition, account: nextAccountId(0) },
        { ...partition, mode: "sandbox" as const },
        { ...partition, channel: "call" }
      ]) {
        assert.strictEqual((yield* Effect.flip(records.get(other, Option.some(sent.id))))._tag, "NOT_FOUND")
      }
    })
  )

  test(
    "finds nothing by an unknown id, nor by one that cannot be read",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const partition = partitionOf(yield* delivery)
      for (const id of [Option.some(DeliveryId.make("01KAJ3T8ZZ0000000000000000")), Option.none()]) {
        assert.strictEqual((yield* Effect.flip(records.get(partition, id)))._tag, "NOT_FOUND")
      }
    })
  )
})

describe("report", () => {
  test(
    "moves the status once, and answers the record both times",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const report = records.report(partitionOf(sent), Option.some(sent.id), Records.reportedStatus(status.delivered))
      const [{ delivery: first }, { delivery: second }] = [yield* report, yield* report]
      assert.deepStrictEqual(first.status, status.delivered)
      assert.deepStrictEqual(second, first)
      assert.deepStrictEqual(yield* records.get(partitionOf(sent), Option.some(sent.id)), first)
    })
  )

  test(
    "is a conflict when it contradicts a final status",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const report = (status: Status) =>
        records.report(partitionOf(sent), Option.some(sent.id), Records.reportedStatus(status))
      yield* report(status.delivered)
      const conflict = yield* Effect.flip(report(status.failed))
      assert.strictEqual(conflict._tag, "CONFLICT")
      assert.strictEqual(conflict.message, "The record is delivered already and cannot become failed.")
    })
  )

  test(
    "is answered with a later status that implies it",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const report = (status: Status, impliedBy?: ReadonlyArray<string>) =>
        records.report(partitionOf(sent), Option.some(sent.id), Records.reportedStatus(status, impliedBy))
      yield* report(status.read)
      assert.deepStrictEqual((yield* report(status.delivered, ["read"])).delivery.status, status.read)
      assert.strictEqual((yield* Effect.flip(report(status.delivered)))._tag, "CONFLICT")
    })
  )

  test(
    "finds no record of another account",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const other = { ...partitionOf(sent), account: nextAccountId(0) }
      const failure = yield* Effect.flip(
        records.report(other, Option.some(sent.id), Records.reportedStatus(status.failed))
      )
      assert.strictEqual(failure._tag, "NOT_FOUND")
      assert.deepStrictEqual(yield* records.get(partitionOf(sent), Option.some(sent.id)), sent)
    })
  )
})

describe("report that the user holds the number", () => {
  const outcomes = {
    "of a status": Records.reportedStatus(status.delivered),
    "of a detail": Records.reportedDetail("outcome", "Success")
  }
  for (const [name, outcome] of Object.entries(outcomes)) {
    test(
      `${name} is the first one once, also of several at a time`,
      Effect.gen(function* () {
        const records = yield* Records.Records
        const sent = yield* delivery
        const report = records.report(partitionOf(sent), Option.some(sent.id), Records.verified(outcome))
        const reports = yield* Effect.all([report, report, report], { concurrency: "unbounded" })
        assert.deepStrictEqual(
          [...reports, yield* report].map(({ isVerified }) => isVerified),
          [true, false, false, false]
        )
        assert.isTrue(Records.isVerified(yield* records.get(partitionOf(sent), Option.some(sent.id))))
      })
    )
  }

  test(
    "is the first one once, of two statuses that are reported at a time",
    Effect.gen(function* () {
      const store = yield* Store
      // Both reports read the record before either is written.
      const late = Store.of({ ...store, find: (query) => Effect.tap(store.find(query), Effect.yieldNow) })
      const records = yield* Effect.provideService(Records.make, Store, late)
      const sent = yield* delivery
      const both = [status.delivered, status.read].map((each) =>
        records.report(
          partitionOf(sent),
          Option.some(sent.id),
          Records.verified(Records.reportedStatus(each, [status.read.name]))
        )
      )
      const reports = yield* Effect.all(both, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        reports.map(({ delivery, isVerified }) => [delivery.status.name, isVerified]),
        [
          ["delivered", true],
          ["read", false]
        ]
      )
    })
  )

  test(
    "is the first one after the gateway has told the status",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const report = (outcome: Records.ReportedOutcome) =>
        records.report(partitionOf(sent), Option.some(sent.id), outcome)
      const delivered = Records.reportedStatus(status.delivered)
      assert.isFalse((yield* report(delivered)).isVerified)
      const first = yield* report(Records.verified(delivered))
      assert.isTrue(first.isVerified)
      assert.isTrue(first.delivery.details[Records.VERIFIED])
      assert.isFalse((yield* report(Records.verified(delivered))).isVerified)
    })
  )

  test(
    "is none when it contradicts the record",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const report = (outcome: Records.ReportedOutcome) =>
        records.report(partitionOf(sent), Option.some(sent.id), outcome)
      yield* report(Records.reportedStatus(status.failed))
      yield* Effect.flip(report(Records.verified(Records.reportedStatus(status.delivered))))
      const { details } = yield* records.get(partitionOf(sent), Option.some(sent.id))
      assert.isUndefined(details[Records.VERIFIED])
    })
  )
})

describe("report of a detail", () => {
  test(
    "writes a detail once, and answers the record both times",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const mark = records.report(partitionOf(sent), Option.some(sent.id), Records.reportedDetail("outcome", "Success"))
      const [{ delivery: first }, { delivery: second }] = [yield* mark, yield* mark]
      assert.strictEqual(first.details["outcome"], "Success")
      assert.deepStrictEqual(first.status, sent.status)
      assert.deepStrictEqual(second, first)
    })
  )

  test(
    "is a conflict when it contradicts the detail",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const mark = (outcome: string) =>
        records.report(partitionOf(sent), Option.some(sent.id), Records.reportedDetail("outcome", outcome))
      yield* mark("Success")
      const conflict = yield* Effect.flip(mark("Failed"))
      assert.strictEqual(conflict._tag, "CONFLICT")
      assert.strictEqual(conflict.message, "The record is reported as Success already, and not as Failed.")
    })
  )

  test(
    "is written by one of two at once",
    Effect.gen(function* () {
      const records = yield* Records.Records
      const sent = yield* delivery
      const mark = (outcome: string) =>
        Effect.exit(records.report(partitionOf(sent), Option.some(sent.id), Records.reportedDetail("outcome", outcome)))
      const exits = yield* Effect.all([mark("Success"), mark("Failed")], { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
    })
  )
})
