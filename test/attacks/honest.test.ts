import { DefaultRules } from "@watchword/guards/Rules"
import { expect, it } from "vitest"
import { honest, pumped } from "./honest.ts"

it("of honest starts the default rules refuse at most one in ten thousand, and none for where it comes from or goes", () => {
  const { refused, starts } = honest(DefaultRules, { starts: 30_000 })
  const of = (reason: string) => refused.get(reason) ?? 0
  expect([of("limit_ip"), of("limit_prefix"), of("prefix_blocked")]).toEqual([0, 0, 0])
  expect([...refused.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(starts / 10_000)
  expect(starts).toBeGreaterThan(30_000)
})

it("of a thousand codes that no one enters they let a hundred through at most", () => {
  for (const [attack, sent] of pumped(DefaultRules)) expect([attack, sent <= 100]).toEqual([attack, true])
})
