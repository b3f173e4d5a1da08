import { assert, describe, it } from "@effect/vitest"
import { CheckVerification as CheckChatgw } from "@watchword/schemas/Chatgw"
import { CheckVerification } from "@watchword/schemas/Verification"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { SMS, check, codeOf, get, inWorld, principal, start, wrong } from "../fixture.ts"
import { rows } from "./Codes.ts"

const decode = Schema.decodeUnknownOption(CheckVerification)
const decodeChatgw = Schema.decodeUnknownOption(CheckChatgw)

/** What both places that take a code read of one. A check refuses more than 8 digits, unless its code has more. */
const readBy = (code: string) => {
  const read = Option.getOrNull(decode({ code, to: "+4915123456789" }))?.code ?? null
  return [
    read !== null && read.length > 8 ? null : read,
    Option.getOrNull(decodeChatgw({ code, request_id: "1" }))?.code ?? null
  ]
}

describe("a code as it is entered", () => {
  it.each(rows.map((row) => ({ ...row, name: `${row.from}: ${JSON.stringify(row.entered)}` })))(
    "$name",
    ({ entered, reads }) => {
      assert.deepStrictEqual(readBy(entered), [reads, reads])
    }
  )

  it.effect("is the code of a verification, and a guess where it is another one", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const inArabic = (code: string) =>
          `\u2067${code.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))}\u2069\n`
        assert.deepInclude(yield* check(by, started, inArabic(wrong(codeOf(world)))), { valid: false, checks_left: 4 })
        for (const { entered } of rows.filter(({ reads }) => reads === null)) {
          const asked = decode({ code: entered, verification_id: started.id })
          if (Option.isNone(asked)) continue
          assert.isAbove(asked.value.code.length, 8)
          assert.strictEqual((yield* Effect.flip(check(by, started, entered)))._tag, "BAD_REQUEST")
        }
        assert.strictEqual((yield* get(by, started)).checks_left, 4)
        assert.isTrue((yield* check(by, started, inArabic(codeOf(world)))).valid)
      })
    )
  )

  it("is read in any script, with any separators, and not with one other character", () => {
    // The zeros of several scripts, from several planes.
    const zero = fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x17e0, 0xff10, 0x1d7ce, 0x1d7d8, 0x1e950)
    const digit = fc.record({ zero, value: fc.nat(9) })
    const separators = fc.string({
      unit: fc.constantFrom("", " ", "-", "\n", "\t", "\u00a0", "\u200e", "\u2069", "\u2013", "\ufeff", "\u00ad"),
      maxLength: 3
    })
    const parts = fc.array(fc.tuple(separators, digit), { minLength: 1, maxLength: 10 })
    const other = fc.constantFrom("a", ".", "\u0661\u0338", "\u2460", "\u4e00", "O", "+", "'", "\u00b2")
    fc.assert(
      fc.property(parts, separators, fc.option(other), fc.nat(), (digits, last, more, at) => {
        const each = digits.map(([before, { value, zero }]) => before + String.fromCodePoint(zero + value))
        const place = at % (each.length + 1)
        const entered = [...each.slice(0, place), more ?? "", ...each.slice(place), last].join("")
        const isCode = more === null && digits.length >= 4 && digits.length <= 8
        const reads = isCode ? digits.map(([, { value }]) => value).join("") : null
        assert.deepStrictEqual(readBy(entered), [reads, reads])
      })
    )
  })
})
