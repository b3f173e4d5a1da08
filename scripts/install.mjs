// Installs the lockfile, unless it is installed already: all of it, or with the argument `start` what the server and
// the operator's command need, a quarter of it. Runs before `npm start` and `npm test` on the Node of the machine, and
// installs the Node that the project runs on: the dependency `node`. pnpm's `devEngines.runtime` would do the same from
// nodejs.org, which networks that mirror only npm do not reach.
import { spawnSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path) => {
  try {
    return readFileSync(`${root}/${path}`, "utf8")
  } catch {
    return undefined
  }
}

/** The copy of the lockfile that pnpm keeps of what is installed. */
const INSTALLED = "node_modules/.pnpm/lock.yaml"
/** The lockfile that the part for a start was installed from, while no more than that is there. */
const STARTS = "node_modules/.starts.yaml"
const PART = ["--prod", "--filter=.", "--filter=@watchword/standalone-example..."]

const wanted = read("pnpm-lock.yaml")
const starts = read(STARTS)
// Where all of it is installed, a part would take the rest away.
const isPart = process.argv[2] === "start" && (starts !== undefined || read(INSTALLED) === undefined)
const isInstalled = wanted !== undefined && wanted === (isPart ? starts : read(INSTALLED))

if (!isInstalled) {
  process.stderr.write("Installing the lockfile…\n")
  rmSync(`${root}/${STARTS}`, { force: true })
  const { status } = spawnSync(
    process.execPath,
    ["scripts/pnpm.mjs", "install", "--frozen-lockfile", "--loglevel=error", ...(isPart ? PART : [])],
    {
      cwd: root,
      stdio: ["ignore", 2, 2],
      env: { ...process.env, CI: "true" }
    }
  )
  if (isPart && status === 0) writeFileSync(`${root}/${STARTS}`, wanted)
  process.exitCode = status ?? 1
}
