import { expect, it } from "vitest"
import { honest, pumped, wider } from "./honest.ts"

it("of honest starts the wider rules refuse none for prefixes and pumping", () => {
  const { refused, starts } = honest(wider, { starts: 30_000 })
  expect([refused.get("limit_prefix"), refused.get("prefix_blocked")]).toEqual([undefined, undefined])
  expect(starts).toBeGreaterThan(30_000)
})

it("of a thousand codes that no one enters they let a hundred through at most", () => {
  for (const [attack, sent] of pumped(wider)) expect([attack, sent <= 100]).toEqual([attack, true])
})
