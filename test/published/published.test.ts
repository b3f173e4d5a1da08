/**
 * The packages as users get them: built, packed, installed from the tarballs into projects outside of the workspace,
 * then loaded by Node, compiled by TypeScript, and used as documented.
 */
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { build as bundle } from "esbuild"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { install } from "./consumers.ts"
import { embeddings } from "./embeddings.ts"
import { type Example, docstringExamples, promised, readmeExamples } from "./examples.ts"
import { answersOf } from "./hosting.ts"
import { importsOf } from "./imports.ts"
import { nodes } from "./nodes.ts"
import { type Manifest, modulesOf, packages, root, targetsOf } from "./packages.ts"
import { START, alone, asItsReadmeSays, bare, everything, fileOf, uses } from "./projects.ts"
import { app, runs, shown } from "./runners.ts"
import { pack, run } from "./tarballs.ts"

// Other processes do most of the work, while the tests of all packages run.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// Outside of the workspace, whose node_modules would hide dependencies that a package has forgotten to declare.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "watchword-published-")))
const consumers = join(folder, "consumers")
let tarballs: ReadonlyMap<string, string>

const withOptionalPeers = packages.filter(
  ({ manifest: { exports = {}, peerDependenciesMeta } }) => "." in exports && peerDependenciesMeta !== undefined
)

const withImports = packages.filter(({ manifest }) => manifest.imports !== undefined)

beforeAll(async () => {
  tarballs = await pack(join(folder, "tarballs"))
  const projects = [
    ...packages.map(alone),
    ...withOptionalPeers.map(bare),
    ...packages.map(asItsReadmeSays),
    everything(),
    ...embeddings().map(({ project }) => project),
    app
  ]
  await install(consumers, projects, tarballs)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.concurrent("the tarball of", () => {
  it.each(packages)("$name has what belongs into it, and no more", ({ manifest, name }) => {
    const files = filesOf(createPackageFromTarballData(tarball(name)).listFiles(), name)
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]))
    const modules = files.filter((file) => /^src\/.*(?<!\.d)\.ts$/.test(file)).map((file) => file.slice(4, -3))
    expect(modules).not.toEqual([])
    expect(files.filter((file) => file.startsWith("dist/"))).toEqual(
      modules.flatMap((module) => OUTPUTS.map((extension) => `dist/${module}${extension}`)).sort()
    )
    const others = files.filter((file) => !/^((src|dist)\/.*|LICENSE|README\.md|package\.json)$/.test(file))
    const own = manifest.files ?? []
    expect(others.filter((file) => !own.some((folder) => file.startsWith(`${folder}/`)))).toEqual([])
  })

  it.each(withImports)("$name has what its own imports lead to", ({ name }) => {
    const contents = createPackageFromTarballData(tarball(name))
    const { imports }: Manifest = JSON.parse(contents.readFile(`/node_modules/${name}/package.json`))
    const targets = targetsOf(imports)
    expect(targets).not.toEqual([])
    expect(filesOf(contents.listFiles(), name)).toEqual(
      expect.arrayContaining(targets.map((file) => file.replace("./", "")))
    )
  })

  it.each(packages)("$name has nothing that publint objects to", async ({ name }) => {
    const { messages } = await publint({ strict: true, pack: { tarball: tarball(name).buffer } })
    expect(messages).toEqual([])
  })

  it.each(packages)("$name has types that are right for modules, in Node and in bundlers", async (pkg) => {
    const entrypoints = modulesOf(pkg).map((module) => `.${module.slice(pkg.name.length)}`)
    const result = await checkPackage(createPackageFromTarballData(tarball(pkg.name)), { entrypoints })
    const problems = result.types === false ? ["no types"] : result.problems
    expect(problems.filter((problem) => !ofCommonJs.test(JSON.stringify(problem)))).toEqual([])
  })
})

/** Problems that concern `require`, or resolution without `exports`. */
const ofCommonJs = /"(resolutionKind|resolutionOption)":"(node10|node16-cjs)"/

