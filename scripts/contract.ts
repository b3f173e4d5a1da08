/**
 * Writes what follows from values in the sources: bodies and methods of the client, its classes of errors, commands of
 * the console and of programs, the page of reasons, and tables of settings, endpoints and fields in the documents.
 * Run it by `npm run contract` after a change of a schema, an endpoint, a setting, a command or the table of
 * errors; a test compares the files.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { clientFiles } from "./contract/client.ts"
import { consoleCommands } from "./contract/console.ts"
import { errorClasses, reasonsPage } from "./contract/errors.ts"
import { operatorCalls } from "./contract/operator.ts"
import { pages } from "./contract/pages.ts"

const root = new URL("../", import.meta.url)

const CONSOLE = "packages/console/pages/console/commands.ts"

const OPERATOR = "packages/operator/src/Operator.ts"

const formatted = (path: string, code: string): string => {
  const { stderr, stdout } = spawnSync(
    fileURLToPath(new URL("node_modules/.bin/oxfmt", root)),
    [`--stdin-filepath=${path}`],
    { cwd: root, input: code, encoding: "utf8" }
  )
  if (stdout === "") throw new Error(`oxfmt cannot format ${path}: ${stderr}`)
  return stdout
}

/** Each file by its path, as it is to be. */
export const files = (): ReadonlyMap<string, string> =>
  new Map([
    ...[...clientFiles(), ["ApiErrors", errorClasses()] as const].map(([name, code]): [string, string] => {
      const path = `packages/client/src/${name}.ts`
      return [path, formatted(path, code)]
    }),
    [CONSOLE, formatted(CONSOLE, consoleCommands())],
    [OPERATOR, formatted(OPERATOR, operatorCalls())],
    ["docs/reasons.md", reasonsPage()],
    ...pages(root)
  ])

/** The paths of the files that are not as they are to be. */
export const stale = (): ReadonlyArray<string> =>
  [...files()].filter(([path, text]) => readFileSync(new URL(path, root), "utf8") !== text).map(([path]) => path)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of files()) writeFileSync(new URL(path, root), text)
}
