/**
 * A short day with a Prometheus, which loses and doubles nothing, and fires the alerts that it ought to and no others.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"

it("ends without a fault", { timeout: 600_000 }, async () => {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url))
  const day = spawn(process.execPath, [main, "--minutes=1"], { stdio: ["ignore", "pipe", "inherit"] })
  const [printed, [code]] = await Promise.all([text(day.stdout), once(day, "exit")])
  expect(printed).toContain("Prometheus evaluates deploy/prometheus/alerts.yml")
  expect(printed).toMatch(/ALERT WatchwordGatewayDown \(critical\) fires/)
  expect(printed).toMatch(/ALERT WatchwordServerDown \(critical\) fires/)
  expect([code, printed.match(/WRONG: .*/g)]).toEqual([0, null])
})
