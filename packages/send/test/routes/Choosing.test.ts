import { MicroEuros } from "@watchword/schemas/Money"
import { type Candidate, choose } from "../../src/routes/Choosing.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const candidate = (carrier: string, fields: Partial<Candidate> = {}): Candidate => ({
  carrier,
  weight: 1,
  cost: null,
  out: null,
  isUsed: false,
  ...fields
})

const never = () => {
  throw new Error("only weights are drawn")
}

describe("the order of carriers", () => {
  it("is that of the route, without those that are out", () => {
    const chosen = choose("order", [candidate("a", { out: "is drained" }), candidate("b"), candidate("c")], never)
    expect(chosen).toEqual({ carriers: ["b", "c"], choice: "order; a is drained" })
  })

  it("has those last by which the code has left before", () => {
    const chosen = choose("order", [candidate("a", { isUsed: true }), candidate("b")], never)
    expect(chosen).toEqual({ carriers: ["b", "a"], choice: "order; a was used before" })
  })

  it("keeps to a carrier that was used where there is no other", () => {
    const chosen = choose("order", [candidate("a", { isUsed: true }), candidate("b", { out: "is drained" })], never)
    expect(chosen.carriers).toEqual(["a"])
  })

  it("begins with the cheapest, and has those without a cost last", () => {
    const candidates = [candidate("a"), candidate("b", { cost: cents(7) }), candidate("c", { cost: cents(6) })]
    expect(choose("cheapest", candidates, never).carriers).toEqual(["c", "b", "a"])
  })

  it("begins with the best", () => {
    const ranked = { carriers: ["b", "a"], said: "in DE: b 80 % of 90, a too few (3)" }
    const chosen = choose("best", [candidate("a"), candidate("b")], never, ranked)
    expect(chosen).toEqual({ carriers: ["b", "a"], choice: "best; in DE: b 80 % of 90, a too few (3)" })
  })

  it("has the carriers with the weight 0 after all others", () => {
    const candidates = [candidate("spare", { weight: 0 }), candidate("a"), candidate("b", { weight: 3 })]
    expect(choose("weight", candidates, () => 0.5).carriers).toEqual(["b", "a", "spare"])
  })

  it("has every carrier that is not out, once", () => {
    const weights = FastCheck.array(
      FastCheck.tuple(FastCheck.double({ min: 0, max: 9, noNaN: true }), FastCheck.boolean())
    )
    FastCheck.assert(
      FastCheck.property(weights, FastCheck.infiniteStream(unit), (each, draws) => {
        const candidates = each.map(([weight, isOut], index) =>
          candidate(`c${index}`, { weight, out: isOut ? "is drained" : null })
        )
        const open = candidates.filter(({ out }) => out === null).map(({ carrier }) => carrier)
        expect(choose("weight", candidates, () => draws.next().value).carriers.toSorted()).toEqual(open.toSorted())
      })
    )
  })

  it("begins with each as often as its weight says, within the interval", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer(),
        FastCheck.array(FastCheck.integer({ min: 1, max: 100 }), lengths),
        (seed, weights) => {
          const candidates = weights.map((weight, index) => candidate(`c${index}`, { weight }))
          const draw = mulberry32(seed)
          const first = new Map<string, number>()
          for (let send = 0; send < SENDS; send++) {
            const [carrier = ""] = choose("weight", candidates, draw).carriers
            first.set(carrier, (first.get(carrier) ?? 0) + 1)
          }
          const all = weights.reduce((sum, weight) => sum + weight, 0)
          for (const [index, weight] of weights.entries()) {
            const share = weight / all
            // Five standard deviations of a binomial distribution: one run in some millions is outside.
            const width = 5 * Math.sqrt(SENDS * share * (1 - share))
            expect(Math.abs((first.get(`c${index}`) ?? 0) - SENDS * share)).toBeLessThanOrEqual(width + 1)
          }
        }
      ),
      { numRuns: 40 }
    )
  })
})

const SENDS = 4_000
const lengths = { minLength: 2, maxLength: 4 }
const unit = FastCheck.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

const cents = (amount: number) => MicroEuros.make(amount * 10_000)

/** A generator of numbers from 0 to 1 by a seed. */
const mulberry32 = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
