import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { receiveTexts } from "../src/internal/receiveTexts.ts"
import { LENGTH, find, refOf, tokenOf } from "../src/internal/Tokens.ts"

const tokens = fc.stringMatching(/^[0-9a-f]{64}$/).map(tokenOf)
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

describe("a token", () => {
  it("has 20 digits of base 32 and a check character", () => {
    assert.strictEqual(tokenOf("0".repeat(64)), "0".repeat(LENGTH))
    assert.strictEqual(tokenOf("f".repeat(64)).slice(0, 20), "Z".repeat(20))
    // In binary 10000 10000 10000 10000 0…
    assert.strictEqual(tokenOf(`84210${"0".repeat(59)}`).slice(0, 5), "GGGG0")
    fc.assert(fc.property(tokens, (token) => /^[0-9A-HJKMNP-TV-Z]{21}$/.test(token)))
  })

  it("is found in every sentence, as it was sent", () => {
    fc.assert(
      fc.property(tokens, fc.constantFrom(...Object.values(receiveTexts)), (token, sentence) => {
        assert.deepStrictEqual(find(sentence.replace("{{brand}}", "Acme").replace("{{code}}", token)), [token])
      })
    )
  })

  it("is found whatever people and telephones do to it", () => {
    const changes: ReadonlyArray<(token: string) => string> = [
      (token) => token.toLowerCase(),
      (token) => token.replaceAll("0", "O").replaceAll("1", "l"),
      (token) => token.replaceAll("0", "o").replaceAll("1", "I"),
      (token) => `${token.slice(0, 5)} ${token.slice(5, 10)}-${token.slice(10)}`,
      (token) => `${token.slice(0, 7)}\u00a0${token.slice(7)}`,
      (token) => `“${token}”`,
      (token) => `${token}.`,
      (token) => `${token} 👍`,
      (token) => token.replaceAll(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
    ]
    fc.assert(
      fc.property(tokens, fc.constantFrom(...changes), fc.constantFrom("", "Verify: "), (token, change, before) => {
        // Pieces of other words may happen to make one, too.
        assert.include(find(before + change(token)), token)
      })
    )
  })

  it("is not found with one wrong character", () => {
    fc.assert(
      fc.property(tokens, fc.nat(LENGTH - 1), fc.constantFrom(...alphabet), (token, place, letter) => {
        fc.pre(token[place] !== letter)
        assert.deepStrictEqual(find(token.slice(0, place) + letter + token.slice(place + 1)), [])
      })
    )
  })

  it("is looked for four times in a text at most, and in a text of any length", () => {
    fc.assert(
      fc.property(fc.array(tokens, { minLength: 4, maxLength: 6 }), (all) => {
        assert.strictEqual(find(all.join(" ")).length, 4)
      })
    )
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 12_000 }), (text) => find(text).length <= 4))
  })

  it("is not in the ref that finds its verification", () => {
    fc.assert(
      fc.property(tokens, (token) => {
        assert.notInclude(refOf("sms", token), token)
        assert.notStrictEqual(refOf("sms", token), refOf("bizchat", token))
      })
    )
  })
})
