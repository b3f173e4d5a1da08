import { DefaultRules } from "@watchword/guards/Rules"
import { expect, it } from "vitest"
import { honest, pumped } from "./honest.ts"

it("of honest starts the default rules refuse none for prefixes and pumping", () => {
  const { noted, refused, starts } = honest(DefaultRules, { starts: 30_000 })
  const hits = [...refused, ...noted].filter(([reason]) => reason === "limit_prefix" || reason === "prefix_blocked")
  expect(hits).toEqual([])
  expect(starts).toBeGreaterThan(30_000)
})

it("of a thousand codes that no one enters they let a hundred through at most", () => {
  for (const [attack, sent] of pumped(DefaultRules)) expect([attack, sent <= 100]).toEqual([attack, true])
})