describe("installed alone,", () => {
  let loaded: ReadonlyMap<string, unknown>

  beforeAll(async () => {
    loaded = await load(process.execPath)
  })

  it.each(packages)("$name loads, each part of it", (pkg) => {
    const sizes = loaded.get(alone(pkg).path)
    expect(sizes).toEqual(Object.fromEntries(modulesOf(pkg).map((module) => [module, expect.any(Number)])))
    expect(Object.values(Object(sizes)).some((size) => size !== 0)).toBe(true)
  })

  it.each(withOptionalPeers)("$name does without its optional peers", (pkg) => {
    expect(loaded.get(bare(pkg).path)).toEqual({ [pkg.name]: expect.toSatisfy((size) => size > 0) })
  })

  it.each(nodes)("all load under $name", async ({ path, version }) => {
    expect(await run(path, ["--version"], root)).toContain(version)
    expect(await load(path)).toEqual(loaded)
  })
})

/** Loads each package that is installed by itself, and returns the number of exports of every module. */
const load = async (node: string): Promise<ReadonlyMap<string, unknown>> => {
  const projects = [...packages.map(alone), ...withOptionalPeers.map(bare)].map(({ path }) => path)
  const answers: unknown = JSON.parse(await run(node, [join(root, "test/published/load.ts"), ...projects], consumers))
  return new Map(Object.entries(Object(answers)))
}

describe.concurrent("TypeScript compiles what imports the packages, and all examples,", () => {
  it.each([
    ["NodeNext", "NodeNext"],
    ["ESNext", "bundler"]
  ])(
    "as %s with the resolution %s",
    async (module, moduleResolution) => {
      const project = join(consumers, `tsconfig.${moduleResolution}.json`)
      // Checking the declarations of all packages once is enough; how bundlers find them is a separate question.
      const skipLibCheck = module !== "NodeNext"
      const options = {
        target: "ES2024",
        module,
        moduleResolution,
        skipLibCheck,
        strict: true,
        noEmit: true,
        types: ["node"]
      }
      // Next resolves modules as a bundler does.
      // Nest's decorators differ from the language's own, so its program has a configuration of its own.
      const own = ["embedding/nest", ...(moduleResolution === "bundler" ? [] : ["embedding/next"])]
      const exclude = ["**/node_modules", ...own]
      writeFileSync(project, JSON.stringify({ compilerOptions: options, include: ["**/*.ts"], exclude }))
      expect(await run(join(root, "node_modules/.bin/tsc"), ["-p", project], consumers)).toBe("")
    },
    120_000
  )
})

describe.concurrent("the example of", () => {
  const readmes = packages.flatMap((pkg) =>
    readmeExamples(pkg)
      .filter(runsByItself)
      .map((example) => ({ ...example, path: asItsReadmeSays(pkg).path }))
  )
  const docstrings = packages
    .flatMap(docstringExamples)
    .filter(runsByItself)
    .map((example) => ({ ...example, path: everything().path }))

  const all = [...readmes, ...docstrings]

  it.each(all.filter(serves))("$name does what it says", async ({ path, ...example }) => {
    const cwd = join(consumers, path)
    expectWhatIsPromised(
      example,
      await node(join(root, "test/published/runExample.ts"), cwd, join(cwd, fileOf(example)))
    )
  })

  describe("no server:", () => {
    const together = all.filter((example) => !serves(example))
    const placeOf = (example: Placed) => join(consumers, example.path, fileOf(example))
    let printed: ReadonlyMap<string, unknown>

    beforeAll(async () => {
      const program = join(root, "test/published/runExamples.ts")
      const answers: unknown = JSON.parse(
        await node(program, join(consumers, everything().path), ...together.map(placeOf))
      )
      printed = new Map(Object.entries(Object(answers)))
    })

    it.each(together)("$name does what it says", (example) => {
      expectWhatIsPromised(example, String(printed.get(placeOf(example))))
    })
  })
})

/** An example in the project that it runs in. */
type Placed = Example & { readonly path: string }

