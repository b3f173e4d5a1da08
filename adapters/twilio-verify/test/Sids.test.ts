/** Ids in Twilio's form and back. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as Sids from "../src/internal/Sids.ts"

/** Any 128 bits, as a ULID and as hexadecimal digits. */
const bits = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const ulidOf = (value: bigint): string =>
  Array.from({ length: 26 }, (_, place) => ALPHABET[Number((value >> BigInt(5 * (25 - place))) & 31n)]).join("")
const hexOf = (value: bigint): string => value.toString(16).padStart(32, "0")

it("has the hexadecimal digits of an id's bits", () => {
  fc.assert(
    fc.property(bits, (value) => {
      expect(Sids.accountSid(`acc_${ulidOf(value)}`)).toBe(`AC${hexOf(value)}`)
      expect(Sids.verificationSid(`vrf_${ulidOf(value)}`)).toBe(`VE${hexOf(value)}`)
    })
  )
})

it("is read back, in capitals too", () => {
  fc.assert(
    fc.property(bits, (value) => {
      expect(Sids.verificationOf(`VE${hexOf(value)}`)).toBe(`vrf_${ulidOf(value)}`)
      expect(Sids.deliveryOf(`VL${hexOf(value).toUpperCase()}`)).toBe(ulidOf(value))
    })
  )
})

it("is read of no other text", () => {
  const other = fc.oneof(
    fc.string(),
    bits.map((value) => `VA${hexOf(value)}`)
  )
  fc.assert(fc.property(other, (text) => Sids.verificationOf(text) === null))
  expect(Sids.verificationOf(`VE${"0".repeat(31)}g`)).toBe(null)
  expect(Sids.verificationOf(`VE${"0".repeat(33)}`)).toBe(null)
})
