/**
 * The words of documents, comments and texts, by the table of CONTRIBUTING.md and the patterns of `words.ts`, and the
 * width of comments. `words.json` has how many lines of a folder may have a pattern; `WORDS=write` writes today's.
 */
import { globSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import { type Line, PATTERNS, commentsOf, proseOf, read, root, textsOf } from "./words.ts"

const WIDTH = 120

/** The files that hold the patterns themselves. */
const OWN = /^test\/words\./

const found = (patterns: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**", "**/build/**"] })
    .filter((path) => !OWN.test(path))
    .sort()

const documents = found([
  "*.md",
  "docs/**/*.md",
  "{packages,adapters,examples}/*/README.md",
  "{packages,test,bench,findings}/README.md",
  "test/*/README.md",
  ".changeset/*.md"
]).flatMap(proseOf)
const sources = found("{packages,adapters,examples,scripts,test,bench}/**/*.{ts,tsx,mjs}")
const comments = sources.flatMap(commentsOf)
const texts = sources.filter((path) => /\/(?:src|pages)\/(?!internal\/conformance\/)/.test(path)).flatMap(textsOf)

/** The first column of CONTRIBUTING's table, whose turns are separated by commas. */
const turns = [
  ...(/\| not \| but \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(read("CONTRIBUTING.md"))?.[1] ?? "").matchAll(
    /^\| ([^|]+) \|/gm
  )
].flatMap(([, cell = ""]) => cell.split(", "))
const banned = new RegExp(`(?<![\\w-])(?:${turns.join("|").replaceAll(" ", "\\s+")})(?![\\w-])`, "i")

/** A turn may stand at the end of a line and continue in the next one. */
const bannedIn = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  lines.flatMap(({ number, path, text }, index) => {
    const next = lines[index + 1]
    const begin = next?.number === number + 1 ? next.text.replace(/^\s*(?:\*|\/\/|[-|>]) ?/, "").slice(0, 40) : ""
    const [turn] = banned.exec(`${text} ${begin}`) ?? []
    const isHere = turn !== undefined && (banned.test(text) || !banned.test(begin))
    return isHere ? [`${path}:${number}: ${turn}`] : []
  })

type Counts = Record<string, Record<string, number>>

const Allowed = Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Int)))

/** How many lines of each folder have each pattern: `{ "packages/sms": { by: 2 } }`, and pages by their names. */
const countsOf = (lines: ReadonlyArray<Line>): Counts => {
  const counts: Counts = {}
  for (const { path, text } of lines)
    for (const [name, { turn }] of [...Object.entries(PATTERNS), ["listed", { turn: banned }] as const]) {
      if (!turn.test(text)) continue
      const of = (counts[path.split("/").slice(0, 2).join("/")] ??= {})
      of[name] = (of[name] ?? 0) + 1
    }
  return counts
}

const ALLOWED = join(root, "test/words.json")
const counted = { documents: countsOf(documents), comments: countsOf(comments), texts: countsOf(texts) }
if (process.env["WORDS"] === "write") writeFileSync(ALLOWED, `${JSON.stringify(counted, null, 2)}\n`)

it("documents have none of the turns that CONTRIBUTING.md lists", () => {
  expect(turns.length).toBeGreaterThan(8)
  expect(documents.length).toBeGreaterThan(5_000)
  expect(comments.length).toBeGreaterThan(15_000)
  expect(bannedIn(documents)).toEqual([])
})

it("no folder has more lines of a pattern than it is allowed", () => {
  const allowed = Schema.decodeUnknownSync(Allowed)(JSON.parse(read("test/words.json")))
  const over = Object.entries(counted).flatMap(([kind, folders]) =>
    Object.entries(folders).flatMap(([folder, counts]) =>
      Object.entries(counts)
        .filter(([pattern, count]) => count > (allowed[kind]?.[folder]?.[pattern] ?? 0))
        .map(([pattern, count]) => `${kind} of ${folder}: ${count} × ${pattern}`)
    )
  )
  expect(over).toEqual([])
})

it(`comments are at most ${WIDTH} characters wide`, () => {
  // A row of a table cannot be wrapped.
  const wide = comments.filter(({ text }) => text.length > WIDTH && !/^\s*\* \|/.test(text))
  expect(wide.map(({ number, path }) => `${path}:${number}`)).toEqual([])
})
