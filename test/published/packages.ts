/**
 * The published packages, as they are in the workspace.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the workspace. */
export const root = fileURLToPath(new URL("../..", import.meta.url))

/** The fields of a package.json that tests read. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly description?: string
  readonly keywords?: ReadonlyArray<string>
  readonly type?: string
  readonly bin?: Readonly<Record<string, string>>
  readonly sideEffects?: boolean | ReadonlyArray<string>
  /** Folders published in addition to sources and their builds. */
  readonly files?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, string>>
  readonly imports?: Imports
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Names beginning with `#` that a package imports from itself: each leads to a source, or to one per condition. */
export interface Imports {
  readonly [nameOrCondition: string]: string | Imports
}

export interface Package {
  readonly name: string
  /** Absolute. */
  readonly folder: string
  /** The folder's own name, which is unique among the packages. */
  readonly short: string
  readonly manifest: Manifest
}

/**
 * Every package in `packages` and `adapters` that is not private, by name. The standalone server is not included,
 * because it is a bundle.
 */
export const packages: ReadonlyArray<Package> = globSync("{packages,adapters}/*/package.json", { cwd: root })
  .map((path) => {
    const folder = dirname(join(root, path))
    const manifest: Manifest = JSON.parse(readFileSync(join(root, path), "utf8"))
    return { name: manifest.name, folder, short: basename(folder), manifest }
  })
  .filter(({ manifest }) => manifest.private !== true && manifest.bin === undefined)
  .sort((a, b) => a.name.localeCompare(b.name))

/** The sources of a package, relative to its `src`, without declarations of foreign modules. */
export const sourcesOf = ({ folder }: Package): ReadonlyArray<string> =>
  globSync("**/*.ts", { cwd: join(folder, "src") })
    .filter((source) => !source.endsWith(".d.ts"))
    .sort()

/** The specifiers of a package's public modules. */
export const modulesOf = ({ manifest, name }: Package): ReadonlyArray<string> =>
  Object.keys(manifest.exports ?? {}).map((subpath) => `${name}${subpath.slice(1)}`)

/** The files that such imports lead to. */
export const targetsOf = (imports: Imports | undefined): ReadonlyArray<string> =>
  Object.values(imports ?? {}).flatMap((target) => (typeof target === "string" ? target : targetsOf(target)))

/** The package that an import names; null for a relative path, an own `#` import or a Node module. */
export const packageOf = (specifier: string): string | null =>
  /^(\.|#|node:)/.test(specifier) ? null : specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

/** A workspace package in which a third-party package is installed; null for the workspace itself. */
export const userOf = (name: string): Package | null | undefined =>
  [null, ...packages].find((user) => existsSync(join(user?.folder ?? root, "node_modules", name)))

/** The folder where a third-party package is installed for a package of the workspace, or for the workspace. */
export const installed = (pkg: Package | null, name: string): string => {
  const places = [...(pkg === null ? [] : [pkg.folder]), root].map((folder) => join(folder, "node_modules", name))
  const place = places.find((folder) => existsSync(folder))
  if (place === undefined) throw new Error(`${name} is not installed in ${places.join(" or ")}`)
  return place
}
