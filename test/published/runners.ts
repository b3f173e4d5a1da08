/**
 * Tests of an app in several test runners, as a team writes them: by the tarballs, with and without fake timers.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "./consumers.ts"
import { packages, root } from "./packages.ts"

/** When the fake timers of a runner are switched on: never, or before or after the kit starts. */
const moments = ["never", "before", "after"] as const

interface Runner {
  readonly name: string
  readonly test: string
  /** The end of the names of its tests. */
  readonly extension: string
  /** The object of the runner that has fake timers, and how they are switched on. */
  readonly fake: readonly [object: string, call: string]
  /** The arguments of Node that run a file. */
  readonly args: (file: string) => ReadonlyArray<string>
}

const read = (file: string): string => readFileSync(join(root, "test/published/runners", file), "utf8")

/** Nothing has to be compiled. */
const JEST = JSON.stringify({ transform: {}, testMatch: ["**/*.spec.*js"], moduleFileExtensions: ["js", "cjs", "mjs"] })

const jest = {
  fake: ["jest", "jest.useFakeTimers()"],
  args: (file: string) => ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--config", JEST, file]
} as const

const vitest: Runner = {
  name: "vitest",
  test: read("signup.vitest.js"),
  extension: "test.js",
  fake: ["vi", "vi.useFakeTimers()"],
  args: (file) => ["node_modules/vitest/vitest.mjs", "run", "--root", ".", file]
}

const all: ReadonlyArray<Runner> = [
  vitest,
  { ...jest, name: "jest", test: vitest.test.replace('"vitest"', '"@jest/globals"'), extension: "spec.js" },
  { ...jest, name: "jest with require", test: read("signup.jest.cjs"), extension: "spec.cjs" },
  {
    name: "node:test",
    test: read("signup.node.js"),
    extension: "node.js",
    fake: ["mock", "mock.timers.enable()"],
    args: (file) => ["--test", file]
  }
]

const START = /^ *(?:const )?kit = await startWatchword\(\)$/m

/** The test of a runner, with fake timers that are switched on right before or right after its kit starts. */
const faking = ({ fake: [object, call], test }: Runner, when: (typeof moments)[number]): string =>
  when === "never"
    ? test
    : test
        .replace(/ test \} from "(?:vitest|@jest\/globals|node:test)"/, (end) => ` ${object},${end}`)
        .replace(START, (start) => (when === "before" ? `${call}\n${start}` : `${start}\n${call}`))

/** Each runner, each with its fake timers at each moment. */
export const runs = all.flatMap((runner) =>
  moments.map((when) => {
    const file = `${when}.${runner.extension}`
    return { name: runner.name, when, file, code: faking(runner, when), args: runner.args(file) }
  })
)

/** The test that the guide shows. */
export const shown = vitest.test

const named = (name: string) => packages.find((pkg) => pkg.name === name) ?? null

/** An app that signs users up, and its tests in each runner. */
export const app: Project = {
  path: "app",
  ours: ["watchword", "@watchword/testing"],
  others: [
    ["effect", null],
    ["express", named("@watchword/express")],
    ["vitest", null],
    ["jest", named("@watchword/testing")],
    ["@jest/globals", named("@watchword/testing")]
  ],
  files: {
    "signup.js": read("signup.js"),
    ...Object.fromEntries(runs.map(({ code, file }) => [file, code]))
  }
}
