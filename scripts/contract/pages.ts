/**
 * Document pages with generated sections, each between two comments with its name: `<!-- settings -->` and
 * `<!-- /settings -->`, or `<!-- fields SendSms -->` and `<!-- /fields -->`.
 */
import { globSync, readFileSync } from "node:fs"
import { commandsTable } from "./commands.ts"
import { corpusTable } from "./corpus.ts"
import { eventsTable } from "./events.ts"
import { endpointsTable, factsTable, fieldsTable, recordTable } from "./fields.ts"
import { jobsTable } from "./jobs.ts"
import { limitsTable } from "./limits.ts"
import { metricsTable } from "./metrics.ts"
import { settingsTable } from "./settings.ts"

/** Writes a section, given the argument after its name. Sections with other names are left unchanged. */
const sections: Readonly<Record<string, (argument: string, before: string) => string>> = {
  commands: commandsTable,
  corpus: corpusTable,
  endpoints: endpointsTable,
  events: (_, before) => eventsTable(before),
  facts: factsTable,
  fields: fieldsTable,
  jobs: jobsTable,
  limits: limitsTable,
  metrics: (_, before) => metricsTable(before),
  record: recordTable,
  settings: settingsTable
}

const SECTION = /(<!-- ([a-z]+)(?: (\w+))? -->\n\n)([^]*?)(\n\n<!-- \/\2 -->)/g

/** The expected text of each page that has such a section, by its path. */
export const pages = (root: URL): ReadonlyArray<readonly [path: string, text: string]> =>
  globSync(["ARCHITECTURE.md", "docs/**/*.md"], { cwd: root })
    .sort()
    .map((path) => [path, readFileSync(new URL(path, root), "utf8")] as const)
    .filter(([, text]) => text.match(SECTION) !== null)
    .map(([path, text]) => [path, written(text)] as const)

const written = (text: string): string =>
  text.replaceAll(
    SECTION,
    (whole: string, begin: string, name: string, argument: string | undefined, before: string, end: string) => {
      const write = sections[name]
      return write === undefined ? whole : begin + write(argument ?? "", before) + end
    }
  )
