/**
 * Projects that have installed packages from their tarballs. They are members of one pnpm workspace, because that
 * needs only one installation; each project and each package sees only its own dependencies.
 *
 * Third-party packages are linked to the workspace's copies, so that nothing is downloaded.
 */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Manifest, type Package, installed, packages } from "./packages.ts"
import { pnpm } from "./tarballs.ts"

export interface Project {
  /** The project's folder, relative to the folder of all projects. */
  readonly path: string
  /** Packages of this workspace. */
  readonly ours: ReadonlyArray<string>
  /** Third-party packages, each with the package whose installed copy is used. */
  readonly others: ReadonlyArray<readonly [name: string, user: Package | null]>
  /** TypeScript files, by name. */
  readonly files: Readonly<Record<string, string>>
  /** Further fields of its package.json; by default only a name. */
  readonly manifest?: Pick<Manifest, "name" | "exports" | "dependencies">
}

export const install = async (
  folder: string,
  projects: ReadonlyArray<Project>,
  tarballs: ReadonlyMap<string, string>
): Promise<void> => {
  const spec = (name: string) => `file:${tarballs.get(name)}`
  const link = (name: string, user: Package | null) => `link:${realpathSync(installed(user, name))}`
  mkdirSync(folder, { recursive: true })
  const types = { "@types/node": link("@types/node", null) }
  write(join(folder, "package.json"), json({ name: "consumers", private: true, type: "module", dependencies: types }))
  write(
    join(folder, "pnpm-workspace.yaml"),
    json({
      packages: projects.map(({ path }) => path),
      hoist: false,
      autoInstallPeers: false,
      overrides: {
        ...Object.fromEntries(packages.map(({ name }) => [name, spec(name)])),
        ...Object.fromEntries(packages.flatMap((user) => foreign(user).map((name) => [name, link(name, user)])))
      }
    })
  )
  for (const { path, files, manifest = { name: nameOf(path) }, others, ours } of projects) {
    const dependencies = Object.fromEntries([
      ...Object.entries(manifest.dependencies ?? {}),
      ...ours.map((name) => [name, spec(name)]),
      ...others.map(([name, user]) => [name, link(name, user)])
    ])
    mkdirSync(join(folder, path), { recursive: true })
    write(join(folder, path, "package.json"), json({ ...manifest, private: true, type: "module", dependencies }))
    for (const [file, code] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path, file)), { recursive: true })
      write(join(folder, path, file), code)
    }
  }
  await pnpm(["install", "--offline", "--loglevel=error"], folder)
}

const nameOf = (path: string): string => path.replaceAll("/", "-")

/** The third-party packages that a package depends on. */
const foreign = ({ manifest: { dependencies = {} } }: Package): ReadonlyArray<string> =>
  Object.keys(dependencies).filter((name) => !packages.some((pkg) => pkg.name === name))

const write = (path: string, text: string): void => writeFileSync(path, text)

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
