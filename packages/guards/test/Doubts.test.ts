import { countedAs } from "../src/internal/Countries.ts"
import { doubtOfBlock, doubts, refuses, worldCodes } from "../src/operator/Doubts.ts"
import { E164, countryOf, isCountry } from "@watchword/schemas/PhoneNumber"
import { metadata } from "@watchword/schemas/phone"
import { getExampleNumber } from "libphonenumber-js/core"
import examples from "libphonenumber-js/examples.mobile.json"
import { describe, expect, it } from "vitest"

describe("a country whose mobile numbers count as another's", () => {
  const exampleOf = (country: string) => {
    const code = Object.values(metadata.country_calling_codes)
      .flat()
      .find((each) => each === country)
    return code === undefined ? undefined : getExampleNumber(code, examples, metadata)?.number
  }

  it("is one of those that libphonenumber's examples say", () => {
    const found = Object.keys(metadata.countries).flatMap((country) => {
      const example = exampleOf(country)
      const counted = example === undefined ? null : countryOf(E164.make(example))
      return counted === null || counted === country ? [] : [[country, counted] as const]
    })
    // Only the example number of the Isle of Man is counted as British.
    expect(countryOf(E164.make("+447624123456"))).toBe("IM")
    const own = found.filter(([country]) => country !== "IM")
    expect(own).toHaveLength(8)
    for (const [country, counted] of own) expect(countedAs(country)).toBe(counted)
    expect(Object.keys(metadata.countries).filter((country) => countedAs(country) !== null)).toHaveLength(8)
    expect(own.flat().every(isCountry)).toBe(true)
  })

  it("is named where rules have it alone, with the country to add", () => {
    expect(doubts({ countries: { allow: ["DE", "EH", "VA"] } })).toEqual([
      "countries.allow has EH, whose mobile numbers count as numbers of MA: add MA, or they are refused.",
      "countries.allow has VA, whose mobile numbers count as numbers of IT: add IT, or they are refused."
    ])
    expect(doubts({ countries: { allow: ["EH", "MA", "IM", "DE"] } })).toEqual([])
    expect(doubts({ countries: { deny: ["MF"] } })).toEqual([
      "countries.deny has MF, whose mobile numbers count as numbers of GP: they are not refused."
    ])
    expect(doubts({})).toEqual([])
    expect(doubtOfBlock("SJ")).toHaveLength(1)
    expect(doubtOfBlock("NO")).toEqual([])
  })
})

describe("rules that refuse numbers of no country", () => {
  it("do so for all sends", () => {
    const refused = (rules: Parameters<typeof refuses>[0]) =>
      worldCodes.filter((code) => refuses({ action: "deny", ...rules }, code))
    expect(refused({ countries: { deny: ["001"] } })).toEqual(worldCodes)
    expect(refused({ countries: { allow: ["DE"] } })).toEqual(worldCodes)
    expect(refused({ numbers: { deny_prefixes: ["+88"] } })).toEqual(["881", "882", "883"])
    expect(refused({ numbers: { deny_prefixes: ["+8816"] } })).toEqual([])
    expect(refused({ countries: { allow: ["DE", "001"] } })).toEqual([])
    expect(refused({ countries: { deny: ["001"] }, for: "verifications" })).toEqual([])
    expect(refused({ countries: { deny: ["001"] }, action: "record" })).toEqual([])
  })
})
