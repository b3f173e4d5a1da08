import { E164 } from "@watchword/schemas/PhoneNumber"
import { cases } from "@watchword/sms/conformance"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect, it } from "vitest"
import { startBound, startCarrier } from "./fixture.ts"
import { type Answer, type Receipt, type Submit, receipt } from "@watchword/sandbox/smsc"

const numbers = {
  delivered: E164.make("+4915123450000"),
  undelivered: E164.make("+4915123450001"),
  refused: E164.make("+4915123450002"),
  silent: E164.make("+4915123450003"),
  late: E164.make("+4915123450004")
}

const submit = ({ to }: Submit): Answer => {
  switch (`+${to}`) {
    case numbers.refused:
      return { status: 0x0b }
    case numbers.silent:
      return "silence"
    case numbers.late:
      return { after: 1500 }
    default:
      return {}
  }
}

const receiptFor = (submit: Submit): Receipt =>
  receipt(submit, `+${submit.to}` === numbers.undelivered ? "UNDELIV" : "DELIVRD", 20)

const start = Effect.gen(function* () {
  const carrier = yield* startCarrier({ submit, receipt: receiptFor })
  return { gateway: yield* startBound(carrier.url("timeout=1")) }
})

// Each case has a carrier of its own, and most wait for it.
describe("the SMPP gateway", { concurrent: true }, () => {
  for (const { name, check } of cases({ start, numbers })) {
    it(name, () => expect(Effect.runPromise(Effect.provide(check, Logger.layer([])))).resolves.toBeUndefined())
  }
})
