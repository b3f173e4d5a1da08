/**
 * A few hostile inputs of each kind: they find a fault only if a test causes it on purpose.
 */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { faultOf } from "./answers.ts"
import { operations } from "./contract.ts"
import { kinds } from "./kinds.ts"
import { kindOf, subject } from "./properties.ts"

const COUNTS: Readonly<Record<string, number>> = { parsers: 5_000, settings: 800, commands: 2 }

describe("hostile inputs", () => {
  it.each(kinds)("of the kind $name do no harm", { timeout: 120_000 }, async ({ name, run }) => {
    const count = COUNTS[name] ?? 200
    const { faults, inputs } = await run(count, 21)
    expect(faults).toEqual([])
    expect(inputs).toBeGreaterThanOrEqual(count / 2)
  })

  it("are made for every operation with a body", () => {
    const examples = operations.flatMap(({ example, path }) => (example === null ? [] : [[path, example] as const]))
    expect(examples.length).toBeGreaterThan(15)
    for (const [path, example] of examples) expect([path, Object.keys(Object(example))]).not.toEqual([path, []])
  })
})

describe("what is broken", () => {
  const numbers = fc.integer({ min: 0, max: 1_000 })

  it.each([
    ["throws", (given: number): void => void (given > 100 && JSON.parse("{"))],
    ["answers so", (given: number) => (given > 100 ? "is too large" : undefined)],
    ["rejects", (given: number) => (given > 100 ? Promise.reject(new Error("no")) : Promise.resolve())]
  ])("is found where a subject %s, with the least input", async (_, check) => {
    const { faults } = await kindOf("numbers", 1, [subject("large ones", numbers, check)]).run(1_000, 1)
    expect(faults).toMatchObject([{ kind: "numbers", input: "101" }])
  })

  it.each([
    ["a mistake", 500, "{}"],
    ["no envelope", 400, "<html>"],
    ["no issues", 400, '{"error":"BAD_REQUEST","message":"m","request_id":"r","issues":[]}'],
    ["an issue of no field", 400, '{"error":"BAD_REQUEST","message":"m","request_id":"r","issues":[{"message":"m"}]}'],
    ["a secret", 404, '{"error":"NOT_FOUND","message":"of sk_live_1","request_id":"r"}']
  ])("is found in an answer with %s", (_, status, body) => {
    expect(faultOf(status, body, ["sk_live_1"])).toBeTypeOf("string")
  })
})
