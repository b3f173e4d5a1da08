/**
 * A channel, a store and a host as third-party authors write them: packages outside of the workspace, of about a
 * hundred lines each, that use only the public modules of the tarballs.
 */
import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { setup } from "../published/build.ts"
import { type Project, install } from "../published/consumers.ts"
import { importsOf } from "../published/imports.ts"
import { type Manifest, modulesOf, packages, root } from "../published/packages.ts"
import { pack, run } from "../published/tarballs.ts"

// It builds, packs and installs all packages.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const folder = realpathSync(mkdtempSync(join(tmpdir(), "watchword-authors-")))
const consumers = join(folder, "consumers")
const sources = join(import.meta.dirname, "authors")

/** A package as its author has it, with the tarballs of its dependencies. */
const project = (path: string): Project => {
  const read = (file: string) => readFileSync(join(sources, path, file), "utf8")
  const manifest: Manifest = JSON.parse(read("package.json"))
  const { dependencies = {}, peerDependencies = {} } = manifest
  return {
    path,
    ours: packages.map(({ name }) => name).filter((name) => name in dependencies),
    others: Object.keys(peerDependencies).map((name) => [name, null]),
    files: Object.fromEntries(globSync("*.ts", { cwd: join(sources, path) }).map((file) => [file, read(file)])),
    manifest
  }
}

const authors = ["channel", "store", "host"].map(project)

beforeAll(async () => {
  await setup()
  await install(consumers, [...authors, project("app")], await pack(join(folder, "tarballs")))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each(authors)("the $path imports public modules only", ({ files }) => {
  const modules = packages.flatMap(modulesOf).filter((module) => !module.includes("/internal/"))
  const imported = Object.values(files).flatMap((code) => importsOf(code).map(({ specifier }) => specifier))
  const ours = imported.filter((specifier) => /^(@watchword\/|watchword(\/|$))/.test(specifier))
  expect(ours).not.toEqual([])
  expect(ours.filter((specifier) => !modules.includes(specifier))).toEqual([])
})

it("they compile strictly", async () => {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.base.json"), "utf8"))
  const { composite: _composite, plugins: _plugins, declaration: _, declarationMap: _map, ...strict } = compilerOptions
  const options = { ...strict, noEmit: true, skipLibCheck: false }
  writeFileSync(join(consumers, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*/*.ts"] }))
  expect(await run(join(root, "node_modules/.bin/tsc"), ["-p", consumers], consumers)).toBe("")
})

it.each([
  ["store", 200],
  ["host", 200]
])("the %s passes its suite", async (program, least) => {
  const { cases, failed } = JSON.parse(await node(`${program}.ts`))
  expect(failed).toEqual([])
  expect(cases).toBeGreaterThan(least)
})

it("the channel sends codes over the host, in the sandbox and by a gateway of its own, and the store keeps them", async () => {
  const to = "+4915123456789"
  const uuid = expect.stringMatching(/^[0-9A-Z]{26}$/)
  expect(JSON.parse(await node("channel.ts"))).toEqual({
    live: { status: 200, body: { uuid, to } },
    sandbox: { status: 200, body: { uuid, to } },
    wrong: {
      status: 400,
      body: expect.objectContaining({
        issues: [
          { path: "to", message: expect.any(String) },
          { path: "code", message: expect.any(String) }
        ]
      })
    },
    verification: { status: 200, body: expect.objectContaining({ channel: "pager", status: "pending" }) },
    records: {
      status: 200,
      body: expect.objectContaining({
        total: 1,
        list: [{ uuid, to, status: "shown", price: 0.05, created_at: expect.any(String) }]
      })
    },
    pages: [`${to} 123456`],
    balances: [0.95, 0.95]
  })
})

const node = (file: string): Promise<string> => run(process.execPath, [file], join(consumers, "app"))
