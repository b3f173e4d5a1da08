/**
 * The walk through the example: the number, the code on the phone of the same page, and the check.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { endWithRunner } from "../../../test/exits/endWithRunner.ts"
import { until } from "../../../test/until.ts"

const folder = fileURLToPath(new URL("..", import.meta.url))
let origin: string
let stop: () => Promise<unknown>
beforeEach(async () => {
  const child = spawn(process.execPath, ["server.js"], {
    cwd: folder,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  endWithRunner(child)
  const exited = once(child, "exit")
  let printed = ""
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  stop = () => {
    child.kill("SIGTERM")
    return exited
  }
  origin = (await until(() => /at (http:\S+)/.exec(printed)?.[1])) ?? ""
})
afterEach(() => stop())

const post = async (path: string, fields: Record<string, string>) => {
  const response = await fetch(`${origin}${path}`, { method: "POST", body: new URLSearchParams(fields) })
  return { status: response.status, page: await response.text() }
}

describe("the example", () => {
  it("shows the code on the phone beside the form, and takes it", async () => {
    expect(await (await fetch(origin)).text()).toContain("No message yet.")
    const started = await post("/start", { phone: "01512 3456789" })
    const [, id = ""] = /value="(vrf_\w+)"/.exec(started.page) ?? []
    const [, code = ""] =
      (await until(async () => /\D(\d{6})\D/.exec((await (await fetch(origin)).text()).split("<aside>")[1] ?? ""))) ??
      []
    const wrong = await post("/check", { id, code: code === "000000" ? "000001" : "000000" })
    expect([wrong.status, wrong.page]).toEqual([400, expect.stringContaining("That is not the code.")])
    expect((await post("/check", { id, code })).page).toContain("+4915123456789 is yours.")
  })

  it("says what is wrong with a number", async () => {
    const { page, status } = await post("/start", { phone: "12<b>" })
    expect([status, page]).toEqual([400, expect.stringMatching(/role="alert">The number /)])
  })
})
