import {
  AccountId,
  DeliveryId,
  KeyId,
  RequestId,
  nextAccountId,
  nextDeliveryId,
  nextKeyId
} from "@watchword/schemas/Ids"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { decodeTime } from "ulid"
import { describe, expect, it } from "vitest"

const ulid = "01KAJ3T8ZZ0123456789ABCDEF"

describe("identifiers", () => {
  it("accept their own shape alone", () => {
    expect(Schema.is(DeliveryId)(ulid)).toBe(true)
    expect(Schema.is(AccountId)(`acc_${ulid}`)).toBe(true)
    expect(Schema.is(KeyId)(`key_${ulid}`)).toBe(true)
    expect(Schema.is(AccountId)(`key_${ulid}`)).toBe(false)
    expect(Schema.is(AccountId)(ulid)).toBe(false)
  })

  it.each([
    "",
    ulid.toLowerCase(),
    ulid.slice(1),
    `${ulid}0`,
    `${ulid}\n`,
    ` ${ulid}`,
    `8${ulid.slice(1)}`,
    `${ulid.slice(0, 25)}I`,
    `${ulid.slice(0, 25)}L`,
    `${ulid.slice(0, 25)}O`,
    `${ulid.slice(0, 25)}U`
  ])("refuse %j", (text) => {
    expect(Schema.is(DeliveryId)(text)).toBe(false)
  })

  it("grow within a process, whatever the clock does", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4_000_000_000_000), { minLength: 2 }), (times) => {
        const ids = times.map(nextDeliveryId)
        expect(ids).toEqual([...ids].sort())
        expect(new Set(ids).size).toBe(ids.length)
      })
    )
  })

  it("carry their time", () => {
    const at = 4_200_000_000_000
    expect(decodeTime(nextDeliveryId(at))).toBe(at)
  })

  it("carry what they name", () => {
    expect(nextAccountId(0)).toMatch(/^acc_/)
    expect(nextKeyId(0)).toMatch(/^key_/)
  })
})

describe("RequestId", () => {
  it("accepts any UUID, of either case", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(Schema.is(RequestId)(uuid)).toBe(true)
        expect(Schema.is(RequestId)(uuid.toUpperCase())).toBe(true)
      })
    )
  })

  it.each([
    "",
    "1",
    "{01234567-89ab-cdef-0123-456789abcdef}",
    "0123456789abcdef0123456789abcdef",
    `${"0".repeat(35)}g`
  ])("refuses %j", (text) => {
    expect(Schema.is(RequestId)(text)).toBe(false)
  })
})
