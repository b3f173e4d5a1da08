/**
 * The statements of SECURITY.md that can be checked: its tests, settings, licences and install scripts.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { thirdParties } from "./thirdParty.ts"

const root = dirname(import.meta.dirname)
const read = (path: string): string => readFileSync(join(root, path), "utf8")
const document = read("SECURITY.md")

const section = (title: string): string => document.split(/^## /m).find((text) => text.startsWith(title)) ?? ""

/** The cells of table rows, without the heads. */
const rows = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .split(/\n\n/)
    .filter((block) => block.startsWith("|"))
    .flatMap((table) => table.trim().split("\n").slice(2))
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )

const quoted = (text: string): ReadonlyArray<string> => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)

describe("threats", () => {
  const answers = rows(section("What is protected"))

  it.each(answers.map(([threat = "", , shown = ""]) => [threat, shown]))("%s: has a test or a setting", (_, shown) => {
    expect(shown).toMatch(/\]\([^)]+\.ts\)|`[A-Z_]+`|`account |`key /)
  })

  it("name settings and commands that there are", () => {
    const known = globSync("docs/operators/*.md", { cwd: root }).map(read).join("\n")
    const settings = answers.flatMap(([, , shown = ""]) => quoted(shown))
    expect(settings.filter((name) => !known.includes(name.replace(/ --.*/, "")))).toEqual([])
  })
})

describe("dependencies", () => {
  const [licences, scripts] = [/^\| licence/m, /^\| package /m].map((head) => {
    const text = section("Dependencies")
    return rows(text.slice(text.search(head)).split("\n\n").slice(0, 1).join())
  })

  it("are listed with their licences", () => {
    const byLicence = Object.groupBy(thirdParties(), ({ license }) => license)
    const expected = Object.entries(byLicence).map(([license, all = []]) => [license, all.map(({ name }) => name)])
    expect((licences ?? []).map(([license = "", names = ""]) => [license, quoted(names)])).toEqual(expected)
  })

  it("with install scripts are named", () => {
    const named = (scripts ?? []).flatMap(([name = ""]) => quoted(name))
    expect(named).toEqual(thirdParties().flatMap(({ name, hasInstallScript }) => (hasInstallScript ? [name] : [])))
  })
})
