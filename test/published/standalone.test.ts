/**
 * The server and the operator's command as users get them: installed by npm from the tarball into an empty project.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import {
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { publint } from "publint"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { joined } from "../../packages/dev/src/documents.ts"
import { start as startPostgres } from "../PostgresServer.ts"
import { nodes } from "./nodes.ts"
import { root } from "./packages.ts"
import { pnpm, run } from "./tarballs.ts"
import { endWithRunner } from "../exits/endWithRunner.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const MEGABYTE = 1_000_000

// Loaded before the server: reports the server's address when it starts to listen.
const PROBE = `
const http = process.getBuiltinModule("node:http")
const { createServer } = http
http.createServer = (...options) => {
  console.log(new Error("listening").stack)
  return createServer(...options)
}
`

// A path with spaces, like that of many home folders.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "watchword standalone ")))
const project = join(folder, "an empty project")
const installed = join(project, "node_modules/@watchword/standalone")
const program = join(installed, "bin/watchword.mjs")
const serving = new Set<ChildProcess>()
let tarball: string

/** Each version of Node that it is tested on. */
const everyNode = [...nodes, { name: "node", path: process.execPath }]

beforeAll(async () => {
  await pnpm(["--filter=@watchword/standalone", "pack", "--pack-destination", folder], root)
  tarball = join(folder, globSync("*.tgz", { cwd: folder })[0] ?? "")
  mkdirSync(project)
  // Copies from the workspace, so that nothing is downloaded.
  const driver = realpathSync(join(root, "packages/standalone/node_modules/better-sqlite3"))
  const copies = [driver, realpathSync(join(dirname(driver), "node-addon-api"))].map((from, index) => {
    const copy = join(folder, `dependency-${index}`)
    cpSync(from, copy, { recursive: true, filter: (path) => !path.endsWith("/node_modules") })
    return copy
  })
  const flags = ["--offline", "--install-links", "--no-audit", "--no-fund", "--loglevel=error"]
  await run("npm", ["install", ...flags, ...copies, tarball], project)
})

afterAll(() => {
  for (const child of serving) signal(child, "SIGKILL")
  rmSync(folder, { recursive: true, force: true })
})

