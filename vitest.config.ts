import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"

/** Tests that start servers or databases of their own, kill processes, or replace modules. */
const process = [
  "**/test/**/{crash,Killed,opening,runtimes,webCrypto,*process}.test.ts",
  "adapters/{cloudflare-workers,store-d1,store-postgres}/test/**/*.test.ts",
  "examples/*/test/**/*.test.ts"
]

/** Tests that pack the packages, and install and use the tarballs. */
const published = ["test/published/**/*.test.ts"]

const project = (name: string, include: ReadonlyArray<string>, exclude: ReadonlyArray<string> = []) => ({
  extends: true as const,
  test: { name, include: [...include], exclude: ["**/node_modules/**", ...exclude], isolate: name !== "unit" }
})

export default defineConfig({
  test: {
    // The files of `unit` share the modules that a worker has loaded: to load Effect for each takes half of their time.
    projects: [
      project("unit", ["{packages,adapters}/*/test/**/*.test.ts", "test/**/*.test.ts"], [...process, ...published]),
      project("process", process),
      project("published", published)
    ],
    // Processes that tests start share modules that others have compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "build/compiled") },
    // Many files wait more than they compute: for sockets, processes and timers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ["default", ["json", { outputFile: "build/test-report.json" }]]
  }
})
