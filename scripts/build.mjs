// Builds every package into its dist: modules, declarations, and maps of both. Only changes are
// built; output whose source is gone is removed, so that it is not published.
import { spawnSync } from "node:child_process"
import { existsSync, globSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

const cwd = fileURLToPath(new URL("..", import.meta.url))
const projects = globSync("{packages,adapters}/*/tsconfig.json", { cwd })

for (const output of globSync("{packages,adapters}/*/dist/**/*.{js,ts,map}", { cwd })) {
  if (output.includes("/dist/bundle/")) continue
  const source = output.replace("/dist/", "/src/").replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts")
  if (!existsSync(`${cwd}/${source}`)) rmSync(`${cwd}/${output}`)
}
process.exitCode = spawnSync(`${cwd}/node_modules/.bin/tsc`, ["-b", ...projects], { cwd, stdio: "inherit" }).status ?? 1
