/**
 * The folder that `npm run pack` fills, as an app uses it while no registry has the packages.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { installed, packages, root } from "./packages.ts"
import { run } from "./tarballs.ts"

// npm copies and links all packages, while other tests run.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const folder = realpathSync(mkdtempSync(join(tmpdir(), "watchword packed ")))
const tarballs = join(folder, "tarballs")
const app = join(folder, "app")

beforeAll(() => run(process.execPath, [join(root, "scripts/pack.mjs"), tarballs], root))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("has every package that is published", () => {
  const names = [...packages.map(({ name }) => name), "@watchword/standalone"]
  const files = names.map((name) => `${name.replace("@", "").replace("/", "-")}.tgz`)
  expect(readdirSync(tarballs).sort()).toEqual(files.sort())
})

it("installs what an app names, and what that depends on, without a registry", async () => {
  mkdirSync(app)
  writeFileSync(join(app, "package.json"), '{ "type": "module" }')
  writeFileSync(join(app, "app.js"), APP)
  const named = ["watchword", "watchword-node", "watchword-store-sqlite"].map((name) => join(tarballs, `${name}.tgz`))
  const flags = ["--offline", "--install-links", "--no-audit", "--no-fund", "--loglevel=error"]
  await run("npm", ["install", ...flags, ...named, ...copiesOfOthers()], app)
  expect(await run(process.execPath, ["app.js"], app)).toBe("200 pending\n")
})

it("installs one copy of effect, which the app does not name", async () => {
  const copies: ReadonlyArray<{ readonly location: string; readonly version: string }> = JSON.parse(
    await run("npm", ["query", "#effect"], app)
  )
  expect(copies.map(({ location, version }) => [location, version])).toEqual([
    ["node_modules/effect", expect.stringMatching(/^4\.1\./)]
  ])
})

it("says which package lacks a path that an app imports", async () => {
  const gone = 'import("@watchword/send/nope").catch(({ code, message }) => console.log(code, message))'
  const said = await run(process.execPath, ["--input-type=module", "--eval", gone], app)
  expect(said).toMatch(
    /^ERR_PACKAGE_PATH_NOT_EXPORTED Package subpath '\.\/nope' is not defined .*@watchword\/send\/package\.json/
  )
})

const APP = `
import { createServer } from "node:http"
import { watchword } from "@watchword/node"
import { sqlite } from "@watchword/store-sqlite"
import { createWatchword } from "watchword"

const service = await createWatchword({ store: sqlite("app.db"), secret: "x".repeat(32) })
const { account_id: account } = await service.operator.account.create({ name: "Acme" })
const { key } = await service.operator.key.create({ account_id: account, sandbox: true })
const server = createServer(watchword(service, { basePath: "/v1" })).listen(0, "127.0.0.1", async () => {
  const response = await fetch("http://127.0.0.1:" + server.address().port + "/v1/verifications", {
    method: "POST",
    headers: { "x-account-id": account, "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ to: "+4915123456789" })
  })
  console.log(response.status, (await response.json()).status)
  server.close()
  await service.dispose()
})
`

/** Copies of the third-party packages that ours need, taken from the workspace, so that nothing is downloaded. */
const copiesOfOthers = (): ReadonlyArray<string> => {
  const found = new Map<string, string>()
  const add = (name: string, path: string): void => {
    if (found.has(name)) return
    found.set(name, path)
    const siblings = path.slice(0, path.lastIndexOf(`node_modules${sep}`) + "node_modules".length)
    for (const dependency of dependenciesOf(path)) add(dependency, realpathSync(join(siblings, dependency)))
  }
  for (const user of packages) {
    const { dependencies = {} } = user.manifest
    for (const name of Object.keys(dependencies)) {
      if (!packages.some((each) => each.name === name)) add(name, realpathSync(installed(user, name)))
    }
  }
  return [...found.values()].map((path, index) => {
    const copy = join(folder, `dependency-${index}`)
    cpSync(path, copy, { recursive: true, filter: (each) => !each.slice(path.length).includes("node_modules") })
    return copy
  })
}

const dependenciesOf = (path: string): ReadonlyArray<string> => {
  const { dependencies = {} }: { readonly dependencies?: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(path, "package.json"), "utf8")
  )
  return Object.keys(dependencies)
}
