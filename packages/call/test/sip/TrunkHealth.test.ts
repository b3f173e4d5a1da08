import { TrunkHealth } from "../../src/internal/sip/TrunkHealth.ts"
import { describe, expect, it } from "vitest"

describe("a trunk that rejects calls to many numbers", () => {
  const rejections = (health: TrunkHealth, count: number, now: number) =>
    Array.from({ length: count }, (_, index) => health.rejected(now, `+49301234${index}`, 0))

  it("is down when these are half of the latest twenty, however many it took before", () => {
    const health = new TrunkHealth(false)
    for (let call = 0; call < 30; call++) health.took(0)
    expect(rejections(health, 9, 1)).not.toContain(true)
    expect(health.isUp(1)).toBe(true)
    expect(health.rejected(1, "+49301234567", 0)).toBe(true)
    expect(health.isUp(1)).toBe(false)
  })

  it("is down when these are half of those of the last minute", () => {
    const health = new TrunkHealth(false)
    for (let call = 0; call < 10; call++) health.took(0)
    expect(rejections(health, 3, 60_001)).toEqual([false, false, true])
  })
})
