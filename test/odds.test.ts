/**
 * The guessing odds of verifications, counted one by one, and in the documents.
 */
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { CALL_ATTEMPTS, type Verification, chanceOf, chanceOfAny, evenOddsAfter, tables } from "../scripts/odds.ts"

const range = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/** Every way in which one of so many is drawn some times in a row. */
const draws = (count: number, times: number): ReadonlyArray<ReadonlyArray<number>> =>
  times === 0 ? [[]] : draws(count, times - 1).flatMap((row) => range(count).map((drawn) => [...row, drawn]))

/**
 * The share of all draws of a code and callers at which the guesses 0, 1, 2, … pass, the last three after the calls.
 */
const counted = ({ attempts, calls, codes, endings }: Verification): number => {
  const early = range(Math.max(0, attempts - CALL_ATTEMPTS)).map((index) => codes - 1 - index)
  const late = range(Math.min(attempts, CALL_ATTEMPTS))
  const all = range(codes).flatMap((code) => draws(endings, calls).map((callers) => ({ callers, code })))
  const passed = all.filter(
    ({ callers, code }) => early.includes(code) || late.some((guess) => guess === code || callers.includes(guess))
  )
  return passed.length / all.length
}

describe("guessing odds", () => {
  it("are those of counting every code and caller", () => {
    const verification = fc
      .record({
        codes: fc.integer({ min: 5, max: 12 }),
        endings: fc.integer({ min: 3, max: 5 }),
        attempts: fc.integer({ min: 1, max: 5 }),
        calls: fc.integer({ min: 0, max: 3 })
      })
      .filter(({ attempts, codes }) => attempts <= codes)
    fc.assert(
      fc.property(verification, (each) => {
        expect(chanceOf(each)).toBeCloseTo(counted(each), 12)
      })
    )
  })

  it("add up over verifications", () => {
    expect(chanceOfAny(0.5, 3)).toBeCloseTo(0.875, 12)
    expect(chanceOfAny(1e-15, 1_000)).toBeCloseTo(1e-12, 20)
    expect(evenOddsAfter(0.5)).toBe(1)
    expect(evenOddsAfter(0.2)).toBe(4)
  })

  it.each(Object.entries(tables))("are in the documents as they are computed: %s", (_, table) => {
    expect(readFileSync(new URL("../docs/papers/odds.md", import.meta.url), "utf8")).toContain(`\n\n${table}\n\n`)
  })
})
