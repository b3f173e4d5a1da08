import { describe, expect } from "@effect/vitest"
import { routesInOrder } from "@watchword/send/routes"
import { make } from "@watchword/sms/carriers"
import * as Effect from "effect/Effect"
import { eventually, test } from "../../../../test/live.ts"
import { collectEvents, startCarrier } from "../smpp/fixture.ts"
import type { Smsc } from "@watchword/sandbox/smsc"
import { link } from "./fixture.ts"

const [ONE, TWO] = ["+491713920000", "+491713920001"]
const THEIRS = "+4915123456789"

const setup = (carriers: Readonly<Record<string, readonly [Smsc, ...ReadonlyArray<string>]>>) => ({
  carriers: new Map(
    Object.entries(carriers).map(([name, [carrier, ...numbers]]) => {
      const query = numbers.length === 0 ? "" : `receives=${numbers.map(encodeURIComponent).join(",")}`
      return [name, { gateway: link(carrier, query), costs: null, connection: `${name} ${query}` }] as const
    })
  ),
  routes: routesInOrder(Object.keys(carriers))
})

describe("texts to several carriers", () => {
  test(
    "are those to their numbers, also after a reload, and name the carrier",
    Effect.fnUntraced(function* () {
      const [acme, bell] = [yield* startCarrier(), yield* startCarrier()]
      const { replace, service } = yield* make(setup({ acme: [acme, ONE], bell: [bell, ONE, TWO] }), true)
      const { count, events } = yield* collectEvents(service)
      expect(service.receives?.()).toEqual([ONE, TWO])
      const write = (carrier: Smsc, to: string) =>
        Effect.promise(() => carrier.write({ from: THEIRS, to, text: "hello" }))
      yield* write(acme, ONE)
      yield* write(acme, TWO)
      yield* write(bell, TWO)
      yield* count(2)
      expect(events).toMatchObject([
        { to: ONE, carrier: "acme" },
        { to: TWO, carrier: "bell" }
      ])
      yield* replace(setup({ acme: [acme, TWO] }))
      expect(service.receives?.()).toEqual([TWO])
      yield* eventually(Effect.sync(() => acme.binds.length === 2 && acme.bound.length === 1))
      yield* write(acme, TWO)
      yield* count(3)
      expect(events.at(-1)).toMatchObject({ to: TWO, carrier: "acme" })
    })
  )

  test(
    "are not taken without numbers",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const { service } = yield* make(setup({ acme: [carrier] }))
      expect(service.receives).toBeUndefined()
    })
  )
})
