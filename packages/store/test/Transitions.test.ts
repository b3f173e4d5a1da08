import { AccountId, DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery, Phase } from "@watchword/store/Delivery"
import { type Close, type Open, type Report, about } from "@watchword/store/Store"
import { begun, fit } from "@watchword/store/step"
import { advanced, closed, opened, paid } from "../src/step/Transitions.ts"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const id = DeliveryId.make("01KAJ3T8ZZ0000000000000000")

const delivery = (fields: Partial<Delivery> = {}): Delivery => ({
  id,
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  mode: "live",
  channel: "sms",
  to: "+4915123456789",
  from: null,
  phase: "pending",
  status: { name: "sent", rank: 1 },
  price: MicroEuros.make(50_000),
  parts: 1,
  named: 0,
  reference: 7,
  createdAt: 1,
  statusAt: 1,
  dueAt: null,
  watch: null,
  details: { a: 1 },
  ...fields
})

const closing = (outcome: Close["outcome"], fields: Partial<Close> = {}): Close => ({
  id,
  outcome,
  status: { name: outcome, rank: 2 },
  refs: [],
  details: { b: 2 },
  at: 9,
  ...fields
})

const opening = (fields: Partial<Open> = {}): Open => ({
  delivery: delivery(),
  claims: [],
  owner: ProcessId.make("01KAJ3T8ZZ0000000000000000"),
  at: 5,
  ...fields
})

const phases: ReadonlyArray<Phase> = ["pending", "unknown", "accepted", "rejected", "refunded"]
const outcomes = ["accepted", "rejected", "unknown", "refunded"] as const

describe("begun", () => {
  it("is pending without an end", () => {
    expect(begun(opening())).toEqual({ delivery: delivery({ createdAt: 5, statusAt: 5 }), posting: null })
  })

  it("watches for endpoints only where there are some", () => {
    expect(opened(opening({ watch: { endpoints: [] } })).watch).toBeNull()
    expect(opened(opening({ watch: { endpoints: ["a"] } })).watch).toEqual({ endpoints: ["a"], version: 0 })
  })

  it("is what a close at the same time makes of it, and leaves the hold to the posting", () => {
    for (const outcome of outcomes) {
      for (const rank of [0, 1, 2]) {
        const close = { ...closing(outcome, { status: { name: outcome, rank }, at: 5 }) }
        const open = opening({ close })
        expect(begun(open)).toEqual(closed(opened(open), close))
      }
    }
  })
})

describe("closed", () => {
  it.each<[Phase, Close["outcome"], "settle" | "release" | null]>([
    ["pending", "accepted", "settle"],
    ["pending", "rejected", "release"],
    ["pending", "unknown", null],
    ["unknown", "accepted", "settle"],
    ["pending", "refunded", "release"],
    ["unknown", "rejected", "release"],
    ["unknown", "refunded", "release"]
  ])("takes %s to %s", (phase, outcome, posting) => {
    expect(closed(delivery({ phase }), closing(outcome))).toEqual({
      delivery: delivery({
        phase: outcome,
        status: { name: outcome, rank: 2 },
        statusAt: 9,
        details: { a: 1, b: 2 }
      }),
      posting
    })
  })

  it("answers the very record where nothing can change", () => {
    for (const [phase, outcome] of [
      ["unknown", "unknown"],
      ...outcomes.flatMap((end) =>
        (["accepted", "rejected", "refunded"] as const).map((phase) => [phase, end] as const)
      )
    ] as const) {
      const before = delivery({ phase })
      const after = closed(before, closing(outcome))
      expect(after.delivery).toBe(before)
      expect(after.posting).toBeNull()
    }
  })
})

const byId = about(id, 5, {})
const byPart: Report = {
  ...byId,
  target: { _tag: "Part", channel: "sms", refs: ["a"], message: { to: null, reference: null } }
}

describe("paid", () => {
  it("settles what is open by a report about a part, and nothing else", () => {
    for (const phase of phases) {
      const open = phase === "pending" || phase === "unknown"
      const { delivery: after, posting } = paid(delivery({ phase }), byPart)
      expect([after.phase, posting]).toEqual([open ? "accepted" : phase, open ? "settle" : null])
      expect(paid(delivery({ phase }), byId)).toEqual({ delivery: delivery({ phase }), posting: null })
    }
  })

  it("gives back what is held or settled, once", () => {
    const postings = { pending: "release", unknown: "release", accepted: "refund", rejected: null, refunded: null }
    for (const phase of phases) {
      for (const report of [byId, byPart]) {
        const { delivery: after, posting } = paid(delivery({ phase }), { ...report, refund: true })
        expect([after.phase, posting]).toEqual([phase === "rejected" ? phase : "refunded", postings[phase]])
      }
    }
  })
})

describe("any steps", () => {
  const step = fc.oneof(
    fc.record({ _tag: fc.constant("close" as const), outcome: fc.constantFrom(...outcomes) }),
    fc.record({ _tag: fc.constant("report" as const), refund: fc.boolean(), part: fc.boolean() }),
    fc.record({ _tag: fc.constant("status" as const), rank: fc.integer({ min: 0, max: 4 }) })
  )

  it("settle or release a hold at most once, refund only what was settled, and never move the rank down", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let current = delivery()
        const postings: Array<string> = []
        for (const each of steps) {
          const before = current
          const transition =
            each._tag === "close"
              ? closed(before, closing(each.outcome))
              : each._tag === "report"
                ? paid(before, { ...(each.part ? byPart : byId), refund: each.refund })
                : {
                    delivery: advanced(before, {
                      status: { name: "x", rank: each.rank },
                      when: {},
                      details: {},
                      at: 5
                    }),
                    posting: null
                  }
          current = transition.delivery
          if (transition.posting !== null) postings.push(transition.posting)
          expect(current.status.rank).toBeGreaterThanOrEqual(before.status.rank)
        }
        const ended = {
          pending: [""],
          unknown: [""],
          accepted: ["settle"],
          rejected: ["release"],
          refunded: ["release", "settle refund"]
        }
        expect(ended[current.phase]).toContain(postings.join(" "))
      })
    )
  })
})

describe("fit", () => {
  it.each([
    [{ to: "+4915123456789", reference: 7 }, false, "exactly"],
    [{ to: "015123456789", reference: 7 }, false, "exactly"],
    [{ to: null, reference: 7 }, false, "exactly"],
    [{ to: "+4915123456789", reference: null }, false, "perhaps"],
    [{ to: null, reference: null }, false, "perhaps"],
    [{ to: null, reference: 8 }, true, "perhaps"],
    [{ to: null, reference: 8 }, false, "not"],
    [{ to: "+4915123456780", reference: 7 }, true, "not"]
  ])("of %j under a spelling that is the first: %s, is %s", (message, preferred, expected) => {
    expect(fit(delivery(), message, preferred)).toBe(expected)
  })

  it("does not ask for a reference where the delivery has none", () => {
    expect(fit(delivery({ reference: null }), { to: null, reference: 8 }, false)).toBe("perhaps")
  })
})
