import { Violation, eventually, holds, like, same } from "@watchword/store/checks"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

describe("same", () => {
  it("compares by structure", () => {
    expect(() => same("a record", { a: [1, { b: null }] }, { a: [1, { b: null }] })).not.toThrow()
  })

  it("names the value, and what was expected and found", () => {
    expect(() => same("a record", { a: 1 }, { a: 2 })).toThrow('a record: expected {"a":2}, found {"a":1}')
    expect(() => same<unknown>("a value", undefined, null)).toThrow("a value: expected null, found undefined")
  })
})

describe("like", () => {
  it("looks at the fields of the pattern only, and at every member of an array", () => {
    like("an answer", { id: "a-1", total: 2, list: [{ id: 1, more: true }] }, { id: /^a-/, list: [{ id: 1 }] })
    like("an answer", { at: 5 }, { at: Number.isInteger, gone: undefined })
    expect(() => like("a list", [1, 2], [1])).toThrow(Violation)
    expect(() => like("a list", { 0: 1 }, [1])).toThrow(Violation)
  })

  it.each([
    [{ id: 1 }, { id: /1/ }],
    [{ id: 1 }, { id: 2 }],
    [null, {}],
    ["a", {}],
    [{}, { id: null }]
  ])("%j is not like %j", (actual, pattern) => {
    expect(() => like("a value", actual, pattern)).toThrow(/^a value: expected .*, found /)
  })
})

it("holds throws what was expected", () => {
  holds("one is one", true)
  expect(() => holds("the call rings", false)).toThrow("the call rings")
})

describe("eventually", () => {
  it("polls until the condition holds", async () => {
    let attempts = 0
    await Effect.runPromise(
      eventually(
        "the third attempt",
        Effect.sync(() => ++attempts === 3)
      )
    )
    expect(attempts).toBe(3)
  })

  it("fails after its time with what it waited for", async () => {
    const waiting = eventually("rain", Effect.succeed(false), "20 millis")
    await expect(Effect.runPromise(waiting)).rejects.toThrow("waited in vain for rain")
  })
})
