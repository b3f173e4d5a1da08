// Installs the lockfile unless it is already installed: all of it, or with the argument `start` only the quarter that
// the server and the operator's command need. Runs before `npm start` and `npm test` on the machine's own Node, and
// installs the Node that the project runs on: the dependency `node`. pnpm's `devEngines.runtime` would do the same from
// nodejs.org, which is unreachable from networks that mirror only npm.
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

/** pnpm's copy of the lockfile that is installed. */
const INSTALLED = "node_modules/.pnpm/lock.yaml"
/** The lockfile of a partial installation for a start, as long as nothing more is installed. */
const STARTS = "node_modules/.starts.yaml"
const PART = ["--prod", "--filter=.", "--filter=@watchword/standalone-example..."]

const wanted = read("pnpm-lock.yaml")
const starts = read(STARTS)
// If everything is installed, installing a part would remove the rest.
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
