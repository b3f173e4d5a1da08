/**
 * The files at the root that list packages and releases.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const folders = globSync("{packages,adapters,examples}/*/tsconfig.json", { cwd: root }).map(dirname).sort()

const references = (path: string): ReadonlyArray<string> => {
  const { references }: { readonly references: ReadonlyArray<{ readonly path: string }> } = JSON.parse(read(path))
  return references.map((reference) => reference.path).sort()
}

describe("tsconfig", () => {
  it("is built with every package, adapter and example", () => {
    expect(references("tsconfig.json")).toEqual([...folders, "tsconfig.test.json"].sort())
  })

  it("checks tests beside every package, adapter and example", () => {
    expect(references("tsconfig.test.json")).toEqual(folders)
  })
})

it("changesets name published packages, and the kind of their release", () => {
  const names = globSync("{packages,adapters}/*/package.json", { cwd: root }).map((path) => JSON.parse(read(path)).name)
  const wrong = globSync(".changeset/!(README).md", { cwd: root }).flatMap((path) => {
    const [, releases = ""] = /^---\n([\s\S]*?)\n---\n+\S/.exec(read(path)) ?? []
    return releases
      .split("\n")
      .filter((line) => !names.includes(/^"(.+)": (?:patch|minor|major)$/.exec(line)?.[1]))
      .map((line) => `${path}: ${line}`)
  })
  expect(wrong).toEqual([])
})
