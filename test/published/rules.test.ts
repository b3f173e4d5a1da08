import { describe, expect, it } from "vitest"
import { packages } from "./packages.ts"
import {
  type PublicModule,
  code,
  importedByNone,
  onNoPage,
  pages,
  publicModules,
  sources,
  wholesale,
  withoutDocstring
} from "./publicModules.ts"
import { lacks, runBy, strayImports } from "./rules.ts"

describe("what every package has", () => {
  it.each(packages)("$name lacks nothing", (pkg) => {
    expect(lacks(pkg)).toEqual([])
  })
})

describe("what packages stand on", () => {
  it.each([
    ["effect", "watchword"],
    ["ulid", "@watchword/schemas"],
    ["smpp", "@watchword/sms"],
    ["better-sqlite3", "@watchword/store-sqlite"]
  ])("%s is run by %s", (dependency, name) => {
    expect(runBy(dependency)).toContain(name)
    const undeclared = packages.map((pkg) => ({
      ...pkg,
      manifest: { ...pkg.manifest, dependencies: {}, peerDependencies: {} }
    }))
    expect(runBy(dependency, undeclared)).toEqual([])
  })
})

const examples = code.filter(({ path }) => path.startsWith("examples/"))

describe("public modules", () => {
  it("are few enough to be known", () => {
    expect(publicModules.length).toBeLessThanOrEqual(160)
  })

  it("are the only ones that documents and examples import", () => {
    expect(strayImports()).toEqual([])
  })

  it("say at the top what they are for", () => {
    expect(withoutDocstring(publicModules)).toEqual([])
  })

  it("are on a page, or in an example", () => {
    expect(onNoPage(publicModules, pages, examples)).toEqual([])
  })

  it("are imported outside of their packages", () => {
    expect(importedByNone(publicModules, code, pages)).toEqual([])
  })

  it("export no module of another folder as a whole", () => {
    expect(wholesale(sources)).toEqual([])
  })
})

describe("a public module is found that", () => {
  const fax: PublicModule = {
    specifier: "@watchword/fax/Fax",
    folder: "packages/fax",
    path: "packages/fax/src/Fax.ts",
    text: '/**\n * Faxes.\n */\nexport { send } from "./internal/send.ts"\n'
  }
  const importing = 'import { send } from "@watchword/fax/Fax"\n'

  it.each([
    ["has no docstring", "export const a = 1"],
    ["begins with another comment", "// Faxes.\nexport const a = 1"],
    ["has an empty docstring", "/**\n *\n */\nexport const a = 1"]
  ])("%s", (_, text) => {
    expect(withoutDocstring([fax, { ...fax, specifier: "bad", text }])).toEqual(["bad"])
  })

  it.each([
    ["is on no page", [{ path: "docs/fax.md", text: "`@watchword/fax/Faxes` has faxes." }]],
    ["only another package's README abridges", [{ path: "packages/telex/README.md", text: "| `…/Fax` | |" }]]
  ])("%s", (_, pages) => {
    expect(onNoPage([fax], pages, [])).toEqual([fax.specifier])
    expect(onNoPage([fax], [{ path: "packages/fax/README.md", text: "| `…/Fax` | |" }], [])).toEqual([])
    expect(onNoPage([fax], pages, [{ path: "examples/fax/src/main.ts", text: importing }])).toEqual([])
  })

  it.each([
    ["its own package alone imports", "packages/fax/test/Fax.test.ts", importing],
    ["a neighbour with a longer name seems to import", "packages/fax/src/Other.ts", importing],
    ["others name without an import", "packages/telex/src/Telex.ts", "// @watchword/fax/Fax"]
  ])("%s", (_, path, text) => {
    expect(importedByNone([fax], [{ path, text }], [])).toEqual([fax.specifier])
    expect(importedByNone([fax], [{ path: "packages/faxes/src/Faxes.ts", text: importing }], [])).toEqual([])
    expect(importedByNone([fax], [], [{ path: "docs/fax.md", text: `\n${importing}` }])).toEqual([])
  })

  it.each([
    'export * from "./Send.ts"',
    'export type * from "./Send.ts"',
    'export * as Send from "./internal/Send.ts"'
  ])("has %s", (text) => {
    expect(wholesale([{ path: fax.path, text }])).toEqual([`${fax.path}: ${text}`])
    expect(wholesale([{ ...fax, text: 'export * as Send from "./Send.ts"' }])).toEqual([])
  })
})
