// Runs the pnpm that the workspace is installed, packed and published with, on whatever Node the machine has.
import { spawnSync } from "node:child_process"

const PNPM = "pnpm@12.21.0"

process.exitCode =
  spawnSync("npx", ["-y", "--prefer-offline", PNPM, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1
