// Runs the pnpm that package.json names in `packageManager`, on any Node. By npx, because corepack downloads from a
// place of its own that not every machine reaches.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const { packageManager } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

// The hash behind the version is for corepack: npm compares what it downloads with the registry's own.
const [version] = packageManager.split("+")

process.exitCode =
  spawnSync("npx", ["-y", "--prefer-offline", version, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1
