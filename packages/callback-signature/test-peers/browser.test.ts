/**
 * Callbacks verified in a page of Chromium, by its own WebCrypto.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { visit } from "../../../test/browser.ts"
import { cases } from "../test/cases.ts"

interface Told {
  readonly browser: string
  readonly outcomes: ReadonlyArray<{ readonly name: string; readonly outcomes: ReadonlyArray<unknown> }>
  readonly own: ReadonlyArray<unknown>
}

describe("in Chromium", () => {
  let told: Told
  beforeAll(async () => {
    told = JSON.parse(await visit(new URL("page.ts", import.meta.url)))
  })

  it("is where this ran", () => {
    expect(told.browser).toMatch(/Chrome\/\d+/)
    expect(told.outcomes.map(({ name }) => name)).toEqual(cases.map(({ name }) => name))
  })

  it.each(cases)("gives the right answer to $name", ({ expected, name }) => {
    const outcomes = told.outcomes.find((one) => one.name === name)?.outcomes
    expect(outcomes).toEqual([expected, expected, expected, expected])
  })

  it("verifies what it has signed, with Headers and from a Request", () => {
    const event = { request_id: "of the browser" }
    expect(told.own).toEqual([event, event])
  })
})
