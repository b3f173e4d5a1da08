/**
 * Many texts at a time over two carriers; one of them fails now and then, and is drained meanwhile.
 */
import { describe, expect } from "@effect/vitest"
import * as Ledger from "@watchword/ledger/Ledger"
import { noKeys } from "@watchword/send/Claims"
import { drainSettings } from "@watchword/send/routes"
import * as Sms from "@watchword/sms/Sms"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { test } from "../../../../test/live.ts"
import { startCarrier } from "../smpp/fixture.ts"
import { FUNDS, PRICE, body, funded, layer } from "../smpp/service.ts"
import type { Smsc } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { link, startCarriers } from "./fixture.ts"

const TEXTS = 300
const numberOf = (index: number) => `+49151234${String(index).padStart(5, "0")}`

/** The numbers of the texts that a carrier has taken, one for each part. */
const taken = ({ submits }: Smsc) => submits.flatMap(({ id, to }) => (id === "" ? [] : [`+${to}`]))

describe("a carrier that is drained under load", () => {
  test(
    "loses no text and takes none twice, and the costs of the records are those that the carriers count",
    Effect.fnUntraced(function* () {
      let count = 0
      const acme = yield* startCarrier({
        submit: () => (++count % 7 === 0 ? { status: STATUS.RSYSERR, after: 5 } : { after: 5 })
      })
      const bell = yield* startCarrier({ submit: () => ({ after: 5 }) })
      const query = "timeout=5&window=1000&enquire=3600"
      const gateway = yield* startCarriers(
        {
          acme: { gateway: link(acme, query), cost: { "*": 0.061 } },
          bell: { gateway: link(bell, query), cost: { "*": 0.07 } }
        },
        { routes: [{ to: "*", via: ["acme", "bell"], choose: "cheapest" }] }
      )
      yield* Effect.gen(function* () {
        const principal = yield* funded
        const sms = yield* Sms.Sms
        const settings = yield* Settings
        const store = yield* Store
        const drain = drainSettings.of("acme")
        const whileDrained: Array<string> = []
        yield* Effect.forEach(
          Array.from({ length: TEXTS }, (_, index) => index),
          Effect.fnUntraced(function* (index) {
            if (index === TEXTS / 3) yield* settings.set(null, drain, null)
            if (index === (2 * TEXTS) / 3) yield* settings.remove(null, drain)
            const to = numberOf(index)
            if (index > TEXTS / 3 + 20 && index < (2 * TEXTS) / 3) whileDrained.push(to)
            yield* sms.send(principal, body({ to, from: "Acme", text: "Your code is 123456" }), noKeys)
          }),
          { concurrency: 20, discard: true }
        )
        const byAcme = taken(acme)
        const byBell = taken(bell)
        expect([...byAcme, ...byBell].toSorted()).toEqual(Array.from({ length: TEXTS }, (_, index) => numberOf(index)))
        expect(whileDrained.filter((to) => byAcme.includes(to))).toEqual([])
        expect(byAcme.some((to) => to >= numberOf((2 * TEXTS) / 3))).toBe(true)

        let costs = 0
        for (const to of [...byAcme, ...byBell]) {
          const [found] = yield* store.deliveriesTo({ to, since: 0, until: Number.MAX_SAFE_INTEGER, limit: 2 })
          expect(found?.details["carrier"]).toBe(byAcme.includes(to) ? "acme" : "bell")
          costs += Number(found?.details["cost"])
        }
        expect(costs).toBe(61_000 * byAcme.length + 70_000 * byBell.length)
        const { held, posted } = yield* (yield* Ledger.Ledger).balance(principal.account.id)
        expect([held, posted]).toEqual([0, FUNDS - TEXTS * PRICE])
      }).pipe(Effect.provide(layer(gateway)))
    })
  )
})
