/**
 * Runs the measurements in this folder one after the other: all of them, or only the one named.
 * `npm run bench`, `npm run bench -- store`, `npm run bench -- store --json`.
 *
 * `npm run bench -- --write` runs all of them and writes their output into docs/papers/benchmarks.md, after all have
 * succeeded, so that its figures come from one run, one commit and one date.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { text } from "node:stream/consumers"
import * as Page from "./support/page.ts"

const here = import.meta.dirname
const names = readdirSync(here)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.slice(0, -".ts".length))
  .sort()

// Debian keeps servers such as Kannel's in a folder that only root's search path includes.
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` }

const [first, ...rest] = process.argv.slice(2)
const name = first?.startsWith("--") === true ? undefined : first
const options = name === undefined && first !== undefined ? [first, ...rest] : rest
const chosen = name === undefined ? names : names.filter((known) => known === name)
// A benchmark with its own part of the page writes that part itself.
const commit = name === undefined && options.includes("--write") ? Page.commit() : null
const printed = new Map<string, string>()

if (chosen.length === 0) {
  console.error(`There is no measurement named ${name}. There are ${names.join(", ")}.`)
  process.exitCode = 1
}

for (const each of chosen) {
  if (chosen.length > 1) console.log(`\n${each}\n`)
  const child = spawn(process.execPath, ["--expose-gc", `${here}/${each}.ts`, ...options], {
    env,
    stdio: ["inherit", commit === null ? "inherit" : "pipe", "inherit"]
  })
  child.stdout?.pipe(process.stdout, { end: false })
  const output = child.stdout === null ? Promise.resolve("") : text(child.stdout)
  const [code] = await once(child, "exit")
  printed.set(each, (await output).trim())
  if (code !== 0) process.exitCode = 1
}

if (commit !== null && process.exitCode !== 1) {
  // Not imported earlier: the module answers `--help` for the benchmark that loads it.
  const { machineLine } = await import("./support/report.ts")
  const parts = [...printed].map(([each, output]) => `### ${each}\n\n\`\`\`\n${output}\n\`\`\``)
  Page.write("figures", [`Commit ${commit}; ${machineLine()}.`, ...parts].join("\n\n"))
}