describe("the tarball of @watchword/standalone", () => {
  it("has nothing that publint objects to", async () => {
    const { messages } = await publint({
      strict: true,
      pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer }
    })
    expect(messages).toEqual([])
  })

  it("has the driver of SQLite as its only dependency", () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
    expect(dependencies).toEqual({ "better-sqlite3": expect.stringMatching(/^\d/) })
  })

  it("names the licence of each package in its bundles", () => {
    const bundles = join(installed, "dist/bundle")
    const notices = readFileSync(join(bundles, "THIRD_PARTY_NOTICES.txt"), "utf8")
    const sources = globSync("*/*.js.map", { cwd: bundles }).flatMap(
      (map): ReadonlyArray<string> => JSON.parse(readFileSync(join(bundles, map), "utf8")).sources
    )
    const bundled = new Set(
      sources.flatMap((source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
    )
    expect([...bundled]).toEqual(expect.arrayContaining(["effect", "pg", "libphonenumber-js"]))
    expect([...bundled].filter((name) => !notices.includes(`\n${name} `))).toEqual([])
    expect(notices).toContain("\npreact ")
  })

  it("has the documents as one text, and the steps for an agent", () => {
    expect(readFileSync(join(installed, "llms.txt"), "utf8")).toBe(joined(root))
    expect(readFileSync(join(installed, "SKILL.md"), "utf8")).toMatch(/^---\nname: watchword\ndescription: .+\n---\n/)
  })

  it("has every thread beside the server", () => {
    const sources = globSync("{packages,adapters}/*/src/**/*.ts", { cwd: root })
    const threads = sources.flatMap((source) =>
      [...readFileSync(join(root, source), "utf8").matchAll(/new URL\("\.\/(\w+)\.js"/g)].map(
        ([, name]) => `${name}.js`
      )
    )
    expect(threads).toContain("searchThread.js")
    const files = globSync("*.js", { cwd: join(installed, "dist/bundle/server") })
    expect(files).toEqual(expect.arrayContaining(threads))
  })
})

describe("installed in an empty project,", () => {
  it("it takes less than 60 MB", () => {
    const files = globSync("**/*", { cwd: join(project, "node_modules") })
    const sizes = files.map((file) => lstatSync(join(project, "node_modules", file)).size)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(20 * MEGABYTE)
    expect(total).toBeLessThan(60 * MEGABYTE)
  })

  it.each(everyNode)("it serves under $name, and its command works meanwhile", async ({ name, path }) => {
    const environment = { DATABASE_URL: `sqlite:${join(folder, `${name}.db`)}` }
    const server = await serve([path, program], environment)
    expect(await sandboxText(server)).toBe(200)
    expect((await fetch(`${server.origin}/docs`)).status).toBe(200)
    const { accounts } = JSON.parse(await command(path, environment, "account", "list", "--json"))
    expect(accounts).toEqual([expect.objectContaining({ name: "Demo" })])
    expect(await server.stop()).toBe(0)
  })

  it("npx finds it by the package's name, and the command by its own", async () => {
    const environment = { DATABASE_URL: `sqlite:${join(folder, "npx.db")}` }
    const server = await serve(["npx", "--offline", "@watchword/standalone"], environment)
    const { accounts } = JSON.parse(
      (await promisify(execFile)("npx", ["--offline", "watchword", "account", "list", "--json"], within(environment)))
        .stdout
    )
    expect(accounts).toHaveLength(1)
    await server.stop()
  })

  it("it serves with the right to read files, and none to write any", async () => {
    const rights = ["--permission", "--allow-addons", "--allow-worker", "--allow-net", "--allow-fs-read=*"]
    const server = await serve([process.execPath, ...rights, program], { DATABASE_URL: "sqlite::memory:" })
    expect(await sandboxText(server)).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it("it serves on PostgreSQL", async () => {
    const postgres = await startPostgres()
    try {
      const server = await serve([process.execPath, program], { DATABASE_URL: postgres.url })
      expect(await sandboxText(server)).toBe(200)
      expect(await server.stop()).toBe(0)
    } finally {
      await postgres.stop()
    }
  })

  it("it looks for records in a thread", async () => {
    const workerData = { filename: join(folder, "thread.db"), channels: [] }
    const server = await serve([process.execPath, program], { DATABASE_URL: `sqlite:${workerData.filename}` })
    const thread = new Worker(join(installed, "dist/bundle/server/searchThread.js"), { workerData })
    expect(await once(thread, "message")).toEqual([{ _tag: "Ready" }])
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage({ id: 7, listing: {} })
    const [answer] = await once(thread, "message")
    expect(answer).toMatchObject({ id: 7 })
    await thread.terminate()
    await server.stop()
  })

  it("it names sources in stack traces", async () => {
    const probe = join(folder, "probe.mjs")
    writeFileSync(probe, PROBE)
    const server = await serve([process.execPath, `--import=${pathToFileURL(probe).href}`, program], {
      DATABASE_URL: "sqlite::memory:"
    })
    await server.stop()
    expect(server.printed()).toMatch(/Error: listening\n[^]* at serve \(adapters\/node\/src\/serve\.ts:\d+:\d+\)/)
  })

  it("it says its version", async () => {
    const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
    expect(await command(process.execPath, {}, "--version")).toContain(version)
  })

  it.each(["20.19.4", "22.18.0"])("it says that Node %s is too old", async (version) => {
    const older = `Object.defineProperty(process.versions, "node", { value: "${version}" })`
    const load = `--import=data:text/javascript,${encodeURIComponent(older)}`
    const { code, stderr } = await promisify(execFile)(process.execPath, [load, program]).then(
      () => ({ code: 0, stderr: "" }),
      (error: { readonly code: number; readonly stderr: string }) => error
    )
    expect([code, stderr]).toEqual([
      1,
      `Watchword needs Node 22.19 or newer, and this is Node ${version} (${process.execPath}).\n`
    ])
  })
})

type Environment = Readonly<Record<string, string>>

const within = (environment: Environment) => ({
  cwd: project,
  env: { PATH: process.env["PATH"], HOME: folder, PORT: "0", ...environment }
})

const command = async (node: string, environment: Environment, ...args: ReadonlyArray<string>): Promise<string> =>
  (await promisify(execFile)(node, [program, ...args], within(environment))).stdout

interface Serving {
  readonly baseUrl: string
  readonly origin: string
  readonly printed: () => string
  readonly stop: () => Promise<number | null>
}

const serve = async ([path = "", ...args]: ReadonlyArray<string>, environment: Environment): Promise<Serving> => {
  const child = spawn(path, args, { ...within(environment), detached: true })
  serving.add(child)
  endWithRunner(child)
  const exited = new Promise<number | null>((resolve) =>
    child.once("exit", (code) => {
      serving.delete(child)
      resolve(code)
    })
  )
  let printed = ""
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString()
      const address = /serves (http:\S+)/.exec(printed)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    void exited.then(() => reject(new Error(`it ended before it served: ${printed}`)))
  })
  return {
    baseUrl,
    origin: new URL(baseUrl).origin,
    printed: () => printed,
    stop: () => {
      signal(child, "SIGINT")
      return exited
    }
  }
}

/** Signals a process and its child processes, as a terminal does. */
const signal = ({ pid = 0 }: ChildProcess, name: NodeJS.Signals): void => void process.kill(-pid, name)

/** Sends a text with the key that the first start prints, and returns the status of the answer. */
const sandboxText = async ({ baseUrl, printed }: Serving): Promise<number> => {
  const response = await fetch(`${baseUrl}/sms`, {
    method: "POST",
    headers: {
      "x-account-id": /account id +(\S+)/.exec(printed())?.[1] ?? "",
      "x-api-key": /key +(sk_test_\S+)/.exec(printed())?.[1] ?? "",
      "content-type": "application/json"
    },
    body: JSON.stringify({ to: "+4915123456789", text: "Your code is 123456" })
  })
  return response.status
}
