/**
 * A clone of the repository, started as a newcomer would: `npm start` installs the server's dependencies, and serves.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { until } from "../until.ts"
import { root } from "./packages.ts"
import { endWithRunner } from "../exits/endWithRunner.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const clone = realpathSync(mkdtempSync(join(tmpdir(), "watchword-clone-")))
let server: ChildProcess | null = null

beforeAll(() => {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: root })
  for (const file of files
    .toString()
    .split("\0")
    .filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    copyFileSync(join(root, file), join(clone, file))
  }
})

afterAll(() => {
  server?.kill("SIGKILL")
  rmSync(clone, { recursive: true, force: true })
})

it("npm start serves, and installs neither compilers nor test runners", async () => {
  // Without this workspace's programs, which npm puts first in the path.
  const path = String(process.env["PATH"]).replaceAll(join(root, "node_modules/.bin"), "")
  const env = { ...process.env, PATH: path, PORT: "0", DATABASE_URL: "sqlite::memory:" }
  const child = spawn("npm", ["start"], { cwd: clone, env })
  endWithRunner(child)
  server = child
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const address = await until(
    () => Promise.resolve(/serves (http:\S+)/.exec(printed)?.[1] ?? child.exitCode),
    (found) => found !== null
  )
  expect(printed).toMatch(/serves http:/)
  expect((await fetch(`${String(address)}/../healthz`)).status).toBe(200)
  expect(existsSync(join(clone, "node_modules/effect"))).toBe(true)
  for (const name of ["typescript", "vitest", "oxlint", "rolldown"])
    expect(existsSync(join(clone, "node_modules", name))).toBe(false)
  const ended = once(child, "exit")
  child.kill("SIGINT")
  expect((await ended)[0]).toBe(0)
})
