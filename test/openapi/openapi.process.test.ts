/**
 * The OpenAPI document as tools of others take it: linters, and a generator whose client is compiled and run against
 * the server that serves the document.
 */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { type Config, createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { type Serving, serve } from "@watchword/node"
import * as Docs from "@watchword/server/Docs"
import openapiTypescript, { astToString } from "openapi-typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

const root = join(import.meta.dirname, "../..")
const run = promisify(execFile)

let service: Watchword
let serving: Serving
let origin: string
let text: string

beforeAll(async () => {
  service = await createWatchword({ store: memory(), pages: Docs.layer({ baseUrl: "/v1" }) })
  serving = await serve(service, { operations: service.operations, basePath: "/v1", port: 0 })
  origin = `http://127.0.0.1:${serving.port}`
  text = await (await fetch(`${origin}/openapi.json`)).text()
})

afterAll(async () => {
  await serving.close()
  await service.dispose()
})

describe("the served document", () => {
  it("is valid OpenAPI by its JSON schema", async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true })
  })

  it("pleases Redocly's linter, examples included", async () => {
    const problems = await lintFromString({ source: text, absoluteRef: "/openapi.json", config: await rules() })
    expect(problems.map(({ location, message, ruleId }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  it("has no choice between one schema", () => {
    const single: Array<unknown> = []
    JSON.parse(text, (key, value: unknown) => {
      if (/^(?:any|one|all)Of$/.test(key) && Array.isArray(value) && value.length < 2) single.push(value)
      return value
    })
    expect(single).toEqual([])
  })

  it("describes each answer, parameter and field", () => {
    const bare: Array<string> = []
    walk(JSON.parse(text), "#", (part, place) => {
      if ("responses" in part) bare.push(...undescribed(part["responses"], `${place}/responses`))
      if ("headers" in part) bare.push(...undescribed(part["headers"], `${place}/headers`))
      if ("properties" in part && !place.includes("/additionalProperties")) {
        bare.push(...undescribed(part["properties"], `${place}/properties`))
      }
      if ("in" in part && !("description" in part)) bare.push(place)
    })
    // A field is described in packages/api/src/internal/Fields.ts, or by an annotation of its schema.
    expect(bare).toEqual([])
  })

  it("has an example of each body and each error", () => {
    const { components, paths } = JSON.parse(text)
    const used = [
      JSON.stringify(paths).matchAll(/"application\/json":\{"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/g)
    ]
      .flatMap((matches) => [...matches])
      .map(([, name = ""]) => name)
    expect(used.length).toBeGreaterThan(100)
    // An example is in packages/api/src/internal/Examples.ts, or an annotation of its schema.
    expect([...new Set(used)].filter((name) => components.schemas[name].examples === undefined)).toEqual([])
  })

  it("has an operation id for each operation, and a tag that is described", () => {
    const { paths, tags } = JSON.parse(text)
    const operations: ReadonlyArray<Part> = Object.values<object>(paths).flatMap((path) => Object.values(path))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(operations.length)
    expect(ids).not.toContain(undefined)
    const described = tags.filter(({ description }: Part) => description).map(({ name }: Part) => [name])
    expect(described).toEqual(expect.arrayContaining(operations.map((operation) => operation["tags"])))
  })
})

describe("the client of openapi-typescript", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "watchword-client-")))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("compiles strictly, sends, lists, knows errors by their codes and verifies", async () => {
    install(folder, "openapi-fetch", join(root, "test"))
    install(folder, "@types/node", root)
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    writeFileSync(join(folder, "watchword.d.ts"), astToString(await openapiTypescript(text)))
    writeFileSync(join(folder, "client.ts"), program)
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }))
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]).catch((error: unknown) =>
      Object(error)
    )
    expect(stdout).toBe("")

    const { account_id: account } = await service.operator.account.create({ name: "Acme", caller: "+4930901820123" })
    const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
    const env = { ...process.env, WATCHWORD_URL: `${origin}/v1`, ACCOUNT_ID: account, API_KEY: key }
    const ran = await run(process.execPath, ["client.ts"], { cwd: folder, env })
    expect(ran.stdout.trim().split("\n")).toEqual(promised)
  })
})

interface Part {
  readonly [key: string]: unknown
}

/** Visits each object of the document but examples. */
const walk = (part: unknown, place: string, visit: (part: Part, place: string) => void): void => {
  if (typeof part !== "object" || part === null) return
  const known: Part = { ...part }
  visit(known, place)
  for (const [key, inner] of Object.entries(known)) {
    if (key !== "examples" && key !== "example") walk(inner, `${place}/${key}`, visit)
  }
}

const undescribed = (named: unknown, place: string): ReadonlyArray<string> =>
  Object.entries(Object(named))
    .filter(([, each]) => !("description" in Object(each)) && !("$ref" in Object(each)))
    .map(([name]) => `${place}/${name}`)

const rules = (): Promise<Config> =>
  createConfig({
    extends: ["recommended-strict"],
    rules: {
      "no-invalid-media-type-examples": "error",
      "no-invalid-schema-examples": "error",
      "operation-description": "error",
      "operation-operationId-unique": "error",
      "parameter-description": "error",
      "tag-description": "error",
      "operation-operationId-url-safe": "error",
      "operation-4xx-response": "error"
    }
  })

/** The program of docs/http.md, and the lines that it says it prints. */
const program = /^```typescript\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, "docs/http.md"), "utf8"))?.[1] ?? ""
const promised = [...program.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line]) => line)

const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ["node"]
}

/** Links a package to where the workspace has it. */
const install = (folder: string, name: string, user: string): void => {
  const place = join(folder, "node_modules", name)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(realpathSync(join(user, "node_modules", name)), place)
}
