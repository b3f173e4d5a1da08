import { type Srv, locate } from "../../src/internal/sip/Resolver.ts"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { describe, expect } from "vitest"

/** DNS with these records, each of which has an address with the number of its port. */
const resolver = (records: ReadonlyArray<Omit<Srv, "name">>) => ({
  srv: () => Promise.resolve(records.map((record) => ({ ...record, name: `host-${record.port}` }))),
  addresses: (host: string) => Promise.resolve([`192.0.2.${host.replace("host-", "")}`])
})

describe("the records of a trunk", () => {
  it.effect("are asked by their priority, whatever their weights are", () =>
    Effect.gen(function* () {
      const dns = resolver([
        { port: 3, priority: 30, weight: 60_000 },
        { port: 1, priority: 10, weight: 1 },
        { port: 2, priority: 20, weight: 50_000 }
      ])
      for (let round = 0; round < 20; round++) {
        const places = yield* locate(dns, "trunk.example", null, "udp", 4)
        expect(places.map(({ port }) => port)).toEqual([1, 2, 3])
      }
    })
  )

  it.effect("of one priority are asked first as often as their weights say", () =>
    Effect.gen(function* () {
      const dns = resolver([
        { port: 1, priority: 10, weight: 10 },
        { port: 2, priority: 10, weight: 90 }
      ])
      const firsts = yield* Effect.forEach(Array.from({ length: 200 }), () =>
        Effect.map(locate(dns, "trunk.example", null, "udp", 4), ([first]) => first?.port)
      )
      const share = firsts.filter((port) => port === 2).length / firsts.length
      expect(share).toBeGreaterThan(0.75)
      expect(share).toBeLessThan(1)
    }).pipe(Random.withSeed("weights"))
  )
})
