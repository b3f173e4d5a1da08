import { E164 } from "@watchword/schemas/PhoneNumber"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as SmsSandbox from "@watchword/sms/SmsSandbox"
import { suite } from "@watchword/sms/conformance"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, it } from "vitest"

const numbers = {
  delivered: E164.make("+4915123456789"),
  undelivered: E164.make("+4915123450002"),
  refused: E164.make("+4915123450480"),
  silent: null,
  late: null
}

describe("the sandbox as a gateway", () => {
  for (const { check, name } of suite({ gateway: Layer.effect(SmsGateway, SmsSandbox.make), numbers })) {
    it(name, () => Effect.runPromise(check))
  }
})
