import { Figures } from "../../src/routes/Figures.ts"
import { HYSTERESIS, Quality, TRIED } from "../../src/routes/Quality.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const MINUTE = 60_000

/** No figures of other servers. */
const none = () => undefined
const START = 1_800_000_000_000
const VIA = ["acme", "bell"]

/** Evenly distributed, and the same for a seed (mulberry32). */
const drawsOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The share of codes that are entered, by carrier, a time after the start in minutes. */
type Conversions = Readonly<Record<string, (minute: number) => number>>

/** Traffic of a hundred messages a minute by the best carrier. Answers by minute how many left over the first one. */
const simulated = (seed: number, minutes: number, conversions: Conversions) => {
  const figures = new Figures()
  const draw = drawsOf(seed)
  const quality = new Quality(figures, draw, none)
  const byFirst: Array<number> = []
  for (let minute = 0; minute < minutes; minute++) {
    let count = 0
    for (let each = 0; each < 100; each++) {
      const now = START + minute * MINUTE + each * 600
      const [carrier = ""] = quality.rank(VIA, VIA, "DE", now).carriers
      figures.add(carrier, "DE", "sent", now)
      if (draw() < (conversions[carrier]?.(minute) ?? 0)) figures.add(carrier, "DE", "approved", now)
      if (carrier === "acme") count++
    }
    byFirst.push(count)
  }
  return byFirst
}

const mean = (counts: ReadonlyArray<number>) => counts.reduce((sum, count) => sum + count, 0) / counts.length

describe("the best carrier", () => {
  it("is left within ten minutes of failing, is taken again once it has recovered, and others are tried for one in 20", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer(), (seed) => {
        const acme = (minute: number) => (minute < 60 || minute >= 100 ? 0.85 : 0.2)
        const byMinute = simulated(seed, 200, { acme, bell: () => 0.6 })
        // A single minute may have few messages by chance, so the means of many minutes count.
        expect(mean(byMinute.slice(30, 60))).toBeGreaterThan(90)
        expect(mean(byMinute.slice(70, 100))).toBeLessThan(10)
        expect(mean(byMinute.slice(70, 100))).toBeGreaterThan(2)
        expect(mean(byMinute.slice(170, 200))).toBeGreaterThan(90)
      }),
      // By chance one history in some hundred takes longer.
      { numRuns: 20, seed: 1 }
    )
  })

  it("is the same for the same figures, times and draws", () => {
    const run = () => simulated(7, 40, { acme: () => 0.5, bell: () => 0.9 })
    expect(run()).toEqual(run())
  })

  it("stays where two are as good as each other", () => {
    const byMinute = simulated(11, 180, { acme: () => 0.8, bell: () => 0.8 })
    let changes = 0
    for (const [minute, count] of byMinute.entries()) {
      if (minute > 0 && count > 50 !== (byMinute[minute - 1] ?? 0) > 50) changes++
    }
    expect(changes).toBeLessThanOrEqual(180 / (HYSTERESIS / MINUTE))
  })
})

/** Figures of messages that were sent some minutes before {@link NOW}. */
const NOW = START + 120 * MINUTE
const filled = (all: Readonly<Record<string, Partial<Record<"sent" | "approved" | "delivered" | "lost", number>>>>) => {
  const figures = new Figures()
  for (const [carrier, counts] of Object.entries(all)) {
    for (const kind of ["sent", "approved", "delivered", "lost"] as const) {
      for (let each = 0; each < (counts[kind] ?? 0); each++) figures.add(carrier, "DE", kind, NOW - 30 * MINUTE)
    }
  }
  return figures
}

const untried = () => 1
const rank = (figures: Figures, open: ReadonlyArray<string> = VIA, draw = untried) =>
  new Quality(figures, draw, none).rank(VIA, open, "DE", NOW)

