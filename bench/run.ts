/**
 * Runs the measurements beside this file, one after the other: all of them, or the one that is named.
 * `npm run bench`, `npm run bench -- store`, `npm run bench -- store --json`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"

const here = import.meta.dirname
const names = readdirSync(here)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.slice(0, -".ts".length))
  .sort()

// Debian keeps servers, such as Kannel's, where few but root look for programs.
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` }

const [name, ...options] = process.argv.slice(2)
const chosen = name === undefined ? names : names.filter((known) => known === name)

if (chosen.length === 0) {
  console.error(`There is no measurement named ${name}. There are ${names.join(", ")}.`)
  process.exitCode = 1
}

for (const each of chosen) {
  if (chosen.length > 1) console.log(`\n${each}\n`)
  const child = spawn(process.execPath, ["--expose-gc", `${here}/${each}.ts`, ...options], { env, stdio: "inherit" })
  const [code] = await once(child, "exit")
  if (code !== 0) process.exitCode = 1
}
