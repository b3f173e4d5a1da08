/**
 * Random choices of tests, by a seed that a failure prints: `SEED=… npx vitest run …` makes them again.
 */
import { onTestFailed } from "vitest"
import { type Draws, drawsOf, seedOf } from "./draws.ts"

/** The draws of a running test, whose failure prints the seed. */
export const seeded = (): Draws => {
  const seed = seedOf()
  onTestFailed(() => console.error(`the test drew by SEED=${seed}`))
  return drawsOf(seed)
}
