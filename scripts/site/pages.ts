/**
 * Which documents of the repository become pages of the site, under which names.
 */
import { globSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"

export const root = join(import.meta.dirname, "../..")

export interface Page {
  /** The document, from the root of the repository. */
  readonly source: string
  /** The page, from the root of the site, with its ending `.md`. */
  readonly target: string
}

/** Documents with a name of their own on the site; all others of their folders follow the rules of `targetOf`. */
const NAMED: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "docs/README.md": "documents.md",
  "packages/README.md": "how-to-add.md",
  "test/README.md": "tests.md",
  "bench/README.md": "bench.md",
  "packages/standalone/SKILL.md": "skill.md"
}

const SOURCES = ["*.md", "docs/**/*.md", "{packages,adapters,examples}/*/README.md", ...Object.keys(NAMED)]

const targetOf = (source: string): string =>
  NAMED[source] ??
  source
    .replace(/^docs\//, "")
    .replace(/^adapters\//, "packages/")
    .replace(/(?:^|\/)README\.md$/, (end) => end.replace("README", "index"))
    .replace(/^(packages|examples)\/([^/]+)\/index\.md$/, "$1/$2.md")
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase())

export const pages: ReadonlyArray<Page> = [...new Set(SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })))]
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((source) => ({ source, target: targetOf(source) }))

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** The first heading of a document. */
export const titleOf = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? "").replaceAll("`", "")

/** From the page at `from` to the file at `to`, both from one root. */
export const relative = (from: string, to: string): string => {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith(".") ? path : `./${path}`
}
