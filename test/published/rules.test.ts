import { describe, expect, it } from "vitest"
import { packages } from "./packages.ts"
import { lacks } from "./rules.ts"

describe("what every package has", () => {
  it.each(packages)("$name lacks nothing", (pkg) => {
    expect(lacks(pkg)).toEqual([])
  })
})
