import { describe, expect, it } from "vitest"
import { packages } from "./packages.ts"
import { lacks, publicModules, strayImports } from "./rules.ts"

describe("what every package has", () => {
  it.each(packages)("$name lacks nothing", (pkg) => {
    expect(lacks(pkg)).toEqual([])
  })
})

describe("public modules", () => {
  it("are few enough to be known", () => {
    expect(publicModules.length).toBeLessThanOrEqual(163)
  })

  it("are the only ones that documents and examples import", () => {
    expect(strayImports()).toEqual([])
  })
})
