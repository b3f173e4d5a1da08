/**
 * Facts and decisions of steps, in cases that the random steps rarely meet.
 */
import { AccountId, DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import { about } from "@watchword/store/Store"
import { type Changes, type PartReport, changesNothing, noChanges, snapshotOf } from "@watchword/store/step"
import { describe, expect, it } from "vitest"
import { isDue } from "../../src/step/Matching.ts"

const id = DeliveryId.make("01KAJ3T8ZZ0000000000000000")
const other = DeliveryId.make("01KAJ3T8ZZ0000000000000001")

const delivery: Delivery = {
  id,
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  mode: "live",
  channel: "sms",
  to: "+4915123456789",
  from: null,
  phase: "pending",
  status: { name: "sent", rank: 1 },
  price: zero,
  parts: 1,
  named: 0,
  reference: 7,
  createdAt: 1,
  statusAt: 1,
  dueAt: null,
  watch: null,
  details: {}
}

const report = (refs: ReadonlyArray<string>, reference: number | null): PartReport => ({
  ...about(id, 5, {}),
  target: { _tag: "Part", channel: "sms", refs, message: { to: null, reference } }
})

describe("changes", () => {
  it("are nothing to apply where a step makes none", () => {
    expect(changesNothing(noChanges)).toBe(true)
  })

  const one: ReadonlyArray<Partial<Changes>> = [
    { opened: [{ delivery, owner: ProcessId.make("01KAJ3T8ZZ0000000000000000"), claims: [] }] },
    { updated: [{ before: delivery, after: { ...delivery, named: 1 } }] },
    { parts: [{ delivery: id, name: "a", channel: "sms", ref: "a" }] },
    { reported: [{ delivery: id, status: "delivered", part: "a" }] },
    { unmatched: report(["a"], null) },
    { replayed: [{ n: 1, report: report(["a"], null) }] }
  ]
  it.each(one)("are something to apply with one of them: %j", (changes) => {
    expect(changesNothing({ ...noChanges, ...changes })).toBe(false)
  })
})

describe("a snapshot of facts", () => {
  it("has the parts of one delivery that have reported one status", () => {
    const snapshot = snapshotOf({
      accounts: [],
      deliveries: [],
      claims: [],
      parts: [],
      reported: [
        { delivery: id, status: "sent", part: "a" },
        { delivery: id, status: "delivered", part: "b" },
        { delivery: other, status: "delivered", part: "c" }
      ],
      unmatched: []
    })
    expect(snapshot.reporters(id, "delivered")).toEqual(["b"])
  })
})

describe("an unmatched report with another reference", () => {
  it("is due for a delivery under the first spelling alone", () => {
    expect(isDue(delivery, ["a"], report(["a", "b"], 8))).toBe(true)
    expect(isDue(delivery, ["b"], report(["a", "b"], 8))).toBe(false)
  })
})
