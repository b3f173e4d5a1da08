import {
  AccountId,
  DeliveryId,
  KeyId,
  RequestId,
  firstUlid,
  nextAccountId,
  nextDeliveryId,
  nextKeyId
} from "@watchword/schemas/Ids"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { decodeTime } from "ulid"
import { describe, expect, it } from "vitest"

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const numberOf = (ulid: string): bigint =>
  [...ulid].reduce((n, digit) => n * 32n + BigInt(CROCKFORD.indexOf(digit)), 0n)

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

  it("carry their time, and each next one is one more while that stands still", () => {
    let at = 4_100_000_000_000
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 30 }), fc.nat(80), (passed, more) => {
        at += passed
        const first = nextDeliveryId(at)
        const others = Array.from({ length: more }, () => nextDeliveryId(at))
        expect(first).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
        expect(decodeTime(first)).toBe(at)
        expect(others.map(numberOf)).toEqual(others.map((_, index) => numberOf(first) + BigInt(index + 1)))
      })
    )
  })

  it("differ in every random digit", () => {
    let at = 4_300_000_000_000
    const ids = Array.from({ length: 2_000 }, () => nextDeliveryId(++at))
    for (let place = 10; place < 26; place++) {
      expect(new Set(ids.map((id) => id[place])).size).toBe(32)
    }
  })

  it("begin a time, also one that ULIDs cannot hold", () => {
    expect(firstUlid(1)).toBe("00000000010000000000000000")
    expect(firstUlid(-1)).toBe(firstUlid(0))
    expect(firstUlid(2 ** 60)).toBe(firstUlid(2 ** 48 - 1))
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
