/**
 * The page of figures, docs/papers/benchmarks.md, whose parts `--write` replaces: all figures of a part are of one run,
 * one commit and one date.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const file = join(root, "docs/papers/benchmarks.md")

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()

/** The commit that is measured. Throws where the sources differ from it. */
export const commit = (): string => {
  const changed = git("status", "--porcelain", "--", ".", ":!docs")
  if (changed !== "") throw new Error(`--write needs the sources of a commit, and these differ:\n${changed}`)
  return git("rev-parse", "--short=10", "HEAD")
}

/** Replaces the part of the page that `<!-- name: … -->` begins and `<!-- /name -->` ends. */
export const write = (name: string, text: string): void => {
  const page = readFileSync(file, "utf8")
  const [, before, after] = new RegExp(`^([^]*<!-- ${name}: .*? -->\n)[^]*(<!-- /${name} -->[^]*)$`).exec(page) ?? []
  if (before === undefined || after === undefined) throw new Error(`${file} has no part ${name}`)
  writeFileSync(file, `${before}\n${text}\n\n${after}`)
}
