/**
 * Two servers on a PostgreSQL cluster that Patroni watches, and each fault of it once: nothing is lost or doubled. More
 * rounds: `npm run faults -- --database=patroni --servers=2 --rounds=30 --seed=2`.
 */
import { expect, it } from "vitest"
import { runBatch } from "../Batch.ts"

const KINDS = [
  "switched-over",
  "primary-killed",
  "primary-killed-ahead",
  "primary-frozen",
  "primary-cut",
  "patroni-killed",
  "standby-lost"
]

const options = { servers: 2, database: "patroni", journeys: 25, say: (line: string) => console.log(line) } as const

it("a fail-over of PostgreSQL loses and doubles nothing", { timeout: 900_000 }, async () => {
  const { arrived, found, pauses, records } = await runBatch({
    ...options,
    seed: 21,
    rounds: KINDS.map((kind, nth) => ({ nth: nth + 1, kind }))
  })
  expect(found).toEqual([])
  expect(pauses.map(({ round }) => round.kind)).toEqual(KINDS)
  for (const count of [arrived, records]) expect(count).toBeGreaterThan(100 * KINDS.length)
})

it("a fail-over to a standby that is behind loses texts that were answered", { timeout: 300_000 }, async () => {
  const rounds = [{ nth: 1, kind: "primary-killed-ahead" }]
  const { found } = await runBatch({ ...options, seed: 22, asynchronous: true, rounds })
  expect(found.map(({ rule }) => rule)).toContain("recorded")
})
