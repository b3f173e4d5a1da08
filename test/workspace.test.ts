/**
 * The files at the root that list packages and releases.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { USER_AGENT } from "@watchword/send/gateway"
import { describe, expect, it } from "vitest"
import { isFirst, read, released } from "../scripts/version.ts"

const root = join(import.meta.dirname, "..")
const contents = (path: string): string => readFileSync(join(root, path), "utf8")

const folders = globSync("{packages,adapters,examples}/*/tsconfig.json", { cwd: root }).map(dirname).sort()

const references = (path: string): ReadonlyArray<string> => {
  const { references }: { readonly references: ReadonlyArray<{ readonly path: string }> } = JSON.parse(contents(path))
  return references.map((reference) => reference.path).sort()
}

/** Lines that may call `realTime` of `test/until.ts`: fewer are better. */
const WAITS = 36

describe("tsconfig", () => {
  it("is built with every package, adapter and example", () => {
    expect(references("tsconfig.json")).toEqual([...folders, "tsconfig.test.json"].sort())
  })

  it("checks tests beside every package, adapter and example", () => {
    expect(references("tsconfig.test.json")).toEqual(folders)
  })
})

it("the name under which Watchword makes requests has the version of the packages", () => {
  const { version }: { readonly version: string } = JSON.parse(contents("packages/watchword/package.json"))
  expect(USER_AGENT).toBe(`Watchword/${version}`)
})

it("changesets name published packages, and the kind of their release", () => {
  const names = globSync("{packages,adapters}/*/package.json", { cwd: root }).map(
    (path) => JSON.parse(contents(path)).name
  )
  const wrong = globSync(".changeset/!(README).md", { cwd: root }).flatMap((path) => {
    const [, releases = ""] = /^---\n([\s\S]*?)\n---\n+\S/.exec(contents(path)) ?? []
    return releases
      .split("\n")
      .filter((line) => !names.includes(/^"(.+)": (?:patch|minor|major)$/.exec(line)?.[1]))
      .map((line) => `${path}: ${line}`)
  })
  expect(wrong).toEqual([])
})

describe("the changelog", () => {
  const before = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A phone.\n"
  const [first, second] = [
    { version: "0.1.0", date: "2027-01-31" },
    { version: "0.2.0", date: "2027-02-28" }
  ] as const

  it("has a section of each release, the newest first, with what its changesets say", () => {
    const once = released(before, { ...first, changesets: [] })
    const twice = released(once, {
      ...second,
      changesets: [
        read('---\n"watchword": patch\n---\n\nA receipt\ncounts once.\n'),
        read('---\n"watchword": patch\n"@watchword/sms": minor\n---\n\nTexts may be long.\n')
      ]
    })
    expect([isFirst(before), isFirst(once)]).toEqual([true, false])
    expect(twice).toBe(
      "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-02-28\n\n### Changed\n\n- Texts may be long.\n\n### Fixed\n\n" +
        "- A receipt\n  counts once.\n\n## [0.1.0] - 2027-01-31\n\n### Added\n\n- A phone.\n"
    )
  })

  it("has a place for the next release", () => {
    expect(contents("CHANGELOG.md")).toContain("\n## [Unreleased]\n")
  })
})

it("tests wait for conditions; so many lines wait for time, each with what passes meanwhile", () => {
  const files = globSync("{packages/*/,adapters/*/,examples/*/,}{test,test-peers}/**/*.ts", {
    cwd: root,
    exclude: ["**/node_modules"]
  })
  const waits = files.flatMap((file) => contents(file).match(/\brealTime\(/g) ?? [])
  expect(waits.length).toBeLessThanOrEqual(WAITS)
  const reasons = files.flatMap((file) => contents(file).match(/\brealTime\([\w, ]+, "[a-z][^"]+"\)/g) ?? [])
  expect(reasons).toHaveLength(waits.length)
})

it("actions of CI and the package manager are pinned by their hashes", () => {
  const uses = globSync(".github/workflows/*.yml", { cwd: root }).flatMap((path) => [
    ...contents(path).matchAll(/\buses: (.+)$/gm)
  ])
  expect(uses.length).toBeGreaterThan(1)
  for (const [, action] of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  expect(JSON.parse(contents("package.json")).packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/)
})

it("CI runs scripts, files and projects that there are", () => {
  const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map(contents).join("\n")
  const named = (pattern: RegExp) => [...workflows.matchAll(pattern)].map(([, name = ""]) => name)
  const { scripts } = JSON.parse(contents("package.json"))
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named(/\bnpm (?:run )?([\w:]+)/g)))
  const files = named(/\bnode ([\w./-]+\.\w+)/g)
  expect(files).not.toEqual([])
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  const projects = named(/\bproject: \[?(\w+)/g)
  expect(projects).not.toEqual([])
  for (const project of projects) expect(contents("vitest.config.ts")).toContain(`project("${project}"`)
})

it("git ignores what a server writes beside its database", () => {
  const endings = [
    "",
    "-server",
    "-shm",
    "-wal",
    "-journal",
    ".secret",
    ".before-2026-01-31T12-00-00-000Z",
    ".a1.partial"
  ]
  const files = endings.map((ending) => `watchword.db${ending}`)
  const { stdout } = spawnSync("git", ["check-ignore", ...files], { cwd: root, encoding: "utf8" })
  expect(stdout.trim().split("\n")).toEqual(files)
})

describe("a document", () => {
  const documents = globSync(
    [
      "*.md",
      "docs/**/*.md",
      "{packages,adapters,examples,test}/*/README.md",
      "{packages,test,bench,findings}/README.md"
    ],
    { cwd: root }
  )
  const sources = new Set(
    globSync("{packages,adapters,examples,test,bench,scripts}/**/*.{ts,mjs}", {
      cwd: root,
      exclude: ["**/node_modules/**", "**/dist/**"]
    }).map((path) => basename(path))
  )

  it.each(documents)("%s links to files and headings that exist", (document) => {
    const links = [...prose(contents(document)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    const broken = links.filter(([, file = "", heading]) => {
      const path = file === "" ? document : join(dirname(document), file)
      if (!existsSync(join(root, path))) return true
      return heading !== undefined && path.endsWith(".md") && !headings(contents(path)).includes(heading)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it.each(documents)("%s names files and folders that exist", (document) => {
    const names = [...contents(document).matchAll(/`([\w./@-]+)`/g)].map(([, name = ""]) => name)
    const paths = names.filter((name) => /^(?:packages|adapters|examples|bench|docs|scripts|test)\//.test(name))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const modules = names.filter((name) => /^[A-Z]\w*\.ts$/.test(name))
    expect(modules.filter((module) => !sources.has(module))).toEqual([])
  })
})

/** A document without its blocks of code. */
const prose = (text: string): string => text.replaceAll(/^ *```.*\n[^]*?^ *```$/gm, "")

/** The anchors of a document's headings, as GitHub makes them. */
const headings = (text: string): ReadonlyArray<string> =>
  [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  )
