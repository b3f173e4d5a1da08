import { nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { describe, expect, it } from "vitest"
import * as Ends from "../src/internal/plan/Ends.ts"
import * as Plan from "../src/internal/plan/Plan.ts"
import * as Sends from "../src/internal/plan/Sends.ts"

const AT = 1_800_000_000_000
const OPTIONS = {
  resendInterval: 30_000,
  lease: 30_000,
  nextId: nextDeliveryId,
  isProbed: (channel: string) => channel === "chatgw"
}
const STEPS = [
  { channel: "chatgw", timeout: 20 },
  { channel: "sms", timeout: 60 },
  { channel: "call", timeout: 30 }
] as const
const LIMITS = { maxSends: 5, maxChecks: 3, ttl: 600 }

const start = () => Sends.start(STEPS, LIMITS, AT, OPTIONS)
const answer = (outcome: Sends.Answer["outcome"], reason: string | null = null): Sends.Answer => ({
  outcome,
  delivery: null,
  price: zero,
  reason,
  since: AT,
  receipt: null
})
const accepted = answer("accepted")
const refused = answer("undelivered", "TEMPORARY_UNAVAILABLE")
const unknown = answer("unknown")
const unpaid = answer("unpaid", "PAYMENT_REQUIRED")
const arrived: Sends.Receipt = { outcome: "delivered", price: zero }
const bad: Sends.Receipt = { outcome: "undelivered", price: zero }

const moved = (change: Plan.Change | Sends.NextRefused): Plan.Change => {
  if ("_tag" in change) throw new Error(`was refused: ${change._tag}`)
  return change
}

describe("a plan", () => {
  it("opens its first step when it starts", () => {
    const { open, plan } = start()
    expect(open).toBe(0)
    expect(plan).toMatchObject({ status: "pending", step: 0, sendsLeft: 4, checksLeft: 3, expiresAt: AT + 600_000 })
  })

  it("takes the next step when nothing was heard of an accepted send until its time-out", () => {
    const { plan } = Sends.answered(start().plan, 0, { ...accepted, since: AT + 500 }, AT + 500, OPTIONS)
    expect(Plan.upcoming(plan)).toEqual({ channel: "sms", at: AT + 20_500 })
    expect(Sends.due(plan, AT + 20_499, OPTIONS)).toEqual({ plan, open: null })
    const next = Sends.due(plan, AT + 20_500, OPTIONS)
    expect(next.open).toBe(1)
    expect(next.plan).toMatchObject({ step: 1, sendsLeft: 3 })
  })

  it("takes the next step at once when a send is refused, or its receipt is bad", () => {
    expect(Sends.answered(start().plan, 0, refused, AT, OPTIONS).open).toBe(1)
    const { plan } = Sends.answered(start().plan, 0, accepted, AT, OPTIONS)
    expect(Sends.receipt(plan, 0, bad, AT + 1, OPTIONS).open).toBe(1)
  })

  it("goes by a receipt that came before the answer was written down", () => {
    const lost = Sends.answered(start().plan, 0, { ...accepted, receipt: bad }, AT, OPTIONS)
    expect(lost).toMatchObject({ open: 1, plan: { sendsLeft: 3 } })
    const delivered = Sends.answered(start().plan, 0, { ...accepted, receipt: arrived }, AT, OPTIONS).plan
    expect(Plan.upcoming(delivered)).toBeNull()
  })

  it("waits for the time-out after an unknown outcome", () => {
    const { open, plan } = Sends.answered(start().plan, 0, unknown, AT, OPTIONS)
    expect(open).toBeNull()
    expect(Sends.due(plan, AT + 20_000, OPTIONS).open).toBe(1)
  })

  it("takes no step by itself once a send was delivered, until it expires", () => {
    const { plan } = Sends.answered(start().plan, 0, accepted, AT, OPTIONS)
    const delivered = Sends.receipt(plan, 0, arrived, AT + 2_000, OPTIONS).plan
    expect(Plan.upcoming(delivered)).toBeNull()
    expect(Sends.due(delivered, AT + 599_999, OPTIONS).open).toBeNull()
    expect(Sends.due(delivered, AT + 600_000, OPTIONS).plan.status).toBe("expired")
    expect(moved(Sends.next(delivered, null, AT + 40_000, OPTIONS)).open).toBe(1)
  })

  it("is not moved by a late receipt of an earlier step, which is noted", () => {
    const first = Sends.answered(start().plan, 0, accepted, AT, OPTIONS).plan
    const second = Sends.due(first, AT + 20_000, OPTIONS).plan
    const late = Sends.receipt(second, 0, arrived, AT + 21_000, OPTIONS)
    expect(late.open).toBeNull()
    expect({ ...late.plan, attempts: [] }).toEqual({ ...second, attempts: [] })
    expect(late.plan.attempts[0]?.outcome).toBe("delivered")
  })

  it("opens a send again, under its number, whose process has died", () => {
    const { plan } = start()
    const again = Sends.abandoned(plan, 0, AT + 1, OPTIONS)
    expect(again.open).toBe(0)
    expect(again.plan).toMatchObject({ sendsLeft: 4, step: 0, dueAt: AT + 1 + OPTIONS.lease })
    expect(again.plan.attempts).toEqual(plan.attempts)
  })

  it("has a send that is being opened looked at, each time when it is twice as old", () => {
    let { plan } = start()
    const looks: Array<number> = []
    while (looks.length < 5) {
      looks.push((plan.dueAt ?? 0) - AT)
      const due = Sends.due(plan, plan.dueAt ?? 0, OPTIONS)
      expect(due.open).toBeNull()
      plan = due.plan
    }
    expect(looks).toEqual([5_000, 10_000, 20_000, 40_000, 80_000])
  })

  it("counts the time-out of a send from when its gateway took it, or from the send where that is not known", () => {
    const { plan } = Sends.answered(start().plan, 0, { ...unknown, since: AT }, AT + 15_000, OPTIONS)
    expect(Plan.upcoming(plan)).toEqual({ channel: "sms", at: AT + 20_000 })
  })

  it("that has ended is due while a send of it is open or may be taken back, and never after that", () => {
    const asked = Ends.canceled(start().plan, AT)
    expect(asked.dueAt).toBe(AT + 5_000)
    const { open, plan } = Sends.answered(asked, 0, refused, AT + 2_000, OPTIONS)
    expect(open).toBeNull()
    expect(Plan.lookAfterEnd(plan, AT + 5_000)).toBeNull()
    const lost = Sends.answered(asked, 0, unknown, AT + 2_000, OPTIONS).plan
    expect(Plan.lookAfterEnd(lost, AT + 3_600_000)).toBe(AT + 7_200_000)
    const taken = Sends.answered(start().plan, 0, accepted, AT, OPTIONS).plan
    expect(Ends.canceled(taken, AT).dueAt).toBe(AT + 30_000)
    expect(Ends.approved(taken, AT).dueAt).toBeNull()
  })

  it("that has ended notes a send that was never opened as one that was not sent", () => {
    const asked = start().plan
    const delivery = asked.attempts[0]?.delivery
    const { open, plan } = Sends.abandoned(Ends.canceled(asked, AT), 0, AT + OPTIONS.lease, OPTIONS)
    expect(open).toBeNull()
    expect(plan).toMatchObject({ status: "canceled", attempts: [{ outcome: "undelivered", delivery }] })
  })

  it("notes what the record of an unknown send says without moving on", () => {
    const asked = Sends.answered(start().plan, 0, unknown, AT, OPTIONS).plan
    const taken = Sends.receipt(asked, 0, { outcome: "accepted", price: zero }, AT + 1, OPTIONS)
    expect(taken).toMatchObject({ open: null, plan: { dueAt: asked.dueAt, attempts: [{ outcome: "accepted" }] } })
    const delivered = Sends.receipt(taken.plan, 0, arrived, AT + 2, OPTIONS).plan
    const late = Sends.receipt(delivered, 0, { outcome: "accepted", price: zero }, AT + 3, OPTIONS)
    expect(late).toEqual({ plan: delivered, open: null })
  })

  it("fails as undeliverable when no step is left and none can have arrived", () => {
    const one = Sends.answered(start().plan, 0, refused, AT, OPTIONS).plan
    const two = Sends.answered(one, 1, unpaid, AT, OPTIONS).plan
    const three = Sends.answered(two, 2, refused, AT, OPTIONS)
    expect(three).toMatchObject({ plan: { status: "failed", reason: "undeliverable", dueAt: null }, open: null })
  })

  it("goes on until it expires when one of its sends may have arrived", () => {
    const one = Sends.answered(start().plan, 0, unknown, AT, OPTIONS).plan
    const two = Sends.due(one, AT + 20_000, OPTIONS).plan
    const three = Sends.answered(two, 1, refused, AT + 20_000, OPTIONS).plan
    const four = Sends.answered(three, 2, refused, AT + 20_000, OPTIONS).plan
    expect(four).toMatchObject({ status: "pending", dueAt: AT + 600_000 })
  })

  it("gives a refused send's place in the budget to the step that follows it", () => {
    const { plan } = Sends.start(STEPS, { ...LIMITS, maxSends: 1 }, AT, OPTIONS)
    const second = Sends.answered(plan, 0, refused, AT, OPTIONS)
    expect(second.open).toBe(1)
    const third = Sends.answered(second.plan, 1, unpaid, AT, OPTIONS)
    expect(third).toMatchObject({ open: 2, plan: { step: 2, sendsLeft: 0 } })
  })

  it("notes a message that was taken back, and waits all the same: it may have been read", () => {
    const [step] = STEPS
    const one = Sends.start([step], LIMITS, AT, OPTIONS).plan
    const taken = Sends.answered(one, 0, accepted, AT, OPTIONS).plan
    const revoked = Sends.receipt(taken, 0, { outcome: "revoked", price: zero }, AT, OPTIONS)
    expect(revoked).toMatchObject({ open: null, plan: { status: "pending", dueAt: AT + 600_000 } })
  })

  it("has no use for messages behind a later step, and for any once it was canceled", () => {
    const first = Sends.answered(start().plan, 0, accepted, AT, OPTIONS).plan
    expect(Plan.obsolete(first)).toEqual([])
    const second = Sends.answered(Sends.due(first, AT + 20_000, OPTIONS).plan, 1, accepted, AT + 20_000, OPTIONS).plan
    expect(Plan.obsolete(second).map(({ channel }) => channel)).toEqual(["chatgw"])
    expect(Plan.obsolete(Ends.canceled(second, AT)).map(({ channel }) => channel)).toEqual(["chatgw", "sms"])
    expect(Plan.obsolete(Ends.approved(second, AT))).toEqual([])
  })

  it("resends by the same channel, under the resend interval", () => {
    const { plan } = Sends.answered(start().plan, 0, accepted, AT, OPTIONS)
    expect(Sends.next(plan, "chatgw", AT + 29_999, OPTIONS)).toEqual({ _tag: "TooSoon", retryAt: AT + 30_000 })
    const again = moved(Sends.next(plan, "chatgw", AT + 30_000, OPTIONS))
    expect(again.open).toBe(1)
    expect(again.plan.step).toBe(0)
  })

  it("sends by no channel that its workflow lacks, and no more often than its budget allows", () => {
    const { plan } = Sends.answered(start().plan, 0, accepted, AT, OPTIONS)
    expect(Sends.next(plan, "bizchat", AT + 30_000, OPTIONS)).toEqual({ _tag: "NoStepLeft" })
    const spent = { ...plan, sendsLeft: 0 }
    expect(Sends.next(spent, "sms", AT + 30_000, OPTIONS)).toEqual({ _tag: "TooManySends" })
    expect(Sends.due(spent, AT + 20_000, OPTIONS).open).toBeNull()
  })

  it("compares no more guesses than it has, and fails with the last wrong one", () => {
    const second = Ends.guess(start().plan, AT)
    if ("_tag" in second) throw new Error("was refused")
    expect(second.checksLeft).toBe(2)
    const last = { ...second, checksLeft: 0 }
    expect(Ends.wrong(second, AT).status).toBe("pending")
    expect(Ends.wrong(last, AT)).toMatchObject({ status: "failed", reason: "max_checks" })
    expect(Ends.guess(last, AT)).toEqual({ _tag: "NoneLeft" })
    expect(Ends.guess(Ends.approved(second, AT), AT)).toEqual({ _tag: "Approved" })
    expect(Ends.guess(second, AT + 600_000)).toEqual({ _tag: "Final" })
  })

  it("leaves at most three guesses once a call was made", () => {
    const limits = { ...LIMITS, maxChecks: 10 }
    const steps = [{ channel: "call", timeout: 30 }] as const
    const started = Sends.start(steps, limits, AT, OPTIONS).plan
    const plan = { ...started, attempts: started.attempts.map((attempt) => ({ ...attempt, caller: "sealed" })) }
    const made = { ...accepted, delivery: nextDeliveryId(AT) }
    expect(Sends.answered(plan, 0, made, AT, OPTIONS).plan.checksLeft).toBe(3)
    expect(Sends.answered(plan, 0, refused, AT, OPTIONS).plan.checksLeft).toBe(10)
    // It may ring already.
    expect(Ends.guess(plan, AT)).toMatchObject({ checksLeft: 2 })
  })
})
