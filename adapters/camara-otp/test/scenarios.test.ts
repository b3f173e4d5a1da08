/** The standard's scenarios against the door, over a socket. */
import { afterAll, describe, expect, it } from "vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { type Scenario, scenarios } from "./scenarios.ts"
import { type Answer, CORRELATOR, openWorld } from "./World.ts"

/** `CAMARA=write` writes the results into the page. */
const PAGE = new URL("../../../docs/camara.md", import.meta.url)
const SECTION = /(?<=<!-- scenarios -->\n\n).*?(?=\n\n<!-- \/scenarios -->)/s

const results: Array<string> = []

const resultOf = async ({ run }: Scenario): Promise<Answer> => {
  const world = await openWorld()
  try {
    return await run(world)
  } finally {
    await world.dispose()
  }
}

const seen = ({ body, status }: Answer): string =>
  [status, body?.["code"]].filter((part) => part !== undefined).join(" ")

describe.each(["send-code", "validate-code"] as const)("%s", (call) => {
  it.each(scenarios.filter((scenario) => scenario.call === call))("$id: $title", async (scenario) => {
    const answer = await resultOf(scenario)
    const { code, id, isCorrelated, status, title } = scenario
    const expected = [status, ...(code === null ? [] : [code])].join(" ")
    results.push(
      `| ${call} | ${id} | ${title} | \`${seen(answer)}\` | ${seen(answer) === expected ? "passed" : "failed"} |`
    )
    expect(seen(answer)).toBe(expected)
    expect(answer.correlator).toBe(isCorrelated ? CORRELATOR : null)
    if (status === 204) return expect(answer).toMatchObject({ type: null, body: null })
    expect(answer.type).toBe("application/json")
    if (code === null) return expect(String(answer.body?.["authenticationId"])).toMatch(/^.{1,36}$/)
    expect(answer.body).toEqual({ status, code, message: expect.stringMatching(/^.{10,}\.$/) })
  })
})

describe("the page of the scenarios", () => {
  afterAll(() => {
    if (process.env["CAMARA"] === "write")
      writeFileSync(PAGE, readFileSync(PAGE, "utf8").replace(SECTION, tableOf(results)))
  })

  it("has the results of this run", () => {
    expect(results).toHaveLength(32)
    if (process.env["CAMARA"] === "write") return
    expect(SECTION.exec(readFileSync(PAGE, "utf8"))?.[0]).toBe(tableOf(results))
  })
})

const tableOf = (rows: ReadonlyArray<string>): string =>
  ["| call | scenario | | answer | result |", "|---|---|---|---|---|", ...rows].join("\n")
