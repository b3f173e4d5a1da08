import type { Phase } from "@watchword/store/Delivery"
import * as Step from "@watchword/store/step"
import {
  type Close,
  type Closed,
  type Open,
  type Opened,
  type Report,
  type Reported,
  aboutPart
} from "@watchword/store/Store"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { gather } from "./gather.ts"
import {
  type AnyStep,
  accounts,
  anySteps,
  begun,
  delivered,
  failed,
  funded,
  ids,
  owner,
  sent,
  statuses
} from "./steps.ts"
import { MicroEuros } from "@watchword/schemas/Money"

const decide = (snapshot: Step.Snapshot, step: AnyStep): Step.Decision<Opened | Closed | Reported> => {
  switch (step._tag) {
    case "Open":
      return Step.open(snapshot, step.request)
    case "Close":
      return Step.close(snapshot, step.request)
    case "Report":
      return Step.report(snapshot, step.request)
  }
}

const lookupOf = (step: AnyStep): Step.Lookup => {
  switch (step._tag) {
    case "Open":
      return Step.lookupOfOpen(step.request)
    case "Close":
      return Step.lookupOfClose(step.request)
    case "Report":
      return Step.lookupOfReport(step.request)
  }
}

const [account = expect.unreachable("has two")] = accounts
const [id = expect.unreachable("has some"), other = expect.unreachable("has some")] = ids

const opening = (fields: Partial<Open["delivery"]> = {}, rest: Partial<Open> = {}): Open => ({
  delivery: {
    id,
    account,
    mode: "live",
    channel: "sms",
    to: "+4915123456789",
    from: null,
    status: begun,
    price: MicroEuros.make(1),
    parts: 1,
    reference: 1,
    details: {},
    ...fields
  },
  claims: [],
  owner,
  at: 1,
  ...rest
})

const closing = (outcome: Exclude<Phase, "pending">, refs: ReadonlyArray<string> = []): Close => ({
  id,
  outcome,
  status: sent,
  refs,
  details: {},
  at: 2
})

const receipt = (refs: ReadonlyArray<string>, rest: Partial<Report> = {}): Report => ({
  target: { _tag: "Part", channel: "sms", refs, message: { to: null, reference: null } },
  status: delivered,
  when: {},
  details: {},
  everyPart: true,
  refund: false,
  at: 3,
  ...rest
})

const kinds = ({ postings }: Step.Changes) => postings.map(({ kind }) => kind)

describe("open", () => {
  it("inserts the record and holds its price", () => {
    const { answer, changes } = Step.open(funded(1).snapshot, opening())
    expect(answer).toMatchObject({ _tag: "Opened", available: 0, delivery: { id, phase: "pending" } })
    expect(changes).toMatchObject({ opened: [{ owner, claims: [], delivery: { id } }], updated: [] })
    expect(kinds(changes)).toEqual(["hold"])
  })

  it("changes nothing where money, the account or the claim is missing", () => {
    const claims = [{ key: "x", fingerprint: "1", heldUntil: "expiry" as const, expiresAt: 9 }]
    const tables = funded(1)
    tables.apply(Step.open(tables.snapshot, opening({}, { claims })).changes)
    const poor = Step.open(tables.snapshot, opening({ id: other }))
    expect(poor).toEqual({ answer: { _tag: "Insufficient", available: 0 }, changes: Step.noChanges })
    const claimed = Step.open(tables.snapshot, opening({ id: other }, { claims }))
    expect(claimed.answer).toMatchObject({ _tag: "Claimed", sameFingerprint: true, by: { id } })
    expect(claimed.changes).toBe(Step.noChanges)
    const noAccounts = { ...tables.snapshot, account: () => undefined }
    expect(Step.open(noAccounts, opening({ id: other })).answer).toEqual({ _tag: "NoAccount" })
  })

  it("with an end is one insert of the closed record", () => {
    const { outcome, refs, status } = closing("accepted", ["a"])
    const close = { outcome, status, refs, details: { done: true } }
    const { changes } = Step.open(funded(1).snapshot, opening({}, { close }))
    expect(changes.opened[0]?.delivery).toMatchObject({ phase: "accepted", status: sent, details: { done: true } })
    expect(changes.updated).toEqual([])
    expect(changes.parts).toEqual([{ channel: "sms", ref: "a", delivery: id, name: "a" }])
    expect(kinds(changes)).toEqual(["hold", "settle"])
  })
})

describe("close", () => {
  it("replays what was kept for its parts", () => {
    const tables = funded(1)
    tables.apply(Step.open(tables.snapshot, opening()).changes)
    const early = Step.report(tables.snapshot, receipt(["a", "A"]))
    expect(early).toEqual({
      answer: { _tag: "Unmatched" },
      changes: { ...Step.noChanges, unmatched: receipt(["a", "A"]) }
    })
    tables.apply(early.changes)
    const { answer, changes } = Step.close(tables.snapshot, closing("unknown", ["A"]))
    expect(answer).toMatchObject({ _tag: "Closed", delivery: { phase: "accepted", status: delivered } })
    expect(changes.replayed.map(({ report }) => report)).toEqual([receipt(["a", "A"])])
    expect(kinds(changes)).toEqual(["settle"])
  })
})