/** An example that serves needs a process of its own, which is ended while it serves. The others need none. */
const serves = ({ code }: Example): boolean => /\b(listen|serve|startWatchword)\(/.test(code)

const expectWhatIsPromised = (example: Example, printed: string): void => {
  const lines = printed
    .replaceAll("'", '"')
    .split("\n")
    .filter((line) => line !== "")
  expect(lines).toEqual(promised(example).length === 0 ? lines : promised(example).map(abridged))
}

describe.concurrent("the program", () => {
  it.each(uses)("%s works", async (use) => {
    await expect(node(use, join(consumers, everything().path))).resolves.toBeTypeOf("string")
  })

  it("that the README shows first starts as it is pasted", async () => {
    await expect(node(START, join(consumers, everything().path))).resolves.toBeTypeOf("string")
  })

  it.each(["esm", "cjs"] as const)("search.ts works in a bundle of esbuild as %s", async (format) => {
    const cwd = join(consumers, everything().path)
    const outfile = join(cwd, `search.${format === "esm" ? "mjs" : "cjs"}`)
    // The native part of the driver cannot be bundled.
    const external = ["better-sqlite3"]
    await bundle({ absWorkingDir: cwd, entryPoints: ["search.ts"], outfile, format, external, ...BUNDLED })
    await expect(node(outfile, cwd, `bundled.${format}.db`)).resolves.toBeTypeOf("string")
  })

  it.each(nodes)("required.cjs works under $name", async ({ path }) => {
    await expect(run(path, ["required.cjs"], join(consumers, everything().path))).resolves.toBeTypeOf("string")
  })

  it.each(nodes)("service.ts works under $name", async ({ path }) => {
    await expect(run(path, ["service.ts"], join(consumers, everything().path))).resolves.toBeTypeOf("string")
  })
})

describe("the page on embedding, followed for", () => {
  it.each(embeddings())("$name, verifies a number", async (embedding) => {
    const cwd = join(consumers, embedding.project.path)
    if ("tsconfig.json" in embedding.project.files) {
      expect(await run(join(root, "node_modules/.bin/tsc"), ["-p", cwd], cwd)).toBe("")
    }
    expect(await answersOf(embedding, cwd)).toEqual({
      answers: [
        { status: 200, body: { verification_id: expect.stringMatching(/^vrf_/) } },
        { status: 200, body: { messages: [expect.objectContaining({ to: "+4915123456789" })] } },
        { status: 200, body: { valid: true } }
      ],
      wrong: { status: 400, text: expect.stringContaining("to must be a phone number") },
      withoutKey: 401
    })
  })
})

describe.concurrent("an app's own tests", () => {
  it("are shown in the guide", () => {
    expect(readFileSync(join(root, "docs/testing.md"), "utf8")).toContain(shown)
  })

  it.each(runs)(
    "pass in $name with fake timers never, and before and after the start of their kit",
    async ({ args }) => {
      await expect(run(process.execPath, args, join(consumers, app.path))).resolves.toBeTypeOf("string")
    }
  )
})

const BUNDLED = { bundle: true, platform: "node", logLevel: "error" } as const

/** Suites are run by test runners; each package runs its own suites. */
const runsByItself = ({ code, runs }: Example): boolean =>
  runs && !importsOf(code).some(({ specifier }) => /^(vitest|@effect\/vitest)$/.test(specifier))

/** `…` in the documented output of an example matches any text. */
const abridged = (line: string): unknown =>
  line.includes("…")
    ? expect.toSatisfy(
        (printed: string) => new RegExp(`^${line.split("…").map(escaped).join(".*")}$`).test(printed),
        line
      )
    : line

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

const OUTPUTS = [".d.ts", ".d.ts.map", ".js", ".js.map"]

const tarball = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(tarballs.get(name) ?? ""))

const filesOf = (paths: ReadonlyArray<string>, name: string): ReadonlyArray<string> =>
  paths.map((path) => path.replace(`/node_modules/${name}/`, "")).sort()

const node = (file: string, cwd: string, ...args: ReadonlyArray<string>): Promise<string> =>
  run(process.execPath, [file, ...args], cwd)
