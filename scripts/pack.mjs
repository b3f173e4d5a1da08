// Packs every package into a folder from which npm can install them without a registry: `npm run pack -- DIR`. In
// these tarballs each dependency on another of our packages is the path of its tarball, so an app names only the
// packages that it uses. Do not move the folder, and after a change pack into a new one: lockfiles of apps record the
// contents of this one.
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { PACKED } from "./published.mjs"

const PUBLISHED = ["--filter=./packages/*", "--filter=./adapters/*", "--filter=!@watchword/dev"]

const [, , name] = process.argv
if (name === undefined) {
  console.error("Name the folder of the tarballs: npm run pack -- ../tarballs")
  process.exit(1)
}

const root = join(import.meta.dirname, "..")
// npm runs scripts in the root of the workspace, not in the caller's folder.
const folder = resolve(process.env["INIT_CWD"] ?? process.cwd(), name)
mkdirSync(folder, { recursive: true })

const { status } = spawnSync(
  process.execPath,
  ["scripts/pnpm.mjs", "-r", ...PUBLISHED, "--loglevel=error", "pack", "--out", join(folder, "%s.tgz")],
  { cwd: root, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, [PACKED]: folder } }
)
if (status !== 0) process.exit(1)
const at = (file) => join(folder, `${file}.tgz`)
console.log(`${readdirSync(folder).length} tarballs are in ${folder}. In the folder of an app, for example with Express and SQLite:

  npm install ${[at("watchword"), at("watchword-express"), at("watchword-store-sqlite")].join(" ")} express

The server, without an app:

  npx file:${at("watchword-standalone")}`)
