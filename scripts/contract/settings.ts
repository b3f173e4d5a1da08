/**
 * The table of settings of the standalone server, in Markdown.
 */
import { all } from "../../packages/standalone/src/settings/All.ts"
import { type Named, fileVariable } from "../../packages/standalone/src/settings/Setting.ts"

/** The rows in the order of the list; links are those of a page in docs/operators. */
export const settingsTable = (): string =>
  ["| variable | default | meaning | in a file |", "|---|---|---|---|", ...all.map(rowOf)].join("\n")

const rowOf = (setting: Named): string => {
  const { description, name, unset, usual } = setting
  return `| \`${name}\` | ${unset ?? (usual || "none")} | ${description} | ${fileOf(setting)} |`
}

/** The variable that names a setting's file, and how a change of the file is taken up. */
const fileOf = (setting: Named): string => {
  const variable = fileVariable(setting)
  return variable === null ? "" : `\`${variable}\`, ${setting.reloads === undefined ? "restart" : "SIGHUP"}`
}
