/**
 * The words of documents and comments, by the table of CONTRIBUTING.md, and the width of comments.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const DOCUMENTS = [
  "*.md",
  "docs/**/*.md",
  "{packages,adapters,examples}/*/README.md",
  "{packages,test,bench,findings}/README.md",
  "test/*/README.md",
  ".changeset/*.md"
]

/** The folders whose comments are held to it, as patterns. */
const SOURCES: ReadonlyArray<string> = ["scripts", "examples/node-sqlite-store"]

const WIDTH = 120

/** Turns that stay, each with why. */
const EXCEPTIONS: ReadonlyArray<readonly [path: string, text: string, why: string]> = []

/** The first column of the table, whose turns are separated by commas. */
const turns = [
  ...(/\| not \| but \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(read("CONTRIBUTING.md"))?.[1] ?? "").matchAll(
    /^\| ([^|]+) \|/gm
  )
].flatMap(([, cell = ""]) => cell.split(", "))
const banned = new RegExp(`(?<![\\w-])(?:${turns.join("|").replaceAll(" ", "\\s+")})(?![\\w-])`, "i")

interface Line {
  readonly path: string
  readonly number: number
  readonly text: string
}

/** The lines of a document without code and without that table. */
const proseOf = (path: string): ReadonlyArray<Line> =>
  read(path)
    .replaceAll(/^ *```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ""))
    .replaceAll(/^\| not \| but \|$[^]*?\n\n/gm, (table) => table.replaceAll(/[^\n]/g, ""))
    .split("\n")
    .map((text, index) => ({ path, number: index + 1, text: text.replaceAll(/`[^`]*`/g, "``") }))

/** The lines of a source that are comments, or end in one. */
const commentsOf = (path: string): ReadonlyArray<Line> =>
  read(path)
    .split("\n")
    .map((text, index) => ({ path, number: index + 1, text }))
    .filter(({ text }) => /^\s*(?:\*|\/\*|\/\/)|\s\/\/ /.test(text))

const wordsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  // A turn may stand at the end of a line and go on in the next one.
  lines.flatMap(({ number, path, text }, index) => {
    const next = lines[index + 1]
    const begin = next?.number === number + 1 ? next.text.replace(/^\s*(?:\*|\/\/|[-|>]) ?/, "").slice(0, 40) : ""
    const [turn] = banned.exec(`${text} ${begin}`) ?? []
    const isHere = turn !== undefined && (banned.test(text) || !banned.test(begin))
    const stays = EXCEPTIONS.some(([file, part]) => file === path && text.includes(part))
    return isHere && !stays ? [`${path}:${number}: ${turn}`] : []
  })

const sources = SOURCES.flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,mjs}`, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
).sort()

it("documents have none of the turns that CONTRIBUTING.md lists", () => {
  expect(turns.length).toBeGreaterThan(8)
  const documents = globSync(DOCUMENTS, { cwd: root }).sort()
  expect(documents.length).toBeGreaterThan(60)
  expect(wordsOf(documents.flatMap(proseOf))).toEqual([])
})

it("comments have none of them", () => {
  expect(sources.length).toBeGreaterThan(5)
  expect(wordsOf(sources.flatMap(commentsOf))).toEqual([])
})

it(`comments are at most ${WIDTH} characters wide`, () => {
  const wide = sources.flatMap(commentsOf).filter(({ text }) => text.length > WIDTH)
  expect(wide.map(({ number, path }) => `${path}:${number}`)).toEqual([])
})

it("each exception is needed", () => {
  expect(EXCEPTIONS.filter(([path, text]) => !read(path).includes(text))).toEqual([])
})
