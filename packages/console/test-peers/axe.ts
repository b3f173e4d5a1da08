/**
 * axe, in a page whose policy takes no script from elsewhere.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

export const addAxe = async (page: Page): Promise<void> => {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"))
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary: string }>
}

/** What axe calls serious or critical, each with where it is. */
export const seriousIn = async (page: Page): Promise<ReadonlyArray<string>> => {
  const found: ReadonlyArray<Violation> = await page.evaluate("axe.run().then(({ violations }) => violations)")
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 120)}: ${failureSummary}`)
    )
}
