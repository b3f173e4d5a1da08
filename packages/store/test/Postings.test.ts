import { MicroEuros, zero } from "@watchword/schemas/Money"
import { type EntryKind, balanceOf, directionOf, posted } from "@watchword/store/Account"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const amount = (micro: number) => MicroEuros.make(micro)
const kinds: ReadonlyArray<EntryKind> = ["credit", "hold", "settle", "release", "refund"]

describe("Postings", () => {
  it.each<[EntryKind, number, number]>([
    ["credit", 17, 5],
    ["hold", 3, 12],
    ["settle", 10, -2],
    ["release", 17, -2],
    ["refund", 17, 5]
  ])("posts a %s of 7 to a balance of 10 and 5", (kind, available, held) => {
    const after = posted(balanceOf(amount(10), amount(5)), kind, amount(7))
    const expected = balanceOf(amount(available), amount(held))
    expect(after).toEqual(held < 0 ? Option.none() : Option.some(expected))
  })

  it("lets the last cent be held, and nothing beyond it", () => {
    const before = balanceOf(amount(7), zero)
    expect(posted(before, "hold", amount(7))).toEqual(Option.some(balanceOf(zero, amount(7))))
    expect(posted(before, "hold", amount(8))).toEqual(Option.none())
  })

  it("never goes below zero, and moves what its direction says, whatever is posted", () => {
    const posting = fc.tuple(fc.constantFrom(...kinds), fc.integer({ min: 1, max: 1_000 }))
    fc.assert(
      fc.property(fc.array(posting, { maxLength: 100 }), (postings) => {
        const places = { funding: 0, available: 0, held: 0, revenue: 0 }
        let balance = balanceOf(zero, zero)
        for (const [kind, micro] of postings) {
          const after = posted(balance, kind, amount(micro))
          if (Option.isNone(after)) continue
          balance = after.value
          places[directionOf[kind].from] -= micro
          places[directionOf[kind].to] += micro
        }
        expect(balance).toEqual({
          available: places.available,
          held: places.held,
          posted: places.available + places.held
        })
        expect(Math.min(balance.available, balance.held)).toBeGreaterThanOrEqual(0)
        expect(places.funding + places.available + places.held + places.revenue).toBe(0)
      })
    )
  })
})
