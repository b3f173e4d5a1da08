/**
 * Writes the files and sections derived from values in the sources: bodies and methods of the client, error classes and
 * schemas, commands of the console and of programs, lists of commands, providers and exports, the page of reasons, and
 * tables of settings, endpoints, fields, events and metrics in the documents. Run it with `npm run contract` after
 * changing a schema, an endpoint, a setting, a command, a metric or the table of errors; a test compares the files.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { clientFiles } from "./contract/client.ts"
import { commandList } from "./contract/commandList.ts"
import { consoleCommands } from "./contract/console.ts"
import { errorClasses, errorNames, reasonsPage, travellingErrors } from "./contract/errors.ts"
import { exportedBy, listing } from "./contract/exported.ts"
import { operatorCalls } from "./contract/operator.ts"
import { pages } from "./contract/pages.ts"
import { providerList } from "./contract/providers.ts"

const root = new URL("../", import.meta.url)

const CONSOLE = "packages/console/pages/console/commands.ts"

const OPERATOR = "packages/operator/src/Operator.ts"

const ERRORS = "packages/api/src/Errors.ts"

const CLIENT = "packages/client/src/index.ts"

const SERVICE = "packages/watchword/src/index.ts"

/** The service's error exports in addition to the classes of error codes. */
const SERVICE_ERRORS = ["type ApiError", "type ErrorCode", "type Issue", "WatchwordError", "isWatchwordError"]

const COMMANDS = "packages/operator/src/commands/index.ts"

const PROVIDERS = "packages/standalone/src/settings/providers/List.ts"

const formatted = (path: string, code: string): string => {
  const { stderr, stdout } = spawnSync(
    fileURLToPath(new URL("node_modules/.bin/oxfmt", root)),
    [`--stdin-filepath=${path}`],
    { cwd: root, input: code, encoding: "utf8" }
  )
  if (stdout === "") throw new Error(`oxfmt cannot format ${path}: ${stderr}`)
  return stdout
}

/** The expected text of each file, by its path. */
export const files = (): ReadonlyMap<string, string> =>
  new Map([
    ...[...clientFiles(), ["ApiErrors", errorClasses()] as const].map(([name, code]): [string, string] => {
      const path = `packages/client/src/${name}.ts`
      return [path, formatted(path, code)]
    }),
    [CLIENT, formatted(CLIENT, clientIndex())],
    [
      SERVICE,
      formatted(SERVICE, listing(textOf(SERVICE), "@watchword/client", [...errorNames, ...SERVICE_ERRORS], isNoCode))
    ],
    [ERRORS, formatted(ERRORS, travellingErrors())],
    [PROVIDERS, formatted(PROVIDERS, providerList())],
    [COMMANDS, commandList(textOf(COMMANDS))],
    [CONSOLE, formatted(CONSOLE, consoleCommands())],
    [OPERATOR, formatted(OPERATOR, operatorCalls())],
    ["docs/reasons.md", reasonsPage()],
    ...pages(root)
  ])

const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8")

/** Whether an export of the service is not the class of an error code. */
const isNoCode = (name: string): boolean => name.startsWith("type ")

/** The client's index, updated with the exports of its generated modules. */
const clientIndex = (): string =>
  [...clientFiles(), ["ApiErrors", errorClasses()] as const].reduce((index, [name, code]) => {
    const types = exportedBy(code)
    return index.includes(`"./${name}.ts"`) ? listing(index, `./${name}.ts`, types) : index
  }, textOf(CLIENT))

/** The paths of the files that differ from their expected text. */
export const stale = (): ReadonlyArray<string> =>
  [...files()].filter(([path, text]) => readFileSync(new URL(path, root), "utf8") !== text).map(([path]) => path)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const old = stale()
  for (const [path, text] of files()) writeFileSync(new URL(path, root), text)
  // Files derived from these lists were still written from the old ones, so write them again.
  if (old.includes(PROVIDERS) || old.includes(COMMANDS))
    spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit" })
}
