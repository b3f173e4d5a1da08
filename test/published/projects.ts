/**
 * The projects that packages are tried in.
 */
import { globSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "./consumers.ts"
import { type Example, docstringExamples, examplesIn, readmeExamples, toInstall } from "./examples.ts"
import { importsOf } from "./imports.ts"
import { type Package, modulesOf, packageOf, packages, root, userOf } from "./packages.ts"

/** A package by itself, with all its peers. `use.ts` loads all that can be imported of it. */
export const alone = (pkg: Package): Project => ({
  path: `alone/${pkg.short}`,
  ours: [pkg.name],
  others: Object.keys(pkg.manifest.peerDependencies ?? {}).map((name) => [name, pkg]),
  files: { "use.ts": loading(modulesOf(pkg)) }
})

/** A package by itself, without the peers that it can do without. `use.ts` loads its main module. */
export const bare = (pkg: Package): Project => ({
  path: `bare/${pkg.short}`,
  ours: [pkg.name],
  others: neededPeers(pkg),
  files: { "use.ts": loading([pkg.name]) }
})

/** The packages that a README installs, and the examples of that README. */
export const asItsReadmeSays = (pkg: Package): Project => {
  const wanted = toInstall(pkg)
  const ours = packages.filter(({ name }) => wanted.includes(name))
  const others = wanted.filter((name) => !ours.some((pkg) => pkg.name === name))
  const examples = readmeExamples(pkg)
  // npm puts the one copy of effect where an app finds it, too.
  const hoisted = foreignOf(examples).filter((name) => name === "effect" && !others.includes(name))
  return {
    path: `readme/${pkg.short}`,
    ours: ours.map(({ name }) => name),
    others: [...[...others, ...new Set(hoisted)].map((name) => [name, pkg] as const), ...ours.flatMap(neededPeers)],
    files: filesOf(examples)
  }
}

/** Programs for what no example shows. They fail by themselves. */
export const uses: ReadonlyArray<string> = readdirSync(new URL("uses", import.meta.url))

/** Everything, the examples of all docstrings, and the programs of `uses`. */
export const everything = (): Project => ({
  path: "everything",
  ours: packages.map(({ name }) => name),
  others: [
    ...packages.flatMap((pkg): Project["others"] => {
      const foreign = foreignOf(docstringExamples(pkg))
      return [...foreign, ...typesOf(foreign, pkg), ...nativeOf(pkg)].map((name) => [name, pkg] as const)
    }),
    ...guides.flatMap((guide): Project["others"] =>
      foreignOf(examplesIn(join(root, "docs", guide))).map((name) => [name, userOf(name) ?? null])
    )
  ],
  files: {
    ...filesOf(packages.flatMap(docstringExamples)),
    ...Object.fromEntries(uses.map((use) => [use, readFileSync(new URL(`uses/${use}`, import.meta.url), "utf8")])),
    "bun.d.ts": BUN,
    [START]: started(examplesIn(join(root, "README.md"))[0]),
    "README.ts": [GIVEN, ...examplesIn(join(root, "README.md")).map(({ code }) => code)].join("\n"),
    ...Object.fromEntries(guides.flatMap((guide) => programsOf(guide.replaceAll("/", "-"), join(root, "docs", guide))))
  }
})

/** The program that is the README's first. */
export const START = "README.start.ts"

/** It as it is pasted, on a port that is free and with carriers on this machine, and its end. */
const started = (example: Example | undefined): string =>
  `${example?.code.replace("listen(8080)", "listen(0)").replaceAll(/(?:trunk|smsc)\.example\.com/g, "127.0.0.1")}
await service.dispose()
process.exit()
`

/** The packages of others that examples import. */
const foreignOf = (examples: ReadonlyArray<Example>): ReadonlyArray<string> =>
  examples
    .flatMap(({ code }) => importsOf(code).flatMap(({ specifier }) => packageOf(specifier) ?? []))
    .filter((name) => !packages.some((pkg) => pkg.name === name))

/** What the declarations of better-auth import and only Bun has. */
const BUN = `declare module "bun:sqlite" {
  export class Database {}
}
`

/** The guides, whose examples continue from one another as well. */
const guides = globSync("**/*.md", { cwd: join(root, "docs") }).sort()

/** The programs of a page: its examples in one, and each that repeats an import of an earlier example in its own. */
const programsOf = (name: string, path: string): ReadonlyArray<readonly [file: string, code: string]> => {
  const together: Array<string> = []
  const apart: Array<string> = []
  const imported = new Set<string>()
  for (const { code } of examplesIn(path)) {
    const bindings = bindingsOf(code)
    ;(bindings.some((binding) => imported.has(binding)) ? apart : together).push(code)
    for (const binding of bindings) imported.add(binding)
  }
  const programs = [together.join("\n"), ...apart]
  return programs.map((code, index) => [`${name}${index === 0 ? "" : `.${index}`}.ts`, `${code}\nexport {}\n`])
}

/** What a program imports by name: `parse` of `import { type E164, parse as read } from "…"` is `read`. */
const bindingsOf = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^import \{([^}]*)\} from /gm)].flatMap(([, names = ""]) =>
    names.split(",").flatMap((name) => name.trim().split(/\s+/).at(-1) ?? [])
  )

/** The variables that the main README's examples, which continue one another, assume. */
const GIVEN = `
declare const accountId: string
declare const accessToken: string
declare const request: Request
declare const rawBody: Uint8Array
`

/** The name of an example's file in its project. */
export const fileOf = ({ name }: Example): string => `${name.replaceAll(/\W+/g, "-")}.ts`

const filesOf = (examples: ReadonlyArray<Example>): Project["files"] =>
  Object.fromEntries(examples.map((example) => [fileOf(example), `${example.code}\nexport {}\n`]))

/** The types of packages that have none of their own. */
const typesOf = (names: ReadonlyArray<string>, { manifest: { dependencies = {} } }: Package): ReadonlyArray<string> =>
  names.map((name) => `@types/${name}`).filter((name) => name in dependencies)

/** The dependencies that no bundler takes in: an app with a bundle installs them itself. */
const nativeOf = ({ manifest: { dependencies = {} } }: Package): ReadonlyArray<string> =>
  ["better-sqlite3"].filter((name) => name in dependencies)

const neededPeers = (pkg: Package): Project["others"] => {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = pkg.manifest
  return Object.keys(peerDependencies)
    .filter((name) => peerDependenciesMeta[name]?.optional !== true)
    .map((name) => [name, pkg])
}

/** A module that imports others; `sizes` says of each how many things it exports. */
const loading = (modules: ReadonlyArray<string>): string =>
  [
    ...modules.map((name, index) => `import * as module${index} from ${JSON.stringify(name)}`),
    `export const sizes: Readonly<Record<string, number>> = {`,
    modules.map((name, index) => `  ${JSON.stringify(name)}: Object.keys(module${index}).length`).join(",\n"),
    `}`,
    ``
  ].join("\n")
