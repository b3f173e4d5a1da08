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
  /** The arguments of Node that run files. */
  readonly args: ReadonlyArray<string>
}

const read = (file: string): string => readFileSync(join(root, "test/published/runners", file), "utf8")

/** Nothing has to be compiled. */
const JEST = JSON.stringify({ transform: {}, testMatch: ["**/*.spec.*js"], moduleFileExtensions: ["js", "cjs", "mjs"] })

const jest = {
  fake: ["jest", "jest.useFakeTimers()"],
  args: ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--runInBand", "--config", JEST]
} as const

const vitest: Runner = {
  name: "vitest",
  test: read("signup.vitest.js"),
  extension: "test.js",
  fake: ["vi", "vi.useFakeTimers()"],
  args: ["node_modules/vitest/vitest.mjs", "run", "--root", "."]
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
    args: ["--test"]
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

/** Each runner, with a file for each moment of its fake timers. */
export const runs = all.map((runner) => {
  const files = moments.map((when) => [`${when}.${runner.extension}`, faking(runner, when)] as const)
  return { name: runner.name, files, args: [...runner.args, ...files.map(([file]) => file)] }
})

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
    ...Object.fromEntries(runs.flatMap(({ files }) => files))
  }
}
