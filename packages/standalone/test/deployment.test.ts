/**
 * The files in `deploy`: settings that they name, versions, and the ports that their parts agree on.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { secrets, variables } from "../src/settings/All.ts"

const root = join(import.meta.dirname, "../../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const { version }: { readonly version: string } = JSON.parse(read("packages/standalone/package.json"))

const compose = globSync("deploy/compose.*.yaml", { cwd: root }).sort()
const chart = "deploy/helm/watchword"

/** The variable names in a file, commented out or not. */
const namesIn = (path: string, form: RegExp): ReadonlyArray<string> =>
  [...read(path).matchAll(form)].map(([, name = ""]) => name)

/** Variables of the system, of Node and of the image of PostgreSQL. */
const ofOthers = ["PATH", "NODE_ENV", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD_FILE"]

const unknown = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => !variables.includes(name) && !ofOthers.includes(name))

describe("the settings of", () => {
  it.each([
    ["deploy/Dockerfile", /^(?:ENV)? +([A-Z_]+)=/gm],
    ["deploy/watchword.service", /^#?Environment=([A-Z_]+)=/gm],
    ...compose.map((path) => [path, /^ {6}(?:# )?([A-Z_]+):/gm] as const),
    [`${chart}/values.yaml`, /^ {2}([A-Z_]+):/gm],
    [`${chart}/templates/deployment.yaml`, /^ +- name: ([A-Z_]+)$/gm]
  ] as const)("%s exist", (path, form) => {
    const names = namesIn(path, form)
    expect(names.length).toBeGreaterThan(1)
    expect(unknown(names)).toEqual([])
  })

  it("the chart's Secret may be in files", () => {
    const [, keys = ""] = /^ {2}keys: \[(.+)\]$/m.exec(read(`${chart}/values.yaml`)) ?? []
    expect(secrets.map(({ name }) => name)).toEqual(expect.arrayContaining(keys.split(", ")))
  })

  it("the page on deployment exist", () => {
    const named = namesIn("docs/operators/deployment.md", /`([A-Z]+_[A-Z_]+|PRICES|GUARDS|HOST|PORT)(?:=[^`]*)?`/g)
    expect(named.length).toBeGreaterThan(5)
    expect(unknown(named).filter((name) => name !== "NAME_FILE")).toEqual([])
  })
})

describe("the version of the server", () => {
  it("is that of the image and of the chart", () => {
    const files = ["deploy/Dockerfile", "docs/operators/deployment.md", ...compose]
    const tags = files.flatMap((path) => namesIn(path, /\bwatchword:(\d[\w.-]*)/g))
    expect(tags.length).toBeGreaterThanOrEqual(files.length)
    expect(new Set(tags)).toEqual(new Set([version]))
    expect(namesIn(`${chart}/Chart.yaml`, /^(?:version|appVersion): (.+)$/gm)).toEqual([version, version])
  })
})

it("the image makes no demo account", () => {
  expect(read("deploy/Dockerfile")).toMatch(/^ENV (?:.*\\\n)*? +DEMO=no\b/m)
})

it("the image gives operators a port of their own, as the page says", () => {
  const image = read("deploy/Dockerfile")
  expect(image).toMatch(/^ +OPERATIONS_PORT=9090\b/m)
  expect(image).toMatch(/^EXPOSE 8080 9090$/m)
})

describe("the chart", () => {
  const templates = globSync(`${chart}/templates/*`, { cwd: root }).sort()

  it("reads no value that is not in values.yaml", () => {
    const values = read(`${chart}/values.yaml`)
    const used = templates.flatMap((path) => namesIn(path, /\.Values\.([a-zA-Z]+(?:\.[a-zA-Z]+)?)/g))
    expect(used.length).toBeGreaterThan(30)
    const isThere = (name: string): boolean => {
      const [first = "", second] = name.split(".")
      const block = new RegExp(`^${first}:(.*\n(?:(?: .*|#.*)?\n)*)`, "m").exec(values)?.[1]
      return block !== undefined && (second === undefined || new RegExp(`^  ${second}:`, "m").test(block))
    }
    expect(used.filter((name) => !isThere(name))).toEqual([])
  })

  it("ends each block that it begins", () => {
    for (const path of templates) {
      const begun = namesIn(path, /\{\{-? *(if|with|range|define)\b/g).length
      expect([path, namesIn(path, /\{\{-? *(end)\b/g).length]).toEqual([path, begun])
    }
  })

  it("mounts files under the names of settings that are files", () => {
    const [, example = ""] = /^files: \{\}\n#  ([A-Z]+): \|$/m.exec(read(`${chart}/values.yaml`)) ?? []
    expect(variables).toContain(example)
    expect(read(`${chart}/templates/deployment.yaml`)).toContain("value: /etc/watchword/{{ $name }}")
  })
})

it("secrets of a compose file are those that its settings read", () => {
  for (const path of compose) {
    const mounted = namesIn(path, /: \/run\/secrets\/(\w+)/g)
    const listed = namesIn(path, /^ {6}(?:# )?- ([a-z_]+)$/gm)
    const defined = namesIn(path, /file: \.\/secrets\/(\w+)/g)
    expect(listed.toSorted()).toEqual(mounted.toSorted())
    expect(defined.toSorted()).toEqual(mounted.toSorted())
  }
})

it("the unit gives the server each secret that it loads", () => {
  const unit = "deploy/watchword.service"
  const loaded = namesIn(unit, /^#?LoadCredential=(\w+):/gm)
  expect(loaded.length).toBeGreaterThan(1)
  expect(namesIn(unit, /^#?Environment=[A-Z_]+_FILE=%d\/(\w+)$/gm)).toEqual(loaded)
})

it("has a section of the handbook for each alert, and no other runbook", () => {
  const rules = read("deploy/prometheus/alerts.yml")
  const alerts = [...rules.matchAll(/^ +- alert: Watchword(\w+)$/gm)].map(([, name = ""]) => name)
  const runbooks = [...rules.matchAll(/^ +runbook: docs\/operators\/monitoring\.md#([\w-]+)$/gm)].map(
    ([, anchor]) => anchor
  )
  const slugOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-")
  const handbook = /^## Metrics and alerts$.*?^## /ms.exec(read("docs/operators/monitoring.md"))?.[0] ?? ""
  const sections = [...handbook.matchAll(/^### (.+)$/gm)].map(([, title = ""]) => slugOf(title))
  const named = alerts.map((name) => slugOf(name.replace(/(?<=[a-z])(?=[A-Z])|(?<=A)(?=[A-Z])/g, " ")))
  expect(runbooks).toEqual(named)
  expect(sections).toEqual(named)
})