describe("report", () => {
  it("moves the status when every part has reported it", () => {
    const tables = funded(1)
    tables.apply(Step.open(tables.snapshot, opening({ parts: 2 })).changes)
    tables.apply(Step.close(tables.snapshot, closing("accepted", ["a", "b"])).changes)
    const first = Step.report(tables.snapshot, receipt(["a"]))
    expect(first.changes).toEqual({ ...Step.noChanges, reported: [{ delivery: id, status: "delivered", part: "a" }] })
    tables.apply(first.changes)
    expect(Step.report(tables.snapshot, receipt(["a"]))).toMatchObject({ answer: { _tag: "Unchanged" } })
    const second = Step.report(tables.snapshot, receipt(["b"]))
    expect(second).toMatchObject({ answer: { _tag: "Moved" } })
    expect(second.changes.complete).toEqual([{ delivery: id, status: "delivered" }])
  })
})

describe("a message whose answers were lost in part", () => {
  const loss = fc.nat({ max: 6 }).chain((more) => {
    const parts = Array.from({ length: more + 1 }, (_, index) => `part ${index}`)
    return fc.record({
      parts: fc.constant(parts),
      known: fc.subarray(parts),
      closed: fc.constantFrom("never" as const, "first" as const, "last" as const),
      receipts: fc
        .array(fc.constantFrom(...parts), { maxLength: 9 })
        .chain((repeats) => fc.shuffledSubarray([...parts, ...repeats], { minLength: parts.length + repeats.length })),
      failing: fc.option(fc.constantFrom(...parts))
    })
  })

  it("reaches its final status when a receipt has come for every part, in any order", () => {
    fc.assert(
      fc.property(loss, ({ closed, failing, known, parts, receipts }) => {
        const tables = funded(1)
        const take = ({ changes }: { readonly changes: Step.Changes }) => tables.apply(changes)
        const close = () => take(Step.close(tables.snapshot, closing("unknown", known)))
        take(Step.open(tables.snapshot, opening({ parts: parts.length })))
        if (closed === "first") close()
        for (const ref of receipts) {
          const target = { ...receipt([ref]).target, message: { to: "+4915123456789", reference: 1 } }
          const says = ref === failing ? { status: failed, everyPart: false } : {}
          take(Step.report(tables.snapshot, receipt([ref], { target, ...says })))
        }
        if (closed === "last") close()
        const record = tables.snapshot.delivery(id)
        expect(record).toMatchObject({ phase: "accepted", named: parts.length })
        expect(record?.status).toEqual(failing === null ? delivered : failed)
      })
    )
  })
})

/** A decision whose events have no ids, which are new each time. */
const withoutIds = ({ answer, changes }: ReturnType<typeof decide>) => ({
  answer,
  changes: { ...changes, events: changes.events.map((event) => ({ ...event, id: null })) }
})

describe("any steps", () => {
  it("need no more facts than their lookups ask for", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const tables = funded(3)
        for (const step of steps) {
          const names = statuses.map(({ name }) => name)
          const facts = gather(tables.snapshot, lookupOf(step), names)
          const decision = decide(tables.snapshot, step)
          expect(withoutIds(decide(Step.snapshotOf(facts), step))).toEqual(withoutIds(decision))
          tables.apply(decision.changes)
        }
      })
    )
  })

  it("leave as much held as open deliveries cost, and nothing below zero", () => {
    fc.assert(
      fc.property(anySteps, fc.nat({ max: 4 }), (steps, amount) => {
        const tables = funded(amount)
        for (const step of steps) {
          tables.apply(decide(tables.snapshot, step).changes)
          for (const account of accounts) {
            const balance = tables.snapshot.account(account)?.balance
            const open = ids.flatMap((id) => tables.snapshot.delivery(id) ?? []).filter(Step.isOpen)
            const promised = open.filter((each) => each.account === account).reduce((sum, { price }) => sum + price, 0)
            expect(balance?.held).toBe(promised)
            expect(balance?.available).toBeGreaterThanOrEqual(0)
          }
        }
      })
    )
  })

  it("answer what their changes make true", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const tables = funded(3)
        for (const step of steps) {
          const { answer, changes } = decide(tables.snapshot, step)
          tables.apply(changes)
          if ("delivery" in answer) expect(tables.snapshot.delivery(answer.delivery.id)).toEqual(answer.delivery)
          if ("available" in answer && "delivery" in answer) {
            expect(tables.snapshot.account(answer.delivery.account)?.balance.available).toBe(answer.available)
          }
        }
      })
    )
  })

  it("move neither records nor money when an open or a close is repeated", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const tables = funded(3)
        for (const step of steps) {
          tables.apply(decide(tables.snapshot, step).changes)
          if (step._tag === "Report") continue
          const { changes } = decide(tables.snapshot, step)
          expect([changes.opened, changes.updated, changes.postings]).toEqual([[], [], []])
        }
      })
    )
  })

  it("count a part once, also where a report has led its ref to another message before the close is repeated", () => {
    const tables = funded(1)
    const about = { to: opening().delivery.to, reference: 2 }
    const early = aboutPart("sms", ["d"], 0, {}, about)
    tables.apply(Step.report(tables.snapshot, early).changes)
    tables.apply(Step.open(tables.snapshot, opening({ reference: 2 })).changes)
    tables.apply(Step.open(tables.snapshot, opening({ id: other, reference: null, price: MicroEuros.make(0) })).changes)
    const close = { ...closing("accepted", ["d"]), id: other }
    tables.apply(Step.close(tables.snapshot, close).changes)
    expect(tables.snapshot.part("sms", "d")?.delivery).toBe(id)
    const { changes } = Step.close(tables.snapshot, close)
    expect(changes.updated).toEqual([])
    expect(changes.parts).toMatchObject([{ ref: "d", delivery: other }])
  })
})
