import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Code from "../src/internal/Code.ts"

const SECRET = "a secret of the installation, long enough"
const ID = "vrf_01K9ZZZZZZZZZZZZZZZZZZZZZZ"

describe("a code", () => {
  it("is the same in every process with the secret, and another with another id, secret or length", async () => {
    const keys = await Code.importSecret(SECRET)
    const code = await Code.codeOf(keys, ID, 6)
    expect(code).toMatch(/^\d{6}$/)
    expect(await Code.codeOf(await Code.importSecret(SECRET), ID, 6)).toBe(code)
    const others = await Promise.all([
      Code.codeOf(keys, `${ID}1`, 6),
      Code.importSecret(`${SECRET}.`).then((other) => Code.codeOf(other, ID, 6)),
      Code.codeOf(keys, ID, 8)
    ])
    for (const other of others) expect(other).not.toContain(code)
  })

  it("has every first digit equally often", async () => {
    const keys = await Code.importSecret(SECRET)
    const counts = Array.from({ length: 10 }, () => 0)
    const codes = await Promise.all(Array.from({ length: 5_000 }, (_, index) => Code.codeOf(keys, `vrf_${index}`, 4)))
    for (const code of codes) counts[Number(code[0])] = (counts[Number(code[0])] ?? 0) + 1
    // The same codes in every run; the chi-square of nine degrees of freedom is below 27.9 for 999 of 1,000 secrets.
    expect(counts.reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0)).toBeLessThan(27.9)
  })

  it("passes over words that would favour low codes", () => {
    const words = (...values: ReadonlyArray<number>) =>
      values.map((value) => value.toString(16).padStart(8, "0")).join("")
    const limit = 2 ** 32 - (2 ** 32 % 10 ** 6)
    expect(Code.unbiased(words(limit - 1), 6)).toBe("999999")
    expect(Code.unbiased(words(limit, 7), 6)).toBe("000007")
    expect(Code.unbiased(words(limit, 2 ** 32 - 1), 6)).toBeNull()
    const longer = 2 ** 48 - (2 ** 48 % 10 ** 10)
    const ofTwelve = (value: number) => value.toString(16).padStart(12, "0")
    expect(Code.unbiased(ofTwelve(longer - 1), 10)).toBe("9999999999")
    expect(Code.unbiased(ofTwelve(longer) + ofTwelve(7), 10)).toBe("0000000007")
  })
})

describe("a sealed code", () => {
  it("opens in its own verification under its own secret only", async () => {
    const keys = await Code.importSecret(SECRET)
    const sealed = await Code.seal(keys, ID, "424242")
    expect(sealed).not.toContain("424242")
    expect(await Code.open(keys, ID, sealed)).toBe("424242")
    expect(await Code.open(keys, `${ID}1`, sealed)).toBeNull()
    expect(await Code.open(await Code.importSecret(`${SECRET}.`), ID, sealed)).toBeNull()
    expect(await Code.open(keys, ID, sealed.slice(0, 10))).toBeNull()
    expect(await Code.open(keys, ID, "no base 64!")).toBeNull()
  })
})

it("codes are the same when their digits are", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,8}$/), fc.stringMatching(/^\d{0,8}$/), (one, other) => {
      expect(Code.isSame(one, other)).toBe(one === other)
      expect(Code.isSame(one, one)).toBe(true)
    })
  )
})
