import { Register } from "@watchword/store/Register"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

describe("a register", () => {
  const steps = (keys: FastCheck.Arbitrary<number>) =>
    FastCheck.array(FastCheck.record({ key: keys, does: FastCheck.constantFrom("add", "add", "delete", "clear") }), {
      maxLength: 300,
      size: "max"
    })

  it.each([
    ["few", FastCheck.integer({ min: 0, max: 5 })],
    ["many", FastCheck.integer({ min: 0, max: 200 })],
    ["large and far apart", FastCheck.integer({ min: 0, max: 60 }).map((n) => n * 2 ** 33 + (n % 3))],
    ["negative", FastCheck.integer({ min: -40, max: 40 })]
  ])("has what was added and not deleted, in that order, with %s keys", (_, keys) => {
    FastCheck.assert(
      FastCheck.property(steps(keys), (taken) => {
        const register = new Register<string>()
        const model = new Map<number, string>()
        for (const [index, { does, key }] of taken.entries()) {
          if (does === "add" && !model.has(key)) {
            register.add(key, `${index}`)
            model.set(key, `${index}`)
          } else if (does === "delete") {
            register.delete(key)
            model.delete(key)
          } else if (does === "clear" && index % 20 === 0) {
            register.clear()
            model.clear()
          }
          expect(register.size).toBe(model.size)
          expect(register.has(key)).toBe(model.has(key))
          expect(register.get(key)).toBe(model.get(key))
          expect(register.oldest).toBe([...model.values()][0])
        }
        for (const { key } of taken) expect(register.get(key)).toBe(model.get(key))
        expect(register.all()).toEqual([...model.values()])
      })
    )
  })

  it("keeps a thousand of a hundred thousand that come and go", () => {
    const register = new Register<number>()
    for (let n = 0; n < 100_000; n++) {
      register.add(n, n)
      if (n >= 1_000) register.delete(n - 1_000)
    }
    expect([register.size, register.oldest]).toEqual([1_000, 99_000])
    expect(register.all()).toEqual(Array.from({ length: 1_000 }, (_, index) => 99_000 + index))
  })
})
