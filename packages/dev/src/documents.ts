/**
 * The documents as one text, for agents: `llms.txt` of the published package, or the pages of a clone.
 */
import { existsSync, readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"

/** The pages that an app's developer needs, in their order. */
const PAGES = [
  "README.md",
  "docs/dev.md",
  "docs/form.md",
  "docs/verify.md",
  "docs/http.md",
  "docs/embedding.md",
  "docs/testing.md"
]

export const documents = (): string => {
  const folder = dirname(findPackageJSON("..", import.meta.url) ?? ".")
  const clone = join(folder, "../..")
  return existsSync(join(clone, "docs/dev.md")) ? joined(clone) : readFileSync(join(folder, "llms.txt"), "utf8")
}

/** The pages of a clone, one behind the other. */
export const joined = (root: string): string =>
  PAGES.map((page) => readFileSync(join(root, page), "utf8")).join("\n\n---\n\n")
