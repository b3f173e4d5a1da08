/**
 * The list of providers of SMS with an HTTP API: the values in the folder of their settings.
 */
import { globSync, readFileSync } from "node:fs"

const folder = new URL("../../packages/standalone/src/settings/providers/", import.meta.url)

/** The list, unformatted. The one for any provider by a description comes last. */
export const providerList = (): string => {
  const found = globSync("*.ts", { cwd: folder }).flatMap((file) => {
    const [, name] = /^export const (\w+) = make</m.exec(readFileSync(new URL(file, folder), "utf8")) ?? []
    return name === undefined ? [] : [{ file, name }]
  })
  const sorted = found.toSorted((a, b) => (a.file < b.file ? -1 : 1))
  const names = sorted.map(({ name }) => name).filter((name) => name !== "generic")
  return `/**
 * All providers of SMS with an HTTP API, in the order of the table in the documents. Written by scripts/contract.ts.
 */
${sorted.map(({ file, name }) => `import { ${name} } from "./${file}"`).join("\n")}
import type { Provider } from "./Provider.ts"

export const providers: ReadonlyArray<Provider> = [${[...names, "generic"].join(", ")}]
`
}
