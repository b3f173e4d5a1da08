import * as AllowList from "../src/internal/AllowList.ts"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const list = (...entries: ReadonlyArray<string>) => Result.getOrThrow(AllowList.parse(entries))

describe("permits", () => {
  it("permits everyone when the list is empty", () => {
    expect(AllowList.permits(list(), "203.0.113.7")).toBe(true)
    expect(AllowList.permits(list(), null)).toBe(true)
  })

  it("permits the addresses on the list, and no others", () => {
    const office = list("203.0.113.0/24", "2001:db8::/32")
    expect(AllowList.permits(office, "203.0.113.255")).toBe(true)
    expect(AllowList.permits(office, "::ffff:203.0.113.255")).toBe(true)
    expect(AllowList.permits(office, "2001:db8:1::1")).toBe(true)
    expect(AllowList.permits(office, "203.0.114.0")).toBe(false)
    expect(AllowList.permits(office, "2001:db9::1")).toBe(false)
  })

  it("permits no unknown and no unreadable address", () => {
    const everyone = list("0.0.0.0/0", "::/0")
    expect(AllowList.permits(everyone, null)).toBe(false)
    expect(AllowList.permits(everyone, "")).toBe(false)
    expect(AllowList.permits(everyone, "203.0.113")).toBe(false)
  })

  it("does not take one version of IP for the other", () => {
    expect(AllowList.permits(list("0.0.0.0/0"), "2001:db8::1")).toBe(false)
    expect(AllowList.permits(list("::/0"), "203.0.113.7")).toBe(false)
    expect(AllowList.permits(list("::/0"), "::ffff:203.0.113.7")).toBe(false)
  })
})
