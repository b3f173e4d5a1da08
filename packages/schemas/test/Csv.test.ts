import * as fc from "fast-check"
import { expect, it } from "vitest"
import { linesOf } from "../src/Csv.ts"

it("has a line of names, and a line for each row", () => {
  const rows = [
    { to: "+4915123456789", price: 0.07, says: 'a,"b"' },
    { to: "+33612345678", price: -1, says: null }
  ]
  expect(linesOf(["to", "price", "says"], rows)).toEqual([
    "to,price,says",
    '+4915123456789,0.07,"a,""b"""',
    "+33612345678,-1,"
  ])
})

it("has no text that a spreadsheet takes for a formula", () => {
  const begins = fc.constantFrom("=", "+", "-", "@", "\t", "\r")
  fc.assert(
    fc.property(begins, fc.string(), (begin, rest) => {
      const says = `${begin}${rest}`
      const [, line = ""] = linesOf(["says"], [{ says }])
      expect(/^"?[=+@\t\r-]/.test(line)).toBe(/^\+\d+$/.test(says))
    })
  )
})
