/**
 * Requirements for a package to be published, and to be found and understood once it is.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { type Example, docstringExamples, readmeExamples, toInstall } from "./examples.ts"
import { importsOf } from "./imports.ts"
import { type Package, packageOf, packages, root, sourcesOf, targetsOf } from "./packages.ts"

/** The requirements that a package does not meet, each with its remedy. */
export const lacks = (pkg: Package): ReadonlyArray<string> => [
  ...workspace(pkg),
  ...manifest(pkg),
  ...exported(pkg),
  ...dependencies(pkg),
  ...sideEffects(pkg),
  ...docstrings(pkg),
  ...readme(pkg)
]

const workspace = ({ folder, name }: Package): ReadonlyArray<string> => [
  ...unless(read("README.md").includes(`\`${name}\``), "a row in the main README"),
  ...["tsconfig.json", "tsconfig.test.json"].flatMap((file) =>
    unless(read(file).includes(`"${relative(root, folder)}"`), `${file}: a reference to ${relative(root, folder)}`)
  )
]

const manifest = ({ manifest }: Package): ReadonlyArray<string> => [
  ...unless(manifest.description !== undefined, `package.json: "description", one sentence`),
  ...unless((manifest.keywords ?? []).length > 0, `package.json: "keywords", what people search for`),
  ...unless(manifest.type === "module", `package.json: "type": "module"`),
  ...unless(manifest.sideEffects !== undefined, `package.json: "sideEffects": false, unless it has some`)
]

const exported = ({ folder, manifest: { exports, imports } }: Package): ReadonlyArray<string> => [
  ...unless(exports !== undefined, `package.json: "exports", each ./src/….ts`),
  ...Object.entries(exports ?? {}).flatMap(([subpath, source]) => [
    ...unless(!subpath.includes("*"), `package.json: exports["${subpath}"] must name one module`),
    ...unless(
      !source.includes("/internal/"),
      `package.json: exports["${subpath}"] is public, so its source has a place outside of src/internal`
    ),
    ...unless(hasHeader(join(folder, source)), `${source}: a docstring at the top, because it is exported`)
  ]),
  ...Object.entries(exports ?? {}).flatMap(([subpath, source]) =>
    unless(
      isSource(folder, source),
      `package.json: exports["${subpath}"] must be a source, ./src/….ts; what is published follows from it`
    )
  ),
  ...surplus(folder, Object.entries(exports ?? {})),
  ...targetsOf(imports).flatMap((source) =>
    unless(
      isSource(folder, source),
      `package.json: "imports" names ${source}, which must be a source, ./src/….ts; what is published follows from it`
    )
  )
]

