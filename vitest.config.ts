import { availableParallelism } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { defineConfig } from "vitest/config"

/**
 * `npm test` runs the projects `unit`, `replacing` and `smoke`, and `npm run test:rest` the projects `process`, `hosts` and
 * `published`. A file is in the first of the lists below that has its name or folder; one that no list has is in `unit`.
 */

/** Of each program, database and platform that needs a process, the one file that shows whether it works at all. */
const smoke = ["**/test/**/*.smoke.test.ts"]

/** Every case of the interface on every host but `node:http`, whose cases are in `unit`. */
const hosts = ["adapters/!(node)/test/behaviour.test.ts"]

/** Tests that start servers or databases of their own, or kill processes. */
const process = [
  "**/test/**/{crash,Killed,opening,runtimes,*process}.test.ts",
  "adapters/{cloudflare-workers,store-d1,store-postgres}/test/**/*.test.ts",
  "examples/*/test/**/*.test.ts"
]

/** Tests that pack the packages, and install and use the tarballs. */
const published = ["test/published/**/*.test.ts"]

/**
 * Tests that replace modules, read what a process shares, or run all its timers: metrics have one series for all services in a
 * process, its ids never go back, so that a clock that runs far ahead moves those of others, and timers of files before may
 * begin again for ever.
 */
const replacing = ["**/test/**/{webCrypto,invoice,traffic,metrics,repeats,states}.test.ts"]

const project = (
  name: string,
  include: ReadonlyArray<string>,
  exclude: ReadonlyArray<string> = [],
  globalSetup: ReadonlyArray<string> = []
) => ({
  extends: true as const,
  test: {
    name,
    globalSetup: [...globalSetup],
    include: [...include],
    exclude: ["**/node_modules/**", "**/test-peers/**", ...exclude],
    isolate: name === "replacing"
  }
})

export default defineConfig({
  test: {
    // Files share the modules that a worker has loaded, unless they replace some: to load Effect takes each a second.
    projects: [
      project(
        "unit",
        ["{packages,adapters}/*/test/**/*.test.ts", "test/**/*.test.ts"],
        [...smoke, ...hosts, ...process, ...published, ...replacing]
      ),
      project("replacing", replacing),
      project("smoke", smoke, [], ["packages/standalone/test/bundle.ts"]),
      project("process", process, [...smoke, ...hosts], ["packages/standalone/test/bundle.ts"]),
      project("hosts", hosts),
      project("published", published, [], ["test/published/build.ts"])
    ],
    // Processes that tests start share modules that others have compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "build/compiled") },
    // Many files wait more than they compute: for sockets, processes and timers.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    setupFiles: [
      "test/exits/setup.ts",
      "test/asserts.ts",
      ...(env["MUTANTS_REACHED"] === undefined ? [] : ["scripts/mutants/setup.ts"])
    ].map((file) => join(import.meta.dirname, file)),
    // For what hangs. What is slow because the machine is busy is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["default", "json"],
    outputFile: { json: "build/test-report.json" }
  }
})
