import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { installationForAll, serverForAll } from "./Installation.ts"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../../..", import.meta.url))

const installation = installationForAll()
const { running } = serverForAll(installation)
let account: string
let key: string

beforeAll(() => {
  const server = running()
  account = /account id +(\S+)/.exec(server.printed())?.[1] ?? ""
  key = /key +(sk_test_\S+)/.exec(server.printed())?.[1] ?? ""
})

/** One command of a page, and the answer that the page shows for it; empty if it shows none. */
interface Step {
  readonly command: string
  readonly promised: string
}

/** The commands of a page's blocks of shell. */
const stepsOf = (page: string): ReadonlyArray<Step> =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = ""]) => [...block.matchAll(/^(?!#)((?:.*\\\n)*.*\n)((?:#.*\n)*)/gm)])
    .map(([, command = "", promised = ""]) => ({
      command: command.trim(),
      promised: promised.replaceAll(/^# */gm, "").replaceAll("\n", "")
    }))

/** Steps that a test takes otherwise: it has a server, its account and its key. */
const isSetUp = ({ command }: Step): boolean => /^(git clone|npm run --silent watchword -- dev|export )/.test(command)

const shell = async (command: string): Promise<string> => {
  const { stdout } = await run("sh", ["-c", command], {
    cwd: root,
    env: { PATH: process.env["PATH"], ACCOUNT: account, KEY: key, ...installation.environment() }
  })
  return stdout
}

/** Whether an answer is as the page shows it: `…` matches anything, and the page's ids match any others. */
const isAsPromised = (answer: string, promised: string): boolean => {
  const escaped = promised.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", "[^]*?")
  return new RegExp(`^${escaped.replaceAll("01M7[^]*?", "[0-9A-Z]+")}`).test(answer)
}

describe("docs/verify.md", () => {
  it("can be followed word by word, and each command is answered as it says", async () => {
    const page = await readFile(join(root, "docs/verify.md"), "utf8")
    const steps = stepsOf(page).filter((step) => !isSetUp(step))
    expect(steps.length).toBeGreaterThan(10)
    const codeOfPage = /"code":"(\d{6})"/.exec(page)?.[1] ?? ""
    let code = codeOfPage
    let verification = ""
    for (const { command, promised } of steps) {
      const told = command
        .replaceAll("http://127.0.0.1:8585/v1", running().baseUrl)
        .replaceAll("acc_…", account)
        .replaceAll("vrf_01M7…", verification)
        .replaceAll(codeOfPage, code)
      const isCurl = told.startsWith("curl ")
      const printed = await shell(isCurl ? `${told} -s -w '\n%{http_code}'` : told)
      const [answer = "", status] = printed.split("\n")
      if (!isCurl) continue
      expect([status, told, answer]).toEqual(["200", told, answer])
      const shown = JSON.parse(answer)
      if (/\/verifications /.test(told)) verification = String(shown.id)
      if (/\/sandbox\/inbox/.test(told)) code = String(shown.messages[0].code)
      expect([answer, isAsPromised(answer, promised.replaceAll(codeOfPage, code))]).toEqual([answer, true])
    }
  }, 120_000)

  it("has an example in TypeScript that does what it says", async () => {
    const page = await readFile(join(root, "docs/verify.md"), "utf8")
    const [, example = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? []
    const [, promised] = /console\.log\(.*\) \/\/ (.*)$/m.exec(example) ?? []
    const { stdout } = await run(process.execPath, ["--input-type=module-typescript", "-e", example], {
      cwd: join(root, "test")
    })
    expect(stdout.trim()).toBe(promised)
  })
})

describe("the introduction of a server", () => {
  it("fits one screen, and each of its commands works", async () => {
    const printed = running().printed()
    expect(printed.split("\n").length).toBeLessThan(40)
    const commands = printed.split(/\n\n/).filter((part) => part.startsWith("  curl "))
    expect(commands.length).toBe(3)
    const answers: Array<string> = []
    for (const command of commands) answers.push(await shell(`${command.trim()} -s`))
    expect(answers.map((answer) => Object.keys(JSON.parse(answer))[0])).toEqual(["messageId", "id", "messages"])
    expect(JSON.parse(answers[2] ?? "")).toMatchObject({ messages: [{ code: expect.stringMatching(/^\d{6}$/) }] })
  })
})
