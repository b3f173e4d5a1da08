import type { Counter } from "@watchword/store/Counters"
import Sqlite from "better-sqlite3"
import { describe, expect, it } from "vitest"
import * as Counters from "../src/Counters.ts"
import { migrate } from "../src/migrate.ts"

const LIMIT = 100
const ROWS = 1_000
const SHORT = 1_000
const LONG = 1_000_000

/** A thousand buckets, of which one of `every` is over after {@link SHORT}. */
const filled = (every: number) => {
  const db = new Sqlite(":memory:")
  migrate(db)
  const counters = Counters.make(db)
  const rows = Array.from({ length: ROWS }, (_, n): Counter => ({
    key: `${String(n).padStart(6, "0")}~`,
    window: n % every === 0 ? SHORT : LONG,
    slice: 1,
    amount: 1,
    limit: null
  }))
  counters.count(rows, 0)
  const left = db.prepare<[number], number>("SELECT count(*) FROM counters WHERE until <= ?").pluck()
  return { ...counters, over: () => left.get(SHORT + 1), all: () => left.get(Infinity) }
}

describe("a sweep of counters", () => {
  it("goes on as long as many are over, and leaves what counts", () => {
    const { all, over, sweep } = filled(2)
    let steps = 1
    while (sweep(SHORT + 1, LIMIT)) steps += 1
    expect([steps, over(), all()]).toEqual([ROWS / LIMIT + 1, 0, ROWS / 2])
  })

  it("rests where few are over, and goes on from there the next time", () => {
    const { all, over, sweep } = filled(20)
    const left = Array.from({ length: ROWS / LIMIT }, () => [sweep(SHORT + 1, LIMIT), over()])
    expect(left).toEqual(left.map((_, n) => [false, (ROWS - (n + 1) * LIMIT) / 20]))
    expect(all()).toBe(ROWS - ROWS / 20)
  })

  it("begins again when it has been through all keys", () => {
    const { count, over, sweep } = filled(20)
    for (let step = 0; step <= ROWS / LIMIT; step++) sweep(0, LIMIT)
    const first = { key: "!", window: SHORT, slice: 1, amount: 1, limit: null }
    count([first, { ...first, key: "~".repeat(64) }], 0)
    for (let step = 0; step <= ROWS / LIMIT + 1; step++) sweep(SHORT + 1, LIMIT)
    expect(over()).toBe(0)
  })
})
