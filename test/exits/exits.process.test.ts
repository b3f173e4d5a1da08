import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it, vi } from "vitest"

const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs")

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it("a test that fails leaves no process behind that ends with the runner", async () => {
  const args = [vitest, "run", "--config", join(import.meta.dirname, "leaving.config.ts")]
  const printed = await promisify(execFile)(process.execPath, args).then(
    () => "",
    ({ stderr, stdout }: { readonly stderr: string; readonly stdout: string }) => stdout + stderr
  )
  const pid = Number(/process (\d+)/.exec(printed)?.[1])
  expect(pid).toBeGreaterThan(0)
  await vi.waitUntil(() => !isAlive(pid), 10_000)
})