describe("a ranking", () => {
  it("says by which figures", () => {
    const ranking = rank(filled({ acme: { sent: 100, approved: 60 }, bell: { sent: 50, approved: 45 } }))
    expect(ranking).toEqual({ carriers: ["bell", "acme"], said: "in DE: acme 60 % of 100, bell 90 % of 50" })
  })

  it("does not believe fewer than 30 messages", () => {
    const ranking = rank(filled({ acme: { sent: 100, approved: 60 }, bell: { sent: 29, approved: 29 } }))
    expect(ranking).toEqual({ carriers: ["acme", "bell"], said: "in DE: acme 60 % of 100, bell too few (29)" })
  })

  it("believes all servers where the process has sent few itself", () => {
    const counts = { acme: { sent: 900, approved: 300 }, bell: { sent: 100, approved: 80 } }
    const shared = (carrier: string) => ({
      delivered: 0,
      lost: 0,
      ...(carrier === "acme" ? counts.acme : counts.bell)
    })
    const ranked = (figures: Figures) => new Quality(figures, untried, shared).rank(VIA, VIA, "DE", NOW)
    expect(ranked(filled({ acme: { sent: 29, approved: 29 } }))).toEqual({
      carriers: ["bell", "acme"],
      said: "in DE: acme 33 % of 900 over all servers, bell 80 % of 100 over all servers"
    })
    expect(ranked(filled({ acme: { sent: 60, approved: 59 } })).carriers).toEqual(["acme", "bell"])
  })

  it("tries each of the others", () => {
    const counts = {
      acme: { sent: 100, approved: 90 },
      bell: { sent: 100, approved: 60 },
      cell: { sent: 100, approved: 50 }
    }
    const all = ["acme", "bell", "cell"]
    const tried = (place: number) => {
      const draws = [0, place]
      return new Quality(filled(counts), () => draws.shift() ?? 1, none).rank(all, all, "DE", NOW).carriers
    }
    expect([tried(0.49), tried(0.51)]).toEqual([
      ["bell", "acme", "cell"],
      ["cell", "acme", "bell"]
    ])
  })

  it("keeps the best carrier until another has been better for long enough", () => {
    const figures = filled({ acme: { sent: 100, approved: 60 }, bell: { sent: 100, approved: 80 } })
    const quality = new Quality(figures, untried, none)
    const first = (now: number) => quality.rank(VIA, VIA, "DE", now).carriers[0]
    expect(first(NOW)).toBe("bell")
    for (const kind of ["sent", "approved"] as const) {
      for (let each = 0; each < 500; each++) figures.add("acme", "DE", kind, NOW)
    }
    expect([first(NOW + MINUTE), first(NOW + HYSTERESIS - 1), first(NOW + HYSTERESIS)]).toEqual([
      "bell",
      "bell",
      "acme"
    ])
  })

  it("keeps the order of the route without figures", () => {
    expect(rank(new Figures()).carriers).toEqual(VIA)
  })

  it("believes many messages more than few", () => {
    const ranking = rank(filled({ acme: { sent: 30, approved: 27 }, bell: { sent: 3000, approved: 2640 } }))
    expect(ranking.carriers).toEqual(["bell", "acme"])
  })

  it("reads receipts where no code was entered", () => {
    const ranking = rank(
      filled({ acme: { sent: 100, delivered: 50, lost: 50 }, bell: { sent: 100, delivered: 90, lost: 10 } })
    )
    expect(ranking.carriers).toEqual(["bell", "acme"])
    expect(ranking.said).toContain("acme 50 % of 100 receipts")
  })

  it("tries another one, and says so", () => {
    const ranking = rank(filled({ acme: { sent: 100, approved: 90 } }), VIA, () => TRIED - 0.001)
    expect(ranking.carriers).toEqual(["bell", "acme"])
    expect(ranking.said).toMatch(/; bell is tried$/)
  })

  it("keeps the best while it is out for a moment", () => {
    const quality = new Quality(
      filled({ acme: { sent: 100, approved: 60 }, bell: { sent: 100, approved: 90 } }),
      untried,
      none
    )
    const first = (open: ReadonlyArray<string>, now: number) => quality.rank(VIA, open, "DE", now).carriers[0]
    expect(first(VIA, NOW)).toBe("bell")
    expect(first(["acme"], NOW + 1)).toBe("acme")
    expect(first(VIA, NOW + 2)).toBe("bell")
  })

  it("believes the newest messages of a carrier that has hardly any since it failed", () => {
    const figures = new Figures()
    const add = (carrier: string, age: number, sent: number, approved: number) => {
      for (let each = 0; each < sent; each++) figures.add(carrier, "DE", "sent", NOW - age * MINUTE)
      for (let each = 0; each < approved; each++) figures.add(carrier, "DE", "approved", NOW - age * MINUTE)
    }
    add("acme", 50, 2000, 1800)
    add("acme", 18, 200, 10)
    add("acme", 5, 10, 0)
    add("bell", 30, 100, 60)
    expect(rank(figures).carriers).toEqual(["bell", "acme"])
  })

  it("does not count the last two minutes, nor what is older than an hour", () => {
    const figures = new Figures()
    for (const age of [0, 1, 61]) {
      for (let each = 0; each < 40; each++) figures.add("bell", "DE", "sent", NOW - age * MINUTE)
    }
    expect(rank(figures).said).toContain("bell too few (0)")
  })
})
