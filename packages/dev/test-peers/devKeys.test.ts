/**
 * The keys of a development server in a terminal, which `script` of util-linux is.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { realTime, until } from "../../../test/until.ts"

const watchword = fileURLToPath(new URL("../../../examples/standalone/src/cli.ts", import.meta.url))
const folder = folderForEach()
const number = "+4915123456789"

it("each key does what its help says", async () => {
  const posted: Array<string> = []
  const hooks = createServer((request, response) => {
    request.resume().on("end", () => {
      posted.push(String(request.headers["webhook-id"]))
      response.end()
    })
  }).listen(0, "127.0.0.1")
  await once(hooks, "listening")
  const at = hooks.address()
  const forward = `http://127.0.0.1:${typeof at === "object" ? at?.port : 0}/hooks`
  // The command with which a desktop opens addresses.
  await mkdir(folder.file("bin"))
  await writeFile(folder.file("bin/xdg-open"), `#!/bin/sh\necho "$1" > "${folder.file("opened")}"\n`)
  await chmod(folder.file("bin/xdg-open"), 0o755)

  const command = `exec "${process.execPath}" "${watchword}" dev --port 0 --forward ${forward}`
  const terminal = spawn("script", ["-qfec", command, "/dev/null"], {
    cwd: folder.path(),
    env: {
      PATH: `${folder.file("bin")}:${process.env["PATH"]}`,
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: folder.path()
    },
    stdio: ["pipe", "pipe", "inherit"]
  })
  const exited = once(terminal, "exit")
  let screen = ""
  terminal.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()))
  await until(() => screen.includes("q quits"))
  const [, origin = "", account = "", key = ""] =
    /interface at (http:\S+)\/v1[\s\S]*ACCOUNT_ID=(\S+)\s+\S*API_KEY=(\S+)/.exec(screen) ?? []
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${origin}/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-account-id": account, "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: await response.json() }
  }
  const press = (typed: string) => terminal.stdin.write(typed)
  const says = (text: string) => until(() => screen.includes(text))

  press("o")
  await until(async () => (await readFile(folder.file("opened"), "utf8").catch(() => "")) === `${origin}/handset/\n`)

  press("t")
  await says("No verification is pending.")
  press("r")
  await says("There was no event yet.")

  press("f")
  await says("The next send fails.")
  const text = { to: number, text: "Your code is 123456" }
  expect((await ask("/sms", text)).status).toBe(480)
  expect((await ask("/sms", text)).status).toBe(200)

  await ask("/verifications", { to: number })
  await until(() => /chatgw +\S+ +\d{6} +(?:sent|delivered) +vrf_/.test(screen))
  press("t")
  await says("The next step went by bizchat.")

  await until(() => posted.length > 0)
  await until(async () => {
    const before = posted.length
    await realTime(1_500, "further events would be posted")
    return posted.length === before
  })
  const last = posted.length
  press("r")
  await says("The last event is posted again;")
  await until(() => posted.length > last)
  expect(posted.slice(0, last)).toContain(posted.at(-1))

  expect((await ask("/sandbox/inbox")).body.messages).not.toEqual([])
  press("c")
  await until(async () => (await ask("/sandbox/inbox")).body.messages.length === 0)

  press("q")
  expect(await exited).toEqual([0, null])
  hooks.close()
})
