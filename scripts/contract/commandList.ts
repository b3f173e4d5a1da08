/**
 * The list of operators' commands: one that its module makes and the list has not follows the others of the module.
 */
import { readFileSync } from "node:fs"

const folder = new URL("../../packages/operator/src/commands/", import.meta.url)

/** @param index the module with the list, as it was */
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
