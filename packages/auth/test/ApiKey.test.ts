import * as ApiKey from "../src/internal/ApiKey.ts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { withChecksum } from "./fixture.ts"

const make = (mode: "live" | "sandbox") => Effect.runPromise(ApiKey.make(mode))

describe("make", () => {
  it.each([
    ["live", "sk_live_"],
    ["sandbox", "sk_test_"]
  ] as const)("makes a %s key with the prefix %s", async (mode, prefix) => {
    const key = await make(mode)
    const secret = Redacted.value(key.secret)
    expect(secret).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
    expect(ApiKey.isApiKey(secret)).toBe(true)
    expect(key.prefix).toBe(prefix)
    expect(key.lastFour).toBe(secret.slice(-4))
    expect(key.hash).toBe(createHash("sha256").update(secret).digest("hex"))
  })

  it("makes another key every time, of 256 bits and all characters", async () => {
    const secrets = await Promise.all(Array.from({ length: 500 }, () => make("live")))
    const digits = secrets.map((key) => Redacted.value(key.secret).slice(8, -6))
    expect(new Set(digits).size).toBe(500)
    expect(new Set(digits.join("")).size).toBe(62)
    const value = (text: string) =>
      [...text].reduce(
        (sum, digit) =>
          sum * 62n + BigInt("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(digit)),
        0n
      )
    const union = digits.map(value).reduce((bits, each) => bits | each, 0n)
    expect(union).toBe(2n ** 256n - 1n)
  })

  it("does not show the secret where it is printed", async () => {
    const key = await make("live")
    const secret = Redacted.value(key.secret)
    expect(inspect(key, { depth: 9 })).not.toContain(secret)
    expect(JSON.stringify(key)).not.toContain(secret)
    expect(String(key.secret)).not.toContain(secret)
  })
})

describe("isApiKey", () => {
  const random = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg"
  const key = withChecksum(`sk_live_${random}`)
  const digits = key.slice("sk_live_".length)

  it("knows the shape", () => {
    expect(ApiKey.isApiKey(key)).toBe(true)
    expect(ApiKey.isApiKey(withChecksum(`sk_test_${random}`))).toBe(true)
  })

  it("knows each key that is made", async () => {
    for (let times = 0; times < 200; times++) {
      const secret = Redacted.value((await make("live")).secret)
      expect(ApiKey.isApiKey(secret)).toBe(true)
      expect(secret).toBe(withChecksum(secret.slice(0, -6)))
    }
  })

  it("refuses a key with any one character changed", () => {
    fc.assert(
      fc.property(fc.nat(digits.length - 1), fc.stringMatching(/^[0-9A-Za-z]$/), (at, other) => {
        const changed = digits.slice(0, at) + other + digits.slice(at + 1)
        expect(ApiKey.isApiKey(`sk_live_${changed}`)).toBe(changed === digits)
      })
    )
  })

  it.each([
    "",
    "sk_live_",
    digits,
    `sk_test_${digits}`,
    `sk_live_${random}`,
    `sk_prod_${digits}`,
    `SK_LIVE_${digits}`,
    `sk_live_${digits}x`,
    `sk_live_${digits.slice(1)}`,
    `sk_live_${digits.slice(1)}-`,
    `sk_live_${digits.slice(1)}\n`,
    ` sk_live_${digits.slice(1)}`,
    `sk_live_${"x".repeat(100_000)}`
  ])("refuses %j", (text) => {
    expect(ApiKey.isApiKey(text)).toBe(false)
  })
})

describe("isSameHash", () => {
  const hash = fc.stringMatching(/^[0-9a-f]{64}$/)

  it("is equality", () => {
    fc.assert(
      fc.property(hash, fc.nat(63), fc.constantFrom(..."0123456789abcdef"), (a, at, digit) => {
        const b = a.slice(0, at) + digit + a.slice(at + 1)
        expect(ApiKey.isSameHash(a, b)).toBe(a === b)
        expect(ApiKey.isSameHash(a, a.slice(1))).toBe(false)
      })
    )
  })
})
