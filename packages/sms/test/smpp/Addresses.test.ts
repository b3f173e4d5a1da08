import { link } from "@watchword/sms/smpp"
import { destinationOf, internationalOf } from "../../src/internal/smpp/Addresses.ts"
import * as Redacted from "effect/Redacted"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const mexico = { code: "52", prefix: "" }
const germany = { code: "49", prefix: "0" }

describe("the number of an address that a carrier sends", () => {
  it.each([
    [1, "4915123456789", null, "+4915123456789"],
    [0, "+4915123456789", null, "+4915123456789"],
    [2, "015123456789", null, null],
    [5, "Watchword", null, null],
    [2, "5512345678", mexico, "+525512345678"],
    [0, "5512345678", mexico, "+525512345678"],
    [0, "525512345678", mexico, "+525512345678"],
    [1, "525512345678", mexico, "+525512345678"],
    [1, "4915123456789", mexico, "+4915123456789"],
    [0, "015123456789", germany, "+4915123456789"],
    [2, "15123456789", germany, "+4915123456789"],
    [0, "4915123456789", germany, "+4915123456789"],
    [0, "525512345678", germany, "+525512345678"],
    [5, "Watchword", germany, null]
  ])("of type %i, %s, for %j, is %s", (ton, address, national, number) => {
    expect(internationalOf({ ton, address }, national)).toBe(number)
  })

  it("is the one that it was written from, in the national form or not", () => {
    const options = link({ host: "h", systemId: "s", password: Redacted.make("p") })
    FastCheck.assert(
      FastCheck.property(
        FastCheck.stringMatching(/^\+(?:49|52|1)[2-9][0-9]{8,9}$/),
        FastCheck.constantFrom(null, mexico, germany),
        (to, national) => {
          const { address, ton } = destinationOf(to, { ...options, national })
          expect(internationalOf({ ton, address }, national)).toBe(to)
        }
      )
    )
  })
})
