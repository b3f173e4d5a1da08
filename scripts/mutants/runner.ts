/**
 * A process in the copy that runs test files on request, one request after the other. It keeps its compiled code, and
 * each run has a worker of its own, so that no mutant is affected by another. The files of a request run in its order
 * until one fails.
 */
import { relative } from "node:path"
import { type TestModule, type TestSpecification, createVitest } from "vitest/node"

/** A test file of a project in vitest.config.ts, relative to the root. */
export interface TestFile {
  readonly project: string
  readonly file: string
}

export interface Options {
  readonly projects: ReadonlyArray<string>
  readonly workers: number
  /** Whether a run ends at the first failing test. */
  readonly bail: boolean
}

export interface Asked {
  /** The test files to run; if empty, all of them. */
  readonly files: ReadonlyArray<TestFile>
  /** Environment variables for this run. */
  readonly env: Readonly<Record<string, string>>
  /** The time limit of a test, in milliseconds. */
  readonly timeout: number
}

export interface Ran extends TestFile {
  readonly state: string
  /** Why it failed. */
  readonly why: string
  /** Milliseconds that the file took, and that its longest test took. */
  readonly took: number
  readonly longest: number
  /** The files that it imports, directly or indirectly; nearer files first. */
  readonly imports: ReadonlyArray<string>
}

export interface Result {
  readonly ran: ReadonlyArray<Ran>
  /** Errors outside of tests. */
  readonly errors: ReadonlyArray<string>
}

const root = process.cwd()

/** Keeps the order of the request; Vitest's own sequencer starts with the files that failed before. */
class AsAsked {
  async shard(files: Array<TestSpecification>) {
    return files
  }
  async sort(files: Array<TestSpecification>) {
    return files
  }
}

const importsOf = (module: TestModule): ReadonlyArray<string> => {
  const graph = module.viteEnvironment?.moduleGraph
  const start = graph?.getModuleById(module.moduleId)
  const found = new Set(start === undefined ? [] : [start])
  // Iterating over a set includes the elements added meanwhile.
  for (const { importedModules } of found) for (const imported of importedModules) found.add(imported)
  return [...found].flatMap(({ file }) =>
    file?.startsWith(root) === true && !file.includes("/node_modules/") ? [relative(root, file)] : []
  )
}

const whyOf = (module: TestModule): string => {
  const errors = [
    ...module.errors(),
    ...[...module.children.allTests("failed")].flatMap((test) => test.result().errors ?? [])
  ]
  return errors[0]?.message ?? ""
}

const ranOf = (module: TestModule): Ran => ({
  project: module.project.name,
  file: relative(root, module.moduleId),
  state: module.state(),
  why: whyOf(module),
  took: Math.round(module.diagnostic().duration),
  longest: Math.round(Math.max(0, ...[...module.children.allTests()].map((test) => test.diagnostic()?.duration ?? 0))),
  imports: importsOf(module)
})

const serve = async ({ bail, projects, workers }: Options): Promise<void> => {
  const vitest = await createVitest("test", {
    watch: false,
    project: [...projects],
    maxWorkers: workers,
    bail: bail ? 1 : 0,
    sequence: { sequencer: AsAsked },
    reporters: [{}]
  })
  const specifications = await vitest.globTestSpecifications()
  const keyOf = ({ file, project }: TestFile): string => `${project}:${file}`
  const known = new Map(
    specifications.map((specification) => {
      const { moduleId, project } = specification
      return [keyOf({ project: project.name, file: relative(root, moduleId) }), specification]
    })
  )
  const run = async ({ env, files, timeout }: Asked): Promise<Result> => {
    // Failures of the previous run would end this one.
    vitest.state.filesMap.clear()
    vitest.state.idMap.clear()
    for (const { config } of vitest.projects) config.testTimeout = config.hookTimeout = timeout
    Object.assign(process.env, env)
    const asked = files.length === 0 ? specifications : files.flatMap((file) => known.get(keyOf(file)) ?? [])
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked)
    return { ran: testModules.map(ranOf), errors: unhandledErrors.map(String) }
  }
  process.on("message", (asked: Asked) => {
    void run(asked).then((result) => process.send?.(result))
  })
  process.on("disconnect", () => void vitest.close().finally(() => process.exit()))
  process.send?.("ready")
}

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? "{}"))
