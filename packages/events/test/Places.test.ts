/**
 * Places of requests, as properties over takes and ends in any order.
 */
import * as Places from "../src/internal/Places.ts"
import type { TakenEvent } from "@watchword/store/Store"
import { EventId, firstUlid, nextAccountId } from "@watchword/schemas/Ids"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const account = nextAccountId(0)
let made = 0

const rowOf = (endpoint: string, attempts: number): TakenEvent => ({
  id: EventId.make(firstUlid(0).slice(0, 20) + String(made++).padStart(6, "0")),
  endpoint,
  account,
  mode: "live",
  fact: { _tag: "Test" },
  at: 0,
  attempts,
  until: 20_000
})

const idsIn = (places: ReadonlyArray<Places.Place>): ReadonlyArray<EventId> =>
  places.flatMap((place) => place.flatMap(({ rows }) => rows.map(({ id }) => id))).toSorted()

const throughput = fc.record(
  { concurrency: fc.integer({ min: 1, max: 64 }), batch: fc.integer({ min: 1, max: 100 }) },
  { requiredKeys: [] }
)
const step = fc.oneof(
  fc.record({ take: fc.nat(200), attempts: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 20 }) }),
  fc.record({ end: fc.nat(1_000), isTaken: fc.boolean() })
)

describe("places", () => {
  it("never has more requests of an endpoint under way than its concurrency, nor more events in one than its batch", () => {
    fc.assert(
      fc.property(fc.option(throughput, { nil: undefined }), fc.array(step, { maxLength: 60 }), (own, steps) => {
        const { batch = 1, concurrency = 8 } = own ?? {}
        const places = Places.make()
        let underWay: ReadonlyArray<Places.Place> = []
        for (const each of steps) {
          if ("take" in each) {
            const free = Places.MOST - underWay.length
            const { bounds, perEndpoint } = places.look(free, new Map(own && [["a", own]]))
            const leased = underWay.flat().reduce((sum, { rows }) => sum + rows.length, 0)
            const room = Math.max(0, (bounds.get("a") ?? perEndpoint) - leased)
            const rows = Array.from({ length: Math.min(each.take, room) }, (_, n) => rowOf("a", each.attempts[n] ?? 1))
            const begun = places.begin(rows)
            expect(idsIn(begun)).toEqual(rows.map(({ id }) => id).toSorted())
            underWay = [...underWay, ...begun]
          } else {
            const place = underWay[each.end % Math.max(1, underWay.length)]
            if (place === undefined) continue
            // Others may wait for a place that is freed where the endpoint had all of them.
            const isToLook = places.end(place)
            if (underWay.length >= concurrency) expect(isToLook).toBe(true)
            underWay = underWay.filter((other) => other !== place)
          }
          expect(underWay.length).toBeLessThanOrEqual(concurrency)
          for (const { batch: most, rows } of underWay.flat()) {
            expect(rows.length).toBeLessThanOrEqual(Math.ceil(batch / 2 ** (rows[0].attempts - 1)))
            expect(most !== null).toBe(own?.batch !== undefined)
          }
        }
        for (const place of underWay) places.end(place)
        expect(places.look(Places.MOST, new Map()).perEndpoint).toBe(8)
      })
    )
  })
})
