/**
 * Receipts for texts whose process does not know yet which carrier has them: it has died since, or still waits for the
 * answer.
 */
import { describe, expect } from "@effect/vitest"
import { noKeys } from "@watchword/send/Claims"
import type { CarriersOptions } from "@watchword/sms/carriers"
import { Sms } from "@watchword/sms/Sms"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { eventually, test } from "../../../../test/live.ts"
import { startCarrier, until } from "../smpp/fixture.ts"
import { body, funded, layer } from "../smpp/service.ts"
import { receipt } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { link, startCarriers } from "./fixture.ts"

const TO = "+4915123456789"
const COST = { "*": 0.07 }

interface Given {
  readonly text: string
  readonly stat?: string
  readonly costs?: Readonly<Record<string, number>>
  readonly options?: CarriersOptions
}

/**
 * The record of a text that `acme` refused and `bell` took: `bell` has sent a receipt for the last part, but has not
 * answered yet.
 */
const recorded = Effect.fnUntraced(function* ({ costs = COST, options, stat = "DELIVRD", text }: Given) {
  const acme = yield* startCarrier({ submit: () => ({ status: STATUS.RTHROTTLED }) })
  const bell = yield* startCarrier({ submit: () => "silence" })
  const byName = {
    acme: { gateway: link(acme), cost: COST },
    bell: { gateway: link(bell, "timeout=60"), cost: costs }
  }
  const gateway = yield* startCarriers(byName, options)
  return yield* Effect.gen(function* () {
    const sms = yield* Sms
    const store = yield* Store
    const caller = yield* funded
    const parts = Math.ceil(text.length / 153)
    const latest = store.deliveriesTo({ to: TO, since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1 })
    const record = Effect.orDie(Effect.map(latest, ([delivery]) => delivery))
    const sending = yield* Effect.forkChild(sms.send(caller, body({ to: TO, from: "Acme", text }), noKeys))
    yield* until(bell, () => bell.submits.length === parts)
    expect((yield* record)?.details["carrier"]).toBe("acme")
    for (const submit of bell.submits.slice(-1)) bell.deliver(receipt({ ...submit, id: "last" }, stat).fields)
    yield* until(bell, () => bell.acknowledgements.length === 1)
    yield* eventually(Effect.map(record, (delivery) => delivery?.phase === "accepted"))
    const before = yield* record
    for (const [index, submit] of bell.submits.entries())
      submit.answer({ id: index === parts - 1 ? "last" : `p${index}` })
    yield* Fiber.join(sending)
    const after = yield* record
    const { carrier, carriers, cost } = after?.details ?? {}
    expect({ carrier, carriers, cost }).toEqual({
      carrier: before?.details["carrier"],
      carriers: before?.details["carriers"],
      cost: before?.details["cost"]
    })
    return { status: after?.status.name, carrier, carriers, cost }
  }).pipe(Effect.provide(layer(gateway)))
})

describe("a receipt of a text whose carrier is not known yet", () => {
  test(
    "names its carrier and the cost, though another part has not reported",
    Effect.fnUntraced(function* () {
      expect(yield* recorded({ text: "a".repeat(200) })).toEqual({
        status: "sent",
        carrier: "bell",
        carriers: "bell",
        cost: 140_000
      })
    })
  )

  test(
    "names them for a text of one part, whatever it says",
    Effect.fnUntraced(function* () {
      for (const [stat, status] of [
        ["DELIVRD", "delivered"],
        ["UNDELIV", "undelivered"],
        ["ENROUTE", "sent"],
        ["DND", "sent"]
      ] as const) {
        expect(yield* recorded({ text: "Your code is 123456", stat })).toEqual({
          status,
          carrier: "bell",
          carriers: "bell",
          cost: 70_000
        })
      }
    })
  )

  test(
    "leaves the cost out where the carrier has none",
    Effect.fnUntraced(function* () {
      const seen = yield* recorded({ text: "Your code is 123456", costs: { "44": 1 } })
      expect(seen).toMatchObject({ carrier: "bell", cost: undefined })
    })
  )
})
