/**
 * The table of metrics, including every metric that the sources create.
 */
import { globSync, readFileSync } from "node:fs"
import { heldRows } from "./rows.ts"

const root = new URL("../../", import.meta.url)

const MADE =
  /\b(?:counter|gauge|histogram)\(\s*"(watchword_\w+)",\s*(?:\{\s*description:\s*)?("[^"]*"(?:\s*\+\s*"[^"]*")*)/g

/** Descriptions of metrics, by name. */
const metrics = (): ReadonlyMap<string, string> =>
  new Map(
    globSync("{packages,adapters}/*/src/**/*.ts", { cwd: root })
      .sort()
      .flatMap((path) => [...readFileSync(new URL(path, root), "utf8").matchAll(MADE)])
      .map(([, name = "", description = ""]) => [name, description.replaceAll(/"\s*\+\s*"/g, "").slice(1, -1)] as const)
  )

/** @param before the current table */
export const metricsTable = (before: string): string => heldRows(before, metrics(), 1)
