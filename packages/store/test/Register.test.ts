import { Register } from "@watchword/store/Register"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

describe("a register", () => {
  it("has what was added and not deleted, however often keys come and go", () => {
    const key = FastCheck.constantFrom("a", "b", "c", "d", "e")
    const step = FastCheck.record({ key, adds: FastCheck.boolean() })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 200 }), (steps) => {
        const register = new Register<string, number>()
        const model = new Map<string, number>()
        for (const [index, { adds, key }] of steps.entries()) {
          if (adds && !model.has(key)) {
            register.add(key, index)
            model.set(key, index)
          } else if (!adds) {
            register.delete(key)
            model.delete(key)
          }
          expect(register.size).toBe(model.size)
          for (const each of ["a", "b", "c", "d", "e"]) {
            expect(register.get(each)).toBe(model.get(each))
            expect(register.has(each)).toBe(model.has(each))
          }
          expect([...register.entries()]).toEqual([...model])
          expect(register.all()).toEqual([...model.values()])
        }
      })
    )
  })

  it("lets things go while it is looked through, and all at once", () => {
    const register = new Register<number, string>()
    for (const [index, thing] of ["a", "b", "c", "d"].entries()) register.add(index, thing)
    const seen: Array<string> = []
    for (const [key, thing] of register.entries()) {
      seen.push(thing)
      register.delete(key)
      register.delete(key + 1)
    }
    expect(seen).toEqual(["a", "c"])
    register.add(9, "e")
    register.clear()
    expect([register.size, register.all()]).toEqual([0, []])
  })
})
