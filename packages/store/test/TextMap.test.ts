import { TextMap, hashOf } from "@watchword/store/TextMap"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

describe("a map of texts", () => {
  const steps = (texts: FastCheck.Arbitrary<string>) =>
    FastCheck.array(FastCheck.record({ text: texts, does: FastCheck.constantFrom("set", "set", "delete", "clear") }), {
      maxLength: 400,
      size: "max"
    })

  it.each([
    ["few", FastCheck.integer({ min: 0, max: 12 }).map((n) => `ref-${n}`)],
    ["many", FastCheck.integer({ min: 0, max: 300 }).map((n) => `ref-${n}`)],
    ["all kinds of", FastCheck.string({ unit: "binary", maxLength: 3 })]
  ])("has what a Map has, with %s texts", (_, texts) => {
    FastCheck.assert(
      FastCheck.property(steps(texts), (taken) => {
        const map = new TextMap<number>()
        const model = new Map<string, number>()
        for (const [index, { does, text }] of taken.entries()) {
          if (does === "set") {
            map.set(text, index)
            model.set(text, index)
          } else if (does === "delete") {
            map.delete(text)
            model.delete(text)
          } else if (index % 50 === 0) {
            map.clear()
            model.clear()
          }
          expect(map.size).toBe(model.size)
          expect(map.get(text)).toBe(model.get(text))
        }
        for (const { text } of taken) expect(map.get(text)).toBe(model.get(text))
      })
    )
  })

  it("keeps ten thousand of fifty thousand that come and go", () => {
    const map = new TextMap<number>()
    for (let n = 0; n < 50_000; n++) {
      map.set(`message ${n}`, n)
      if (n >= 10_000) map.delete(`message ${n - 10_000}`)
    }
    expect(map.size).toBe(10_000)
    for (let n = 0; n < 50_000; n++) expect(map.get(`message ${n}`)).toBe(n < 40_000 ? undefined : n)
  })

  it("spreads texts that are alike, for each seed in another way", () => {
    const slots = (seed: number) => Array.from({ length: 10_000 }, (_, index) => hashOf(`${index}`, seed) & 0xffff)
    for (const seed of [0, 1, 0x7fff_ffff]) expect(new Set(slots(seed)).size).toBeGreaterThan(9_000)
    expect(slots(1)).not.toEqual(slots(2))
  })
})
