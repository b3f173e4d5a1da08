import type { Step } from "@watchword/schemas/Verification"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { preferring, preferringLeft } from "../src/internal/plan/Preference.ts"

const channel = fc.constantFrom("chatgw", "sms", "call", "bizchat")
const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({ channel, timeout: fc.integer({ min: 10, max: 900 }) }),
  { minLength: 1, maxLength: 8 }
)
const prefer: fc.Arbitrary<ReadonlyArray<string>> = fc.uniqueArray(fc.oneof(channel, fc.constant("fax")))

describe("preferred channels", () => {
  it("come first in their order, and move no other step", () => {
    fc.assert(
      fc.property(prefer, steps, (prefer, workflow) => {
        const isPreferred = ({ channel }: Step) => prefer.includes(channel)
        const wanted = prefer.flatMap((channel) => workflow.filter((step) => step.channel === channel))
        expect(preferring(prefer, workflow)).toEqual([...wanted, ...workflow.filter((step) => !isPreferred(step))])
      })
    )
  })

  it("leave the steps where they are that a plan has taken", () => {
    fc.assert(
      fc.property(prefer, steps, fc.array(fc.nat()), fc.nat(), (prefer, workflow, taken, current) => {
        const plan = {
          workflow,
          step: current % workflow.length,
          attempts: taken.map((step) => ({ step: step % workflow.length }))
        }
        const left = 1 + Math.max(plan.step, ...plan.attempts.map(({ step }) => step))
        const after = preferringLeft(prefer, plan)
        expect(after.workflow.slice(0, left)).toEqual(workflow.slice(0, left))
        expect(after.workflow.slice(left)).toEqual(preferring(prefer, workflow.slice(left)))
        expect([after.step, after.attempts]).toEqual([plan.step, plan.attempts])
      })
    )
  })
})
