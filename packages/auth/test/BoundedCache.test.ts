import { BoundedCache } from "../src/internal/BoundedCache.ts"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("BoundedCache", () => {
  const operation = fc.oneof(
    fc.record({ _tag: fc.constant("set" as const), key: fc.nat(8), value: fc.nat(2) }),
    fc.record({ _tag: fc.constant("get" as const), key: fc.nat(8) }),
    fc.record({ _tag: fc.constant("deleteWhere" as const), value: fc.nat(2) })
  )

  it("never holds more than its capacity, and never a value that was replaced or deleted", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.array(operation, { maxLength: 300, size: "max" }),
        (capacity, operations) => {
          const cache = new BoundedCache<number, number>(capacity)
          const latest = new Map<number, number>()
          for (const each of operations) {
            if (each._tag === "set") {
              cache.set(each.key, each.value)
              latest.set(each.key, each.value)
              expect(cache.get(each.key)).toBe(each.value)
            } else if (each._tag === "get") {
              const value = cache.get(each.key)
              if (value !== undefined) expect(value).toBe(latest.get(each.key))
            } else {
              cache.deleteWhere((value) => value === each.value)
              for (const [key, value] of latest) if (value === each.value) latest.delete(key)
            }
            expect(cache.size).toBeLessThanOrEqual(capacity)
          }
        }
      ),
      { numRuns: 500 }
    )
  })

  it("keeps what was used lately", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.nat(100), { maxLength: 300, size: "max" }),
        (half, keys) => {
          const cache = new BoundedCache<number, number>(2 * half)
          const used: Array<number> = []
          for (const key of keys) {
            if (cache.get(key) === undefined) cache.set(key, key)
            used.push(key)
          }
          const lately = new Set<number>()
          for (const key of used.toReversed()) {
            if (lately.size === half) break
            lately.add(key)
          }
          for (const key of lately) expect(cache.get(key)).toBe(key)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("stays small under a flood", () => {
    const cache = new BoundedCache<string, number>(1000)
    cache.set("kept", 1)
    for (let index = 0; index < 100_000; index++) {
      cache.set(`key ${index}`, index)
      if (index % 100 === 0) cache.get("kept")
    }
    expect(cache.size).toBeLessThanOrEqual(1000)
    expect(cache.get("kept")).toBe(1)
  })
})
