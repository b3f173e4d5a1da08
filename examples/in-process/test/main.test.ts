import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"

it("the example runs", async () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [main])
  expect(stdout.trim().split("\n")).toEqual([
    expect.stringMatching(/^A code was sent by \w+\.$/),
    "Wrong: the verification is pending, with 4 checks left.",
    "Right: the verification is approved, with 3 checks left.",
    "Not sent: TEMPORARY_UNAVAILABLE"
  ])
})
