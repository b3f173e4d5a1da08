/**
 * The table of the standalone server's settings, in Markdown.
 */
import { all } from "../../packages/standalone/src/settings/All.ts"
import { type Named, fileVariable } from "../../packages/standalone/src/settings/Setting.ts"

/** The rows are in the order of the list; links are relative to docs/operators. */
export const settingsTable = (): string =>
  ["| variable | default | meaning | in a file |", "|---|---|---|---|", ...all.map(rowOf)].join("\n")

const rowOf = (setting: Named): string => {
  const { description, name, unset, usual } = setting
  return `| \`${name}\` | ${unset ?? (usual || "none")} | ${description} | ${fileOf(setting)} |`
}

/** The variable that names a setting's file, and how a change to the file takes effect. */
const fileOf = (setting: Named): string => {
  const variable = fileVariable(setting)
  return variable === null ? "" : `\`${variable}\`, ${setting.reloads === undefined ? "restart" : "SIGHUP"}`
}
