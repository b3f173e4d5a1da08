/**
 * The list of operators' commands: a command that is missing from it is added after the other commands of its module.
 */
import { readFileSync } from "node:fs"

const folder = new URL("../../packages/operator/src/commands/", import.meta.url)

/** @param index the current text of the module with the list */
export const commandList = (index: string): string =>
  [...index.matchAll(/^import \* as (\w+) from "\.\/(\w+\.ts)"$/gm)].reduce((listed, [, module = "", file = ""]) => {
    const code = readFileSync(new URL(file, folder), "utf8")
    const made = [...code.matchAll(/^export const (\w+) = Command\.make\(/gm)].map(([, name]) => `${module}.${name}`)
    const news = made.filter((name) => !new RegExp(`^  ${name},?$`, "m").test(listed))
    const [last] = listed.match(new RegExp(`^  ${module}\\.\\w+(?=,?$)(?![^]*^  ${module}\\.)`, "m")) ?? []
    return last === undefined || news.length === 0
      ? listed
      : listed.replace(last, () => [last, ...news.map((name) => `  ${name}`)].join(",\n"))
  }, index)
