/** A test that fails before it has ended the process that it started. */
import { spawn } from "node:child_process"
import { expect, it } from "vitest"

it("fails", () => {
  const child = spawn("sleep", ["60"], { stdio: "ignore", detached: true })
  process.once("exit", () => void child.kill("SIGKILL"))
  expect(`process ${child.pid}`).toBe("none")
})
