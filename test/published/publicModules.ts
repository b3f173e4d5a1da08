/**
 * The modules that users reach through `exports` of all packages, and what each of them has to have.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { type Manifest, root, targetsOf } from "./packages.ts"

/** A file, with its path from the root. */
export interface Text {
  readonly path: string
  readonly text: string
}

export interface PublicModule extends Text {
  readonly specifier: string
  /** The folder of its package. */
  readonly folder: string
}

const textAt = (path: string): Text => ({ path, text: readFileSync(join(root, path), "utf8") })

const texts = (patterns: ReadonlyArray<string>): ReadonlyArray<Text> =>
  globSync([...patterns], { cwd: root, exclude: (name) => /^(node_modules|dist|build)$/.test(name) })
    .sort()
    .map(textAt)

/** Of packages that are bundles, too. Wildcards are expanded; a file that has two names counts once. */
export const publicModules: ReadonlyArray<PublicModule> = globSync("{packages,adapters}/*/package.json", { cwd: root })
  .sort()
  .flatMap((path) => {
    const folder = dirname(path)
    const { exports = {}, name }: Manifest = JSON.parse(readFileSync(join(root, path), "utf8"))
    const files = Object.entries(exports).flatMap(([subpath, source]) =>
      targetsOf({ [subpath]: source }).flatMap((target) =>
        globSync(target, { cwd: join(root, folder) }).map((file) => ({
          ...textAt(join(folder, file)),
          specifier: `${name}${subpath.slice(1)}`,
          folder
        }))
      )
    )
    return [...new Map(files.map((file) => [normalize(file.path), file])).values()]
  })

/** What users read. */
export const pages: ReadonlyArray<Text> = texts([
  "*.md",
  "docs/**/*.md",
  "packages/README.md",
  "{packages,adapters,examples}/*/README.md"
])

/** What imports packages: their sources and tests, and the examples. */
export const code: ReadonlyArray<Text> = texts([
  "{packages,adapters,examples}/*/{src,test,test-peers}/**/*.{ts,tsx,mts}",
  "test/**/*.ts"
])

/** The sources of the packages. */
export const sources: ReadonlyArray<Text> = code.filter(({ path }) => /^(packages|adapters)\/[^/]+\/src\//.test(path))

/** Modules without a docstring at the top, which says what each is for. */
export const withoutDocstring = (modules: ReadonlyArray<PublicModule>): ReadonlyArray<string> =>
  modules.filter(({ text }) => !/^\/\*\*\n \* \S/.test(text)).map(({ specifier }) => specifier)

/**
 * Modules that no page names. A README has names of its own package as `…/Name` too.
 */
export const onNoPage = (
  modules: ReadonlyArray<PublicModule>,
  pages: ReadonlyArray<Text>,
  examples: ReadonlyArray<Text>
): ReadonlyArray<string> =>
  modules
    .filter(({ folder, specifier }) => {
      const shown = [`\`${specifier}\``, `"${specifier}"`]
      const short = `\`…/${specifier
        .split("/")
        .slice(specifier.startsWith("@") ? 2 : 1)
        .join("/")}\``
      return (
        !pages.some(
          ({ path, text }) =>
            shown.some((each) => text.includes(each)) || (path === `${folder}/README.md` && text.includes(short))
        ) && !examples.some(({ text }) => text.includes(`"${specifier}"`))
      )
    })
    .map(({ specifier }) => specifier)

/** Where a line that is no comment imports, resolves or re-exports a module. */
const IMPORT = /^(?! *(?:\*|\/\/)).*(?:\bfrom |\bimport |\bimport\(|\bresolve\()"([^"\n]+)"/gm

/** Modules that nothing imports but their own package: code, and examples of pages elsewhere. */
export const importedByNone = (
  modules: ReadonlyArray<PublicModule>,
  code: ReadonlyArray<Text>,
  pages: ReadonlyArray<Text>
): ReadonlyArray<string> => {
  const importers = new Map<string, Set<string>>()
  for (const { path, text } of [...code, ...pages]) {
    for (const [, specifier = ""] of text.matchAll(IMPORT)) {
      importers.set(specifier, (importers.get(specifier) ?? new Set()).add(path))
    }
  }
  return modules
    .filter(({ folder, specifier }) => {
      const paths = [...(importers.get(specifier) ?? [])]
      return paths.every((path) => path.startsWith(`${folder}/`))
    })
    .map(({ specifier }) => specifier)
}

/** Sources that export all of another module, or a module of another folder as a whole. */
export const wholesale = (sources: ReadonlyArray<Text>): ReadonlyArray<string> =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:type )?\*( as \w+)? from "([^"]+)"/gm)]
      .filter(([, name, from = ""]) => name === undefined || !/^\.\/[^/]+$/.test(from))
      .map(([line]) => `${path}: ${line}`)
  )
