// Writes the package.json of each tarball. In the workspace a package.json has only the package's own fields, and
// exports sources, which Node runs as they are. pnpm calls the hook below for `pnpm pack` and `pnpm publish`, and puts
// its result into the tarball: the same exports and imports built, and the fields that all packages share.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const REPOSITORY = "https://github.com/watchword-otp/watchword"
const KEYWORDS = ["watchword", "otp", "one-time-passcode"]

/** Sources go along, for the maps: an editor's "go to definition" and a stack trace end in commented TypeScript. */
const MODULES = ["dist/**/*.js", "dist/**/*.d.ts", "dist/**/*.map", "src/**/*.ts"]

/** What no bundle takes in: the driver finds its native part relative to its own file. */
export const EXTERNAL = ["better-sqlite3"]

/** The variable that names the folder whose tarballs depend on one another by their paths. */
export const PACKED = "WATCHWORD_PACKED"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const hooks = {
  beforePacking: (manifest, folder) => (manifest.private === true ? manifest : published(manifest, folder))
}

/** The package.json of the tarball, for that of a folder in the workspace. */
const published = (manifest, folder) => {
  const { license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const directory = relative(root, folder)
  const { name, version, description, type, bin, dependencies, peerDependencies, peerDependenciesMeta } = manifest
  return {
    name,
    version,
    description,
    keywords: [...KEYWORDS, ...(manifest.keywords ?? [])],
    license,
    homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: "git", url: `git+${REPOSITORY}.git`, directory },
    files: [...(isProgram(manifest) ? [] : MODULES), ...(manifest.files ?? [])],
    type,
    bin,
    sideEffects: Array.isArray(manifest.sideEffects) ? manifest.sideEffects.map(built("js")) : manifest.sideEffects,
    exports: {
      ...(isProgram(manifest) ? bundlesOf(manifest.exports) : targetsOf(manifest.exports ?? {}, folder)),
      "./package.json": "./package.json"
    },
    imports: manifest.imports && targetsOf(manifest.imports, folder),
    dependencies: isProgram(manifest) ? external(dependencies) : within(process.env[PACKED], dependencies),
    peerDependencies,
    peerDependenciesMeta,
    engines,
    publishConfig: { access: "public", provenance: true }
  }
}

/** A package with a command is a bundle of its programs. */
const isProgram = ({ bin }) => bin !== undefined

/** A program by its name: the file that starts it. */
const bundlesOf = (programs) =>
  Object.fromEntries(
    Object.keys(programs).map((subpath) => {
      const name = subpath.slice("./".length)
      return [subpath, `./dist/bundle/${name}/${name}.js`]
    })
  )

const external = (dependencies) => Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]]))

/** Dependencies of ours as tarballs of a folder, where one is given. */
const within = (folder, dependencies = {}) =>
  folder === undefined
    ? dependencies
    : Object.fromEntries(
        Object.entries(dependencies).map(([name, version]) => [
          name,
          /^(?:@watchword\/|watchword$)/.test(name)
            ? `file:${join(folder, `${name.replace("@", "").replace("/", "-")}.tgz`)}`
            : version
        ])
      )

/** Each source built, with its types; sources may be one for each of several conditions. */
const targetsOf = (sources, folder) =>
  Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [
      name,
      typeof source === "string" ? targetOf(source, folder) : targetsOf(source, folder)
    ])
  )

const targetOf = (source, folder) => {
  const target = { types: built("d.ts")(source), default: built("js")(source) }
  for (const file of Object.values(target)) {
    if (!existsSync(join(folder, file))) {
      throw new Error(`${join(folder, file)} is missing. Build before you pack: npm run build`)
    }
  }
  return target
}

/** `./src/A.ts` → `./dist/A.js` */
const built = (extension) => (source) => {
  const path = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1]
  if (path === undefined) throw new Error(`package.json names ${source}, where only ./src/….ts is published`)
  return `./dist/${path}.${extension}`
}
