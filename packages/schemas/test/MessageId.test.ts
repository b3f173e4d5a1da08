import { DeliveryId } from "@watchword/schemas/Ids"
import { MessageId, fromDeliveryId, toDeliveryId } from "@watchword/schemas/Sms"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const END_OF_TIME = 2 ** 42 - 1 // in the year 2109

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const deliveryIds = fc
  .tuple(fc.nat(END_OF_TIME), fc.array(fc.constantFrom(...CROCKFORD), { minLength: 16, maxLength: 16 }))
  .map(([time, random]) => {
    const digits = Array.from({ length: 10 }, (_, index) => CROCKFORD[Math.floor(time / 32 ** (9 - index)) % 32])
    return DeliveryId.make(digits.join("") + random.join(""))
  })

const messageIds = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 2n ** 48n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 12n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 62n - 1n })
  )
  .map(([high, middle, low]) => {
    const hex = (bits: bigint, digits: number) => bits.toString(16).padStart(digits, "0")
    const tail = hex((2n << 62n) | low, 16)
    const head = hex(high, 12)
    return MessageId.make(
      `${head.slice(0, 8)}-${head.slice(8)}-8${hex(middle, 3)}-${tail.slice(0, 4)}-${tail.slice(4)}`
    )
  })

describe("MessageId", () => {
  it("is a UUID of version 8 for every delivery", () => {
    fc.assert(
      fc.property(deliveryIds, (id) => {
        expect(fromDeliveryId(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      })
    )
  })

  it("has the last 122 bits of the ULID in their order", () => {
    fc.assert(
      fc.property(deliveryIds, (id) => {
        const bits = [...id].reduce((number, digit) => number * 32n + BigInt(CROCKFORD.indexOf(digit)), 0n)
        const [head, version, middle, variant, tail] =
          /^(.{12})(.)(.{3})(.)(.{15})$/.exec(fromDeliveryId(id).replaceAll("-", ""))?.slice(1) ?? []
        expect(version).toBe("8")
        const [high, mid, two, low] = [head, middle, variant, tail].map((digits) => BigInt(`0x${digits}`))
        expect([high, mid, two, low]).toEqual([
          bits >> 74n,
          (bits >> 62n) & 0xfffn,
          0b1000n | ((bits >> 60n) & 0b11n),
          bits & (2n ** 60n - 1n)
        ])
      })
    )
  })

  it("leads back to its delivery", () => {
    fc.assert(
      fc.property(deliveryIds, (id) => {
        expect(toDeliveryId(fromDeliveryId(id))).toEqual(Option.some(id))
        expect(toDeliveryId(fromDeliveryId(id).toUpperCase())).toEqual(Option.some(id))
      })
    )
  })

  it("is the only one of its delivery", () => {
    fc.assert(
      fc.property(messageIds, (id) => {
        expect(Option.map(toDeliveryId(id), fromDeliveryId)).toEqual(Option.some(id))
      })
    )
  })

  it("keeps the order of deliveries", () => {
    fc.assert(
      fc.property(deliveryIds, deliveryIds, (a, b) => {
        expect(fromDeliveryId(a) < fromDeliveryId(b)).toBe(a < b)
      })
    )
  })

  it("keeps the order of deliveries that differ in one digit", () => {
    fc.assert(
      fc.property(deliveryIds, fc.integer({ min: 2, max: 25 }), fc.constantFrom(...CROCKFORD), (a, at, digit) => {
        const b = DeliveryId.make(a.slice(0, at) + digit + a.slice(at + 1))
        expect(fromDeliveryId(a) < fromDeliveryId(b)).toBe(a < b)
      })
    )
  })

  it.each([
    "",
    "01KAJ3T8ZZ0123456789ABCDEF",
    "019a5000-0000-7000-8000-000000000000",
    "019a5000-0000-4000-8000-000000000000",
    "019a5000-0000-8000-0000-000000000000",
    "019a5000-0000-8000-c000-000000000000",
    "019a5000000080008000000000000000",
    "019a5000-0000-8000-8000-00000000000",
    "019a5000-0000-8000-8000-000000000000\n"
  ])("has no delivery for %j", (text) => {
    expect(toDeliveryId(text)).toEqual(Option.none())
    expect(Schema.is(MessageId)(text)).toBe(false)
  })
})