/** Documents and examples for users that import an internal module. */
export const strayImports = (): ReadonlyArray<string> =>
  globSync(["*.md", "docs/**/*.md", "{packages,adapters,examples}/*/README.md", "examples/*/src/**/*.ts"], {
    cwd: root
  }).filter((path) => /(@watchword\/[a-z0-9-]+|"watchword)\/internal\//.test(read(path)))

/** In a package without a main entry, each module directly in `src` is exported; other modules are in folders. */
const surplus = (folder: string, exports: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  if (exports.some(([subpath]) => subpath === ".")) return []
  const named = new Set(exports.map(([, source]) => source))
  return globSync("src/*.ts", { cwd: folder })
    .map((path) => `./${path}`)
    .filter((path) => !named.has(path))
    .map((path) => `${path}: an entry in exports of package.json, or a place in a folder`)
}

const isSource = (folder: string, path: string): boolean =>
  /^\.\/src\/.+\.ts$/.test(path) && existsSync(join(folder, path))

const hasHeader = (path: string): boolean => existsSync(path) && readFileSync(path, "utf8").startsWith("/**\n")

/** Imports and declared dependencies must agree. */
const dependencies = (pkg: Package): ReadonlyArray<string> => {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = pkg.manifest
  const imported = new Set(
    sources(pkg).flatMap(({ code }) => importsOf(code).flatMap(({ specifier }) => packageOf(specifier) ?? []))
  )
  imported.delete(pkg.name)
  const ours = new Set(packages.map(({ name }) => name))
  return [
    ...[...imported].sort().flatMap((name) => {
      if (PEERS.has(name)) {
        return unless(
          peerDependencies[name] === "catalog:peers" && dependencies[name] === undefined,
          `package.json: peerDependencies["${name}"]: "catalog:peers", because src imports it`
        )
      }
      const range = ours.has(name) ? "workspace:*" : SHARED.has(name) ? "catalog:published" : "catalog:"
      return unless(
        dependencies[name] === range || name in peerDependencies,
        `package.json: dependencies["${name}"]: "${range}", because src imports it`
      )
    }),
    ...Object.keys(dependencies).flatMap((name) =>
      unless(
        imported.has(name.replace(/^@types\//, "")),
        `package.json: no dependencies["${name}"], which src does not import`
      )
    ),
    ...TEST_TOOLS.filter((name) => imported.has(name)).flatMap((name) =>
      unless(
        peerDependenciesMeta[name]?.optional === true,
        `package.json: peerDependenciesMeta["${name}"]: { "optional": true }, because only tests need it`
      )
    )
  ]
}

/** The packages that import a dependency at run time and declare it. */
export const runBy = (dependency: string, among: ReadonlyArray<Package> = packages): ReadonlyArray<string> =>
  among
    .filter((pkg) => dependency in { ...pkg.manifest.dependencies, ...pkg.manifest.peerDependencies })
    .filter((pkg) => sources(pkg).some(({ code }) => valuesOf(code).some((each) => packageOf(each) === dependency)))
    .map(({ name }) => name)

/** The modules that a module imports at run time, not only for their types. */
const valuesOf = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^import (?!type )[^"]*"([^"]+)"/gm)].map(([, specifier = ""]) => specifier)

const TEST_TOOLS = ["vitest", "fast-check"]

/** An app must have only one copy of these, which it installs itself. */
const PEERS = new Set(TEST_TOOLS)

/** An app also has only one copy of these, on which all of our packages depend. */
const SHARED = new Set(["effect"])

/** Bundlers drop a module that is imported for its side effects, unless these are declared. */
const sideEffects = (pkg: Package): ReadonlyArray<string> => {
  const declared = Array.isArray(pkg.manifest.sideEffects) ? pkg.manifest.sideEffects : []
  return sources(pkg)
    .filter(({ code }) => importsOf(code).some(({ isBare }) => isBare))
    .flatMap(({ path }) => unless(declared.includes(path), `package.json: "sideEffects": ["${path}"], which has some`))
}

/** An example that the tests do not find is not tested. */
const docstrings = (pkg: Package): ReadonlyArray<string> => {
  const marks = sources(pkg).flatMap(({ code }) => code.match(/^ *\* @example/gm) ?? [])
  return unless(
    marks.length === docstringExamples(pkg).length,
    "src: each @example of a docstring at the top level, followed by one block ```ts, whose lines begin with an asterisk"
  )
}

const readme = (pkg: Package): ReadonlyArray<string> => {
  const path = join(pkg.folder, "README.md")
  if (!existsSync(path)) return [`README.md: what for, "npm install …", an example that runs, what it exports`]
  const text = readFileSync(path, "utf8")
  const lines = text.trimEnd().split("\n").length
  const shown = (examples: ReadonlyArray<Example>) =>
    new Set(examples.flatMap(({ code }) => importsOf(code).map(({ specifier }) => specifier)))
  const inReadme = shown(readmeExamples(pkg))
  const named = Object.keys(pkg.manifest.exports ?? {}).filter((subpath) => subpath !== ".")
  return [
    ...unless(text.startsWith(`# ${pkg.name}\n`), `README.md: begins with "# ${pkg.name}"`),
    ...unless(lines >= 10 && lines <= 40, `README.md: 10 to 40 lines, but has ${lines}`),
    ...unless(toInstall(pkg).includes(pkg.name), `README.md: a line "npm install ${pkg.name} …"`),
    ...unless(
      [...inReadme].some((specifier) => packageOf(specifier) === pkg.name),
      "README.md: an example that imports it, in a block ```ts"
    ),
    ...named.flatMap((subpath) =>
      unless(
        text.includes(`${pkg.name}${subpath.slice(1)}\``) || text.includes(`…${subpath.slice(1)}\``),
        `README.md: what ${pkg.name}${subpath.slice(1)} is for`
      )
    )
  ]
}

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const sources = (pkg: Package): ReadonlyArray<{ readonly path: string; readonly code: string }> =>
  sourcesOf(pkg).map((source) => ({
    path: `./src/${source}`,
    code: readFileSync(join(pkg.folder, "src", source), "utf8")
  }))

const unless = (holds: boolean, otherwise: string): ReadonlyArray<string> => (holds ? [] : [otherwise])
