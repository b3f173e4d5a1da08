import { type Named, Table, named } from "@watchword/call/Table"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

interface Thing extends Named<Thing> {
  readonly number: number
}

/** Few names, so that some are the same, and some that only end alike. */
const names = FastCheck.tuple(FastCheck.constantFrom("", "x", "yy"), FastCheck.nat({ max: 10 })).map(
  ([before, number]) => `${before}${String(number).padStart(8, "0")}`
)

describe("a table", () => {
  it("has what was added and not deleted since, as many as there are of a name, the latest first", () => {
    const steps = FastCheck.array(FastCheck.record({ name: names, deletes: FastCheck.option(FastCheck.nat()) }), {
      maxLength: 600,
      size: "max"
    })
    FastCheck.assert(
      FastCheck.property(steps, (steps) => {
        const table = new Table<Thing>()
        let there: Array<Thing> = []
        for (const [number, { deletes, name }] of steps.entries()) {
          const gone = deletes === null ? undefined : there[deletes % Math.max(1, there.length)]
          if (gone === undefined) {
            const thing: Thing = { name, next: null, number }
            table.add(thing)
            there.push(thing)
          } else {
            expect(table.delete(gone)).toBe(true)
            expect(table.delete(gone)).toBe(false)
            there = there.filter((thing) => thing !== gone)
          }
          expect(table.size).toBe(there.length)
        }
        for (const name of new Set(steps.map(({ name }) => name))) {
          const found: Array<number> = []
          let thing = table.get(name)
          for (; thing !== undefined; thing = named(thing.next, name)) found.push(thing.number)
          const expected = there.filter((other) => other.name === name).map(({ number }) => number)
          expect(found).toEqual(expected.toReversed())
        }
        const numbers = there.map(({ number }) => number)
        expect(
          table
            .all()
            .map(({ number }) => number)
            .toSorted((a, b) => a - b)
        ).toEqual(numbers)
      }),
      { numRuns: 50 }
    )
  })
})
