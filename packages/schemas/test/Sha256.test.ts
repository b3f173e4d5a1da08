import { portable, sha256 } from "@watchword/schemas/Sha256"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { expect, it } from "vitest"

it("is SHA-256 of the text in UTF-8, in Node and without it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const digest = createHash("sha256").update(text, "utf8").digest("hex")
      expect(sha256(text)).toBe(digest)
      expect(portable(text)).toBe(digest)
    })
  )
})
