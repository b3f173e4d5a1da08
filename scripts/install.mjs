// Installs what the lockfile says, unless it is installed already. Runs before `npm start` and `npm test`
// on whatever Node the machine has; what it installs includes the Node that the project runs on.
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
  process.stderr.write("Installing what the lockfile says…\n")
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
