/**
 * Two servers on a PostgreSQL cluster that Patroni watches, and each fault of it once: nothing is lost or doubled. More
 * rounds: `npm run faults -- --database=patroni --servers=2 --rounds=30 --seed=2`.
 */
import { expect, it } from "vitest"
import { runBatch } from "../Batch.ts"

const KINDS = ["switched-over", "primary-killed", "primary-frozen", "primary-cut", "patroni-killed", "standby-lost"]

it("a fail-over of PostgreSQL loses and doubles nothing", { timeout: 900_000 }, async () => {
  const { arrived, found, pauses, records } = await runBatch({
    seed: 21,
    servers: 2,
    database: "patroni",
    journeys: 25,
    rounds: KINDS.map((kind, nth) => ({ nth: nth + 1, kind })),
    say: (line) => console.log(line)
  })
  expect(found).toEqual([])
  expect(pauses.map(({ round }) => round.kind)).toEqual(KINDS)
  for (const count of [arrived, records]) expect(count).toBeGreaterThan(100 * KINDS.length)
})
