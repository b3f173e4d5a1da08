/**
 * Gives the next release its version and its section of CHANGELOG.md: `npm run version`. The changesets are deleted.
 *
 * Before the first release nothing is published, so the first release keeps its version and lists only additions.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const UNRELEASED = "## [Unreleased]\n"
const FIRST = "0.1.0 will be the first release."

export interface Changeset {
  readonly kind: "major" | "minor" | "patch"
  /** The change as users of a package see it, in Markdown. */
  readonly text: string
}

/** The greatest kind among the changeset's packages, and its sentence. */
export const read = (file: string): Changeset => {
  const [, packages = "", text = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? []
  const kind = (["major", "minor"] as const).find((kind) => packages.includes(`: ${kind}`)) ?? "patch"
  return { kind, text: text.trim() }
}

/** Whether the changelog has no release yet. */
export const isFirst = (changelog: string): boolean => !/^## \[\d/m.test(changelog)

/** The changelog after a release, whose section contains the former Unreleased section and the changesets. */
export const released = (
  changelog: string,
  { changesets, date, version }: { version: string; date: string; changesets: ReadonlyArray<Changeset> }
): string => {
  const [before = "", rest = ""] = changelog.split(UNRELEASED)
  const next = rest.search(/^## \[/m)
  const [kept, older] = next < 0 ? [rest, ""] : [rest.slice(0, next), rest.slice(next)]
  const section = [kept.replace(FIRST, "").trim(), ...listsOf(changesets)].filter((part) => part !== "")
  return `${before}${UNRELEASED}\n## [${version}] - ${date}\n\n${section.join("\n\n")}\n${older === "" ? "" : `\n${older}`}`
}

const listsOf = (changesets: ReadonlyArray<Changeset>): ReadonlyArray<string> => {
  const list = (title: string, kinds: ReadonlyArray<Changeset["kind"]>): string => {
    const texts = changesets.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
    return texts.length === 0
      ? ""
      : `### ${title}\n\n${texts.map((text) => `- ${text.replaceAll("\n", "\n  ")}`).join("\n")}`
  }
  return [list("Changed", ["major", "minor"]), list("Fixed", ["patch"])]
}

if (import.meta.main) {
  const root = new URL("../", import.meta.url)
  const text = (path: string): string => readFileSync(new URL(path, root), "utf8")
  const paths = globSync(".changeset/!(README).md", { cwd: root }).sort()
  const changelog = text("CHANGELOG.md")
  const first = isFirst(changelog)
  const changesets = first ? [] : paths.map((path) => read(text(path)))
  if (first) {
    for (const path of paths) rmSync(new URL(path, root))
  } else {
    const command = fileURLToPath(new URL("node_modules/.bin/changeset", root))
    const { status } = spawnSync(command, ["version"], { cwd: root, stdio: "inherit" })
    if (status !== 0) process.exit(1)
  }
  const { version }: { readonly version: string } = JSON.parse(text("packages/watchword/package.json"))
  const agent = "packages/send/src/gateway/UserAgent.ts"
  writeFileSync(new URL(agent, root), text(agent).replace(/VERSION = ".*"/, `VERSION = "${version}"`))
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(new URL("CHANGELOG.md", root), released(changelog, { version, date, changesets }))
}
