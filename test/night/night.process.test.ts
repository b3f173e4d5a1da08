import { readFile } from "node:fs/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { type Night, type Shown, night, tableOf } from "./night.ts"

let result: Night
beforeAll(async () => {
  result = await night()
}, 180_000)

/** When problems of a kind came, as hours and minutes. */
const cameOf = (kind: Shown["kind"]): ReadonlyArray<string> =>
  result.shown.filter((each) => each.kind === kind).map(({ from }) => new Date(from).toISOString().slice(11, 16))

const within = (time: string | undefined, from: string, until: string): boolean =>
  time !== undefined && time >= from && time <= until

describe("a night", () => {
  it("has nothing to say of an honest day", () => {
    expect(result.shown.filter(({ from }) => from < Date.parse("2027-02-03T22:30:00Z"))).toEqual([])
  })

  it("names an attack within five minutes, and lets thirty codes to its prefix through", () => {
    expect(within(cameOf("attack")[0], "22:30", "22:40")).toBe(true)
    expect(result.attacks["one prefix of Nigeria"]).toEqual({ sent: 30, refused: 270 })
  })

  it("names one number that is flooded, which gets five codes", () => {
    expect(within(cameOf("flooding")[0], "01:00", "01:10")).toBe(true)
    expect(result.attacks["one number"]).toEqual({ sent: 5, refused: 55 })
  })

  it("names the carrier that slows down, and texts that are lost", () => {
    expect(within(cameOf("carrier_slow")[0], "03:00", "04:05")).toBe(true)
    expect(within(cameOf("channel_failing")[0], "04:30", "05:00")).toBe(true)
  })

  it("refuses users only in the country that is attacked", () => {
    expect(result.refusedUsers / result.users).toBeLessThan(0.01)
  })

  it("is in the documents as it was", async () => {
    expect(await readFile("docs/operators/night.md", "utf8")).toContain(tableOf(result))
  })
})
