/** Random histories of plans. */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { type StepChannel, stepChannels } from "@watchword/schemas/Verification"
import * as fc from "fast-check"
import { expect, it } from "vitest"
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

type Arrival = Sends.Receipt["outcome"]

type Event =
  | { readonly _tag: "Answered"; readonly outcome: Sends.Answer["outcome"]; readonly early: Arrival | null }
  | { readonly _tag: "Receipt"; readonly number: number; readonly outcome: Arrival }
  | { readonly _tag: "Due" | "Abandoned" | "Cancel" | "Report" }
  | { readonly _tag: "Next"; readonly channel: StepChannel | null }
  | { readonly _tag: "Guess"; readonly right: boolean }

const channel = fc.constantFrom(...stepChannels)
const tagged = <T extends Event["_tag"]>(tag: T) => fc.constant(tag)

const arrival = fc.constantFrom<Arrival>("accepted", "unknown", "delivered", "undelivered", "revoked")

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: tagged("Answered"),
      outcome: fc.constantFrom("accepted", "unknown", "undelivered", "unpaid"),
      early: fc.option(arrival)
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: tagged("Receipt"),
      number: fc.nat(5),
      outcome: arrival
    })
  },
  { weight: 4, arbitrary: fc.record({ _tag: tagged("Due") }) },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("Abandoned") }) },
  { weight: 3, arbitrary: fc.record({ _tag: tagged("Next"), channel: fc.option(channel) }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Guess"), right: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constantFrom("Cancel", "Report") }) }
)

const steps = fc.array(fc.record({ channel, timeout: fc.integer({ min: 10, max: 300 }) }), {
  minLength: 1,
  maxLength: 4
})
const history = fc.array(fc.tuple(event, fc.nat(90_000)), { maxLength: 40 })
const limits = fc.record({
  maxSends: fc.integer({ min: 1, max: 6 }),
  maxChecks: fc.integer({ min: 1, max: 6 }),
  ttl: fc.constant(600)
})

/** The change of a plan by an event; null if it is refused. */
const changeBy = (plan: Plan.Plan, happened: Event, at: number): Plan.Change | null => {
  const last = plan.attempts.length - 1
  switch (happened._tag) {
    case "Answered": {
      const isRefused = happened.outcome === "undelivered" || happened.outcome === "unpaid"
      const delivery = happened.outcome === "unpaid" ? null : nextDeliveryId(at)
      const receipt = happened.early === null ? null : { outcome: happened.early, price: zero }
      const answer = {
        outcome: happened.outcome,
        delivery,
        price: zero,
        reason: isRefused ? "REFUSED" : null,
        since: at,
        receipt
      }
      return Sends.answered(plan, last, answer, at, OPTIONS)
    }
    case "Receipt":
      return Sends.receipt(plan, happened.number, { outcome: happened.outcome, price: zero }, at, OPTIONS)
    case "Due":
      return Sends.due(plan, at, OPTIONS)
    case "Abandoned":
      return plan.attempts[last]?.outcome === "opening" ? Sends.abandoned(plan, last, at, OPTIONS) : null
    case "Next": {
      const next = Sends.next(plan, happened.channel, at, OPTIONS)
      return "_tag" in next ? null : next
    }
    case "Guess": {
      const guessed = Ends.guess(plan, at)
      if ("_tag" in guessed) return null
      return Plan.unopened(happened.right ? Ends.approved(guessed, at) : Ends.wrong(guessed, at))
    }
    case "Cancel":
      return Plan.unopened(Ends.canceled(plan, at))
    case "Report":
      return Plan.unopened(Ends.failed(plan, at))
  }
}

/** Sends that may have left the service, at least in part. */
const sentOf = ({ attempts }: Plan.Plan) => attempts.filter(({ reason }) => reason === null)

it("any history keeps the budgets, opens each send once, and never changes a final plan", () => {
  fc.assert(
    fc.property(steps, limits, history, (workflow, budgets, events) => {
      let { open, plan } = Sends.start(workflow, budgets, AT, OPTIONS)
      let at = AT
      let compared = 0
      let comparedOfCall = 0
      const opened = new Set([open])
      for (const [happened, delay] of events) {
        at += delay
        const before = plan
        const change = changeBy(before, happened, at)
        if (change === null) continue
        ;({ open, plan } = change)
        if (happened._tag === "Guess") {
          compared++
          if (before.attempts.some(Plan.isCall)) comparedOfCall++
        }
        if (!Plan.isPending(before)) {
          expect({ ...plan, attempts: [], dueAt: null }).toEqual({ ...before, attempts: [], dueAt: null })
          expect(open).toBeNull()
        }
        if (open !== null) {
          // An abandoned send is opened again under its own number; every other one for the first time.
          expect(opened.has(open)).toBe(before.attempts[open]?.outcome === "opening")
          expect(plan.attempts.filter(({ outcome }) => outcome === "opening")).toHaveLength(1)
          opened.add(open)
        }
        expect(opened.size).toBe(plan.attempts.length)
        expect(plan.sendsLeft).toBeGreaterThanOrEqual(0)
        expect(plan.sendsLeft).toBeLessThanOrEqual(before.sendsLeft)
        expect(sentOf(plan).length).toBeLessThanOrEqual(budgets.maxSends - plan.sendsLeft)
        expect(compared).toBeLessThanOrEqual(budgets.maxChecks - plan.checksLeft)
        expect(comparedOfCall).toBeLessThanOrEqual(3)
        if (Plan.isPending(plan)) {
          expect(plan.dueAt).not.toBeNull()
          expect(plan.dueAt ?? 0).toBeLessThanOrEqual(plan.expiresAt)
        } else {
          // After the end a send whose outcome is not known is looked at.
          const isOpen = plan.attempts.some(({ outcome }) => outcome === "opening" || outcome === "unknown")
          if (isOpen) expect(plan.dueAt).not.toBeNull()
        }
      }
    }),
    { numRuns: 2_000 }
  )
})
