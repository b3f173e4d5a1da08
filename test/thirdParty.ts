/**
 * Software of others that an installation of the published packages brings along.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"
import { type Package, packages } from "./published/packages.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface ThirdParty {
  readonly name: string
  readonly license: string
  /** Whether package managers run or offer to run a script of it when it is installed. */
  readonly hasInstallScript: boolean
}

/** Dependencies of all packages and their dependencies, by name, Effect among them. */
export const thirdParties = (): ReadonlyArray<ThirdParty> => {
  const found = new Map<string, ThirdParty>()
  const visited = new Set<string>()
  const visit = (name: string, from: string): void => {
    const path = manifestOf(name, from)
    if (path === undefined || visited.has(path)) return
    visited.add(path)
    const manifest: Manifest = JSON.parse(readFileSync(path, "utf8"))
    found.set(manifest.name, {
      name: manifest.name,
      license: manifest.license ?? "none",
      hasInstallScript: hasInstallScript(manifest, dirname(path))
    })
    for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      visit(dependency, path)
    }
  }
  for (const each of packages) {
    for (const name of ofOthers(each)) visit(name, join(each.folder, "package.json"))
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

// Peers other than Effect are frameworks that a program has before it mounts the service in them.
const ofOthers = ({ manifest }: Package): ReadonlyArray<string> =>
  ["effect", ...Object.keys(manifest.dependencies ?? {})].filter((name) => !/^(?:@watchword\/|watchword$)/.test(name))

// npm offers to build each package with a binding.gyp, scripts or not.
const hasInstallScript = ({ scripts = {} }: Manifest, folder: string): boolean =>
  ["preinstall", "install", "postinstall"].some((script) => scripts[script] !== undefined) ||
  existsSync(join(folder, "binding.gyp"))

// Optional dependencies, some of them for other platforms, need not be installed; links lead to where others are.
const manifestOf = (name: string, from: string): string | undefined => {
  try {
    const path = findPackageJSON(name, from)
    return path === undefined ? undefined : realpathSync(path)
  } catch {
    return undefined
  }
}
