/** Writes the table of settings in docs/standalone.md, of the settings as the server reads them. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { all } from "../examples/standalone/src/settings/All.ts"
import { type Named, fileVariable } from "../examples/standalone/src/settings/Setting.ts"

const file = join(import.meta.dirname, "../docs/standalone.md")
const BEGIN = "<!-- settings: written by `node scripts/settings.ts` -->\n\n"
const END = "\n\n<!-- /settings -->"

/** The variable that names a setting's file, and how a change of the file is taken up. */
const fileOf = (setting: Named): string => {
  const variable = fileVariable(setting)
  return variable === null ? "" : `\`${variable}\`, ${setting.reloads === undefined ? "restart" : "SIGHUP"}`
}

const rows = all.map((setting) => {
  const { description, name, unset, usual } = setting
  return `| \`${name}\` | ${unset ?? (usual || "none")} | ${description} | ${fileOf(setting)} |`
})

/** The page with its table as it is to be. */
export const written = (page: string): string => {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for the table`)
  const table = ["| variable | default | meaning | in a file |", "|---|---|---|---|", ...rows].join("\n")
  return page.slice(0, begin + BEGIN.length) + table + page.slice(end)
}

export const page = (): string => readFileSync(file, "utf8")

if (import.meta.main) writeFileSync(file, written(page()))
