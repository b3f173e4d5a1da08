// Installs the lockfile, unless it is installed already. Runs before `npm start` and `npm test` on the Node of the machine,
// and installs the Node that the project runs on: the devDependency `node`. pnpm's `devEngines.runtime` would do the same
// from nodejs.org, which networks that mirror only npm do not reach.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path) => {
  try {
    return readFileSync(`${root}/${path}`, "utf8")
  } catch {
    return undefined
  }
}

// pnpm keeps a copy of the lockfile that it installed from.
const wanted = read("pnpm-lock.yaml")
if (wanted === undefined || wanted !== read("node_modules/.pnpm/lock.yaml")) {
  process.stderr.write("Installing the lockfile…\n")
  const { status } = spawnSync(
    process.execPath,
    ["scripts/pnpm.mjs", "install", "--frozen-lockfile", "--loglevel=error"],
    {
      cwd: root,
      stdio: ["ignore", 2, 2],
      env: { ...process.env, CI: "true" }
    }
  )
  process.exitCode = status ?? 1
}
