/**
 * Runs a property over many inputs, in parts, and measures the memory before and after.
 */
import * as fc from "fast-check"
import { type Fault, type Kind, described, shown } from "./Kind.ts"
import { ownHeap } from "./memory.ts"

/**
 * A check for each input: it throws if it finds a fault, or returns a sentence that describes the fault.
 */
export interface Subject<A = unknown> {
  readonly name: string
  readonly inputs: fc.Arbitrary<A>
  readonly check: (input: A) => unknown
}

/** A subject whose inputs have one type. */
export const subject = <A>(name: string, inputs: fc.Arbitrary<A>, check: (input: A) => unknown): Subject => ({
  name,
  inputs: inputs.map((input) => ({ input })),
  // The inputs have the type that the line above has wrapped.
  check: (given) => check(unwrapped<A>(given))
})

const unwrapped = <A>(given: unknown): A => Object(given).input

/** How many inputs run between two measurements of the memory. */
const PART = 5_000

/** A kind whose subjects run in this process and share its inputs equally. */
export const kindOf = (name: string, share: number, subjects: ReadonlyArray<Subject>): Kind => ({
  name,
  share,
  run: async (count, seed) => {
    const faults: Array<Fault> = []
    let inputs = 0
    let before = 0
    const each = Math.max(1, Math.floor(count / subjects.length))
    const wrong = new Set<string>()
    for (let done = 0; done < each; done += PART) {
      const numRuns = Math.min(PART, each - done)
      for (const { check, inputs: arbitrary, name: subject } of subjects) {
        if (wrong.has(subject)) continue
        const result = await fc.check(
          fc.asyncProperty(arbitrary, async (input) => {
            inputs++
            const fault = await check(input)
            if (typeof fault === "string") throw new Error(fault)
          }),
          { numRuns, seed: seed + done, verbose: 0 }
        )
        if (!result.failed) continue
        wrong.add(subject)
        const what = `${subject}: ${described(result.errorInstance)}`
        faults.push({ kind: name, what, input: shown(Object(result.counterexample?.[0]).input) })
      }
      if (done === 0) before = await ownHeap()
    }
    return { inputs, faults, memory: [before, await ownHeap()] }
  }
})
