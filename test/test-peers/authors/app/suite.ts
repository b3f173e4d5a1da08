/** Runs cases one after another, and prints how many there were and how each that failed did. */
import type { Case } from "@watchword/store/checks"
import * as Effect from "effect/Effect"

export const run = async (cases: ReadonlyArray<Case>): Promise<void> => {
  const failed: Array<string> = []
  for (const { check, name } of cases) {
    await Effect.runPromise(check).catch((error: unknown) => failed.push(`${name}: ${String(error)}`))
  }
  console.log(JSON.stringify({ cases: cases.length, failed }))
}
