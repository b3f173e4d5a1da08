import { withoutNumber } from "../src/rehearsal/Rehearsal.ts"
import { describe, expect, it } from "vitest"

describe("what a rehearsal has heard", () => {
  const heard = {
    at: 0,
    kind: "receipt",
    raw: "dest=4915123456789 or 015123456789",
    read: "to +49 15123456789, by 3456789, not 456789",
    facts: { number: "15123456789", text: 1, marked: true }
  } as const

  it("shows of the operator's number the first digits and the last two, in whatever form it came", () => {
    expect(withoutNumber(heard, "+4915123456789")).toEqual({
      at: 0,
      kind: "receipt",
      raw: "dest=4915*******89 or 015*******89",
      read: "to +49 15*******89, by *****89, not 456789",
      facts: { number: "15*******89", text: 1, marked: true }
    })
  })
})
