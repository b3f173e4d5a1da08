import { Step, type Steps, receiveForms, stepChannels } from "@watchword/schemas/Verification"
import * as fc from "fast-check"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { StepsInLine, written } from "../../src/commands/StepsInLine.ts"

const decode = Schema.decodeUnknownOption(StepsInLine)

const timeout = fc.integer({ min: 10, max: 900 })
const sending = fc.record(
  { channel: fc.constantFrom(...stepChannels), timeout, carrier: fc.constant("other" as const) },
  { requiredKeys: ["channel", "timeout"] }
)
const receiving = fc.record(
  {
    channel: fc.constant("receive"),
    timeout,
    by: fc.subarray([...receiveForms], { minLength: 1 }),
    reply: fc.constant(false)
  },
  { requiredKeys: ["channel", "timeout", "by"] }
)
const steps: fc.Arbitrary<Steps> = fc.array(fc.oneof(sending, receiving), { minLength: 1, maxLength: 4 })

describe("the steps of a workflow in a line", () => {
  it("are the same steps again", () => {
    fc.assert(
      fc.property(steps, (given) => {
        expect(Option.getOrNull(decode(written(given)))).toEqual(given)
        expect(given.every(Schema.is(Step))).toBe(true)
      })
    )
  })

  it("are read as people write them", () => {
    expect(Option.getOrNull(decode("receive/telegram_login+sms/no-reply:300, sms/other:60"))).toEqual([
      { channel: "receive", timeout: 300, by: ["telegram_login", "sms"], reply: false },
      { channel: "sms", timeout: 60, carrier: "other" }
    ])
  })

  it.each([
    "receive:300",
    "receive/:300",
    "receive/fax:300",
    "receive/sms+sms:300",
    "receive/sms/reply:300",
    "receive/sms/no-reply/other:300",
    "sms/no-reply:30",
    "sms:5",
    "sms"
  ])("are not %s", (line) => {
    expect(Option.isNone(decode(line))).toBe(true)
  })
})
