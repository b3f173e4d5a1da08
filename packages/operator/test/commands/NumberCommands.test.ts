import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { read as readNumber } from "../../src/commands/NumberCommands.ts"
import { why } from "../../src/commands/PrivacyCommands.ts"
import { accountFor } from "../../../../test/stores/fixtures.ts"
import { onSqlite, sent } from "./onSqlite.ts"

const { ask, read, run } = onSqlite()

/** Sends to Germany three times, to France twice, and once to the United States. */
const traffic = () =>
  run(
    Effect.gen(function* () {
      const account = yield* accountFor(99)
      const to = ["+4915123456789", "+33612345678", "+4915123456780", "+14155550123", "+33612345679", "+4915123456781"]
      for (const [ago, number] of to.entries()) yield* sent(account, 60 + ago, { to: number })
    })
  )

describe("number read", () => {
  it("reads a number without a country in the countries of most sends, the most usual first", async () => {
    await traffic()
    expect(await ask(readNumber, { number: "0151 00000003" })).toEqual({
      number: null,
      problem: expect.stringMatching(/^must begin with a plus sign/),
      readings: [{ number: "+4915100000003", written: "+49 15100000003", country: "DE", name: "Germany" }]
    })
    const both = await ask(readNumber, { number: "06 12 34 56 78" })
    expect(both).toMatchObject({ readings: expect.arrayContaining([expect.objectContaining({ country: "FR" })]) })
    expect(await read(readNumber, { number: "0151 00000003" })).toEqual([
      expect.stringMatching(/^The number must begin/),
      "+4915100000003  Germany"
    ])
  })

  it("takes a number with its country as it is", async () => {
    expect(await ask(readNumber, { number: "+49 151 00000003" })).toEqual({
      number: "+4915100000003",
      problem: null,
      readings: []
    })
  })

  it("finds nothing in a text without a number, and nothing before the first send", async () => {
    expect(await ask(readNumber, { number: "0151 00000003" })).toMatchObject({ number: null, readings: [] })
    await traffic()
    expect(await ask(readNumber, { number: "hello" })).toMatchObject({ number: null, readings: [] })
  })
})

describe("why", () => {
  it("names the readings of a number without a country", async () => {
    await traffic()
    await expect(ask(why, { number: "0151 00000003" })).rejects.toMatchObject({
      issues: [{ path: "number", message: expect.stringMatching(/; it may be \+4915100000003 in Germany$/) }]
    })
    await expect(ask(why, { number: "hello" })).rejects.toMatchObject({
      issues: [{ path: "number", message: expect.not.stringContaining("it may be") }]
    })
  })
})
