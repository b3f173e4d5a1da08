import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { septets, textOf } from "../../src/internal/Gsm7.ts"

describe("septets", () => {
  it("are read as they were written", () => {
    const text = fc.stringMatching(
      /^[A-Za-z0-9@£$¥èéùìòÇØøÅåΔ_ÆæßÉ !"#¤%&'()*+,./:;<=>?¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€\r\n-]*$/
    )
    fc.assert(
      fc.property(text, (said) => {
        expect(textOf(septets(said) ?? new Uint8Array())).toBe(said)
      })
    )
  })
})
