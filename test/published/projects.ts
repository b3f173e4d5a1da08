/**
 * The projects in which packages are tested.
 */
import { globSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "./consumers.ts"
import { type Example, docstringExamples, examplesIn, readmeExamples, toInstall } from "./examples.ts"
import { importsOf } from "./imports.ts"
import { type Package, modulesOf, packageOf, packages, root, userOf } from "./packages.ts"

/** A single package, with all of its peers. `use.ts` loads all of its public modules. */
export const alone = (pkg: Package): Project => ({
  path: `alone/${pkg.short}`,
  ours: [pkg.name],
  others: Object.keys(pkg.manifest.peerDependencies ?? {}).map((name) => [name, pkg]),
  files: { "use.ts": loading(modulesOf(pkg)) }
})

/** A single package, without its optional peers. `use.ts` loads its main module. */
export const bare = (pkg: Package): Project => ({
  path: `bare/${pkg.short}`,
  ours: [pkg.name],
  others: neededPeers(pkg),
  files: { "use.ts": loading([pkg.name]) }
})

/** The packages that a README says to install, and the examples of that README. */
export const asItsReadmeSays = (pkg: Package): Project => {
  const wanted = toInstall(pkg)
  const ours = packages.filter(({ name }) => wanted.includes(name))
  const others = wanted.filter((name) => !ours.some((pkg) => pkg.name === name))
  const examples = readmeExamples(pkg)
  // npm also puts the single copy of effect where an app finds it.
  const hoisted = foreignOf(examples).filter((name) => name === "effect" && !others.includes(name))
  return {
    path: `readme/${pkg.short}`,
    ours: ours.map(({ name }) => name),
    others: [...[...others, ...new Set(hoisted)].map((name) => [name, pkg] as const), ...ours.flatMap(neededPeers)],
    files: filesOf(examples)
  }
}

/** Programs for features that no example shows; each throws if something is wrong. */
export const uses: ReadonlyArray<string> = readdirSync(new URL("uses", import.meta.url))

/** All packages, the examples of all docstrings, and the programs of `uses`. */
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

/** The file of the README's first program. */
export const START = "README.start.ts"

/** The example as pasted, but on a free port and with carriers on this machine; it exits at the end. */
const started = (example: Example | undefined): string =>
  `${example?.code.replace("listen(8080)", "listen(0)").replaceAll(/(?:trunk|smsc)\.example\.com/g, "127.0.0.1")}
await service.dispose()
process.exit()
`

/** The third-party packages that examples import. */
const foreignOf = (examples: ReadonlyArray<Example>): ReadonlyArray<string> =>
  examples
    .flatMap(({ code }) => importsOf(code).flatMap(({ specifier }) => packageOf(specifier) ?? []))
    .filter((name) => !packages.some((pkg) => pkg.name === name))

/** A module that the declarations of better-auth import and that exists only in Bun. */
const BUN = `declare module "bun:sqlite" {
  export class Database {}
}
`

/** The guides, whose examples also continue from one another. */
const guides = globSync("**/*.md", { cwd: join(root, "docs") }).sort()

/** A page's programs: one of its examples together, and one for each that repeats an import of an earlier example. */
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

/** The names that a program imports: `parse` of `import { type E164, parse as read } from "…"` is `read`. */
const bindingsOf = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^import \{([^}]*)\} from /gm)].flatMap(([, names = ""]) =>
    names.split(",").flatMap((name) => name.trim().split(/\s+/).at(-1) ?? [])
  )

/** The variables assumed by the main README's examples, which continue from one another. */
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

/** The type packages of dependencies that come without types. */
const typesOf = (names: ReadonlyArray<string>, { manifest: { dependencies = {} } }: Package): ReadonlyArray<string> =>
  names.map((name) => `@types/${name}`).filter((name) => name in dependencies)

/** The dependencies that cannot be bundled: an app with a bundle installs them itself. */
const nativeOf = ({ manifest: { dependencies = {} } }: Package): ReadonlyArray<string> =>
  ["better-sqlite3"].filter((name) => name in dependencies)

const neededPeers = (pkg: Package): Project["others"] => {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = pkg.manifest
  return Object.keys(peerDependencies)
    .filter((name) => peerDependenciesMeta[name]?.optional !== true)
    .map((name) => [name, pkg])
}

/** A module that imports others; `sizes` has the number of exports of each. */
const loading = (modules: ReadonlyArray<string>): string =>
  [
    ...modules.map((name, index) => `import * as module${index} from ${JSON.stringify(name)}`),
    `export const sizes: Readonly<Record<string, number>> = {`,
    modules.map((name, index) => `  ${JSON.stringify(name)}: Object.keys(module${index}).length`).join(",\n"),
    `}`,
    ``
  ].join("\n")
