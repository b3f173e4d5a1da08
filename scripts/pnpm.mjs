// Runs the pnpm version that package.json names in `packageManager`, on any Node. Uses npx, because corepack downloads
// from a server of its own that not every machine can reach.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const { packageManager } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

// Only corepack uses the hash after the version: npm compares downloads with the registry's own hash.
const [version] = packageManager.split("+")

process.exitCode =
  spawnSync("npx", ["-y", "--prefer-offline", version, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1
