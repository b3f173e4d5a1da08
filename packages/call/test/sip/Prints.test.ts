import { Prints } from "@watchword/call/sip/Prints"
import * as FastCheck from "fast-check"
import { expect, it } from "vitest"

/** Few, of which many lie in the same place, and some as large as they get. */
const print = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 300 }),
  FastCheck.integer({ min: 1, max: 300 }).map((n) => n * 2 ** 32 + 7),
  FastCheck.constantFrom(1, 2 ** 32, 2 ** 53 - 1)
)

it("are those that were added, once each", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(print, { maxLength: 400, size: "max" }),
      FastCheck.array(print, { minLength: 20 }),
      (added, asked) => {
        const prints = new Prints()
        for (const each of added) prints.add(each)
        const model = new Set(added)
        expect(prints.size).toBe(model.size)
        for (const each of [...added, ...asked]) expect(prints.has(each)).toBe(model.has(each))
      }
    )
  )
})
