import { E164 } from "@watchword/schemas/PhoneNumber"
import { cases } from "@watchword/sms/conformance"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect, it } from "vitest"
import { names, startGateway } from "./fixture.ts"
import * as simulator from "./simulator.ts"

const numberOf = (end: string) => E164.make(`+491512345${end}`)

const numbers = {
  delivered: numberOf(simulator.numbers.delivered),
  undelivered: numberOf(simulator.numbers.undelivered),
  refused: numberOf(simulator.numbers.refused),
  silent: numberOf(simulator.numbers.silent),
  // A lost answer never comes; a receipt settles the message.
  late: null
}

// Each has a gateway of its own, and most wait for it.
describe.each(names)("the HTTP gateway to %s", { concurrent: true }, (name) => {
  const start = startGateway(name)
  for (const { name: title, check } of cases({ start, numbers, patience: "10 seconds" })) {
    it(title, () => expect(Effect.runPromise(Effect.provide(check, Logger.layer([])))).resolves.toBeUndefined())
  }
})
