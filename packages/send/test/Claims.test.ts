import { RequestId } from "@watchword/schemas/Ids"
import { sha256 } from "@watchword/schemas/Sha256"
import * as Claims from "@watchword/send/Claims"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"

const keys = {
  ...Claims.noKeys,
  requestId: RequestId.make("4f1b6f0e-8a39-4a4f-9a39-1f1f0f4f5b11"),
  idempotencyKey: "signup-1"
}
const bodyWith = (code: string): string => JSON.stringify(["+4915123456789", code])

const under = (secret: string | ReadonlyArray<string> | null, code = "1234") =>
  Claims.make([secret ?? []].flat().map((each) => Redacted.make(each))).claims("chatgw", keys, bodyWith(code), 0)

const secret = "a secret of this installation, kept elsewhere"

describe("claims", () => {
  it("under a secret are the same in every process, and others for another body or secret", () => {
    expect(under(secret)).toEqual(under(secret))
    const [idempotent, correlated] = under(secret)
    for (const other of [under(secret, "1235"), under(`${secret}!`)]) {
      expect(other[0]?.fingerprint).not.toBe(idempotent?.fingerprint)
      expect(other[1]?.key).not.toBe(correlated?.key)
    }
    expect(under(secret, "1235")[0]?.key).toBe(idempotent?.key)
  })

  it("are made under every secret, and an answered repeat decides before one that is refused", () => {
    const [idempotent, correlated] = under("new")
    const [oldIdempotent, oldCorrelated] = under("old")
    expect(under(["new", "old"])).toEqual([idempotent, oldIdempotent, correlated, oldCorrelated])
  })

  it("of an idempotency key are held until they expire, and those of a request until it is rejected", () => {
    expect(under(secret).map(({ heldUntil }) => heldUntil)).toEqual(["expiry", "rejection"])
  })

  it("tell no code to a reader of the database who knows the client's ids", () => {
    const codes = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, "0"))
    const guesses = codes.flatMap((code) => [
      sha256(JSON.stringify(["chatgw", keys.idempotencyKey, bodyWith(code)])),
      sha256(JSON.stringify(["chatgw", keys.requestId, bodyWith(code)]))
    ])
    const isGuessed = (secret: string | null): boolean => {
      const stored = JSON.stringify(under(secret))
      return guesses.some((guess) => stored.includes(guess.slice(0, 32)))
    }
    expect(isGuessed(secret)).toBe(false)
    expect(isGuessed(null)).toBe(true)
  })
})
