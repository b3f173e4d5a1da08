import { hmacSha256, portable, portableHmac, sha256 } from "@watchword/schemas/Sha256"
import * as fc from "fast-check"
import { createHash, createHmac } from "node:crypto"
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

it("is HMAC-SHA256 under a key, in Node and without it", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 100 })
  fc.assert(
    fc.property(text, text, (key, message) => {
      const code = createHmac("sha256", key).update(message, "utf8").digest("hex")
      expect(hmacSha256(key)(message)).toBe(code)
      expect(portableHmac(key, message)).toBe(code)
    })
  )
})
