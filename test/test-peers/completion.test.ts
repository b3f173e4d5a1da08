/**
 * Six tasks of a newcomer with the tarballs in an empty folder, by the names, comments, signatures and mistakes that an
 * editor shows. Each task ends with a program that compiles and runs in the sandbox.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type LanguageServer, MARK, start } from "../languageServer.ts"
import { setup } from "../published/build.ts"
import { install } from "../published/consumers.ts"
import { packages } from "../published/packages.ts"
import { pack, run } from "../published/tarballs.ts"

// It builds, packs and installs all packages.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

const folder = realpathSync(mkdtempSync(join(tmpdir(), "watchword-completion-")))
const app = join(folder, "app")
const compilerOptions = { module: "nodenext", target: "es2024", strict: true, noEmit: true }

let editor: LanguageServer

beforeAll(async () => {
  await setup()
  const manifest = packages.find(({ name }) => name === "watchword")?.manifest
  const others = Object.keys(manifest?.peerDependencies ?? {}).map((name) => [name, null] as const)
  await install(folder, [{ path: "app", ours: ["watchword"], others, files: {} }], await pack(join(folder, "tarballs")))
  writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions }))
  editor = await start(app)
})

afterAll(async () => {
  await editor.close()
  rmSync(folder, { recursive: true, force: true })
})

const SERVICE = `import { createWatchword, memory } from "watchword"

const service = await createWatchword({ store: memory() })
const { account_id: account } = await service.operator.account.create({ name: "Acme" })
const sandbox = { account, sandbox: true }
`
const STARTED = `${SERVICE}const { id } = await service.verify.start(sandbox, { to: "+4915123456789" })
`

/** The list's name for `[Symbol.asyncDispose]`. */
const WELL_KNOWN = "Symbol"

const offered = async (code: string): Promise<ReadonlyArray<string>> => {
  const [names = []] = await editor.completions("main.ts", code)
  return names.filter((name) => name !== WELL_KNOWN)
}

/** The comment behind the block of code, on one line. */
const commentOf = (hover: string): string => (hover.split("```").at(-1) ?? "").trim().replaceAll(/\s+/g, " ")

interface Task {
  readonly name: string
  /** The lines before the call. */
  readonly before: string
  /** The names on the way to the function. */
  readonly path: ReadonlyArray<string>
  /** Words of the function's comment: its use, its errors. */
  readonly said: ReadonlyArray<string>
  /** The arguments up to the fields, with a mark there. */
  readonly argument: string
  /** Fields of the list, with words of their comments: units and bounds. */
  readonly fields: Readonly<Record<string, string>>
  readonly line: string
  readonly output: ReadonlyArray<string>
}

const tasks: ReadonlyArray<Task> = [
  {
    name: "starts a verification",
    before: SERVICE,
    path: ["verify", "start"],
    said: ["Sends a code", "400", "`issues`", "429", "`reason`", "`resend`"],
    argument: `(sandbox, { ${MARK} })`,
    fields: { to: "E.164", ttl: "Seconds", code_length: "4 to 10 digits", max_checks: "wrong codes" },
    line: `const started = await service.verify.start(sandbox, { to: "+4915123456789", ttl: 300 })
console.log(started.status, started.to, Date.parse(started.expires_at) - Date.parse(started.created_at))`,
    output: ["pending +4915123456789 300000"]
  },
  {
    name: "checks the code",
    before: STARTED,
    path: ["verify", "check"],
    said: ["the user's entry", "`valid` is false", "conflict", "429"],
    argument: `(sandbox, id, { ${MARK} })`,
    fields: { code: "4 to 10 digits" },
    line: `const { messages } = await service.sandbox.inbox(sandbox)
const checked = await service.verify.check(sandbox, id, { code: messages[0]?.code ?? "" })
console.log(checked.valid, checked.status)`,
    output: ["true approved"]
  },
  {
    name: "sends the code again",
    before: `import { WatchwordError } from "watchword"\n${STARTED}`,
    path: ["verify", "resend"],
    said: ["Sends the same code again", "`resend_too_soon`", "seconds", "conflict"],
    argument: `({ ${MARK} }, id)`,
    fields: { account: "acc_", sandbox: "no cost" },
    line: `try {
  await service.verify.resend(sandbox, id)
} catch (error) {
  if (!(error instanceof WatchwordError)) throw error
  console.log(error.code, error.reason, error.retryAfter)
}`,
    output: ["TOO_MANY_REQUESTS resend_too_soon 30"]
  },
  {
    name: "lists verifications",
    before: STARTED,
    path: ["verify", "list"],
    said: ["the newest first", "`await`", "`for await`"],
    argument: `(sandbox, { ${MARK} })`,
    fields: { rows_per_page: "1 to 100", filter: "Conditions", sort_by: "time" },
    line: `const page = await service.verify.list(sandbox, { filter: { status: "pending" }, rows_per_page: 10 })
console.log(page.total, page.has_next_page)
for await (const { to } of service.verify.list(sandbox)) console.log(to)`,
    output: ["1 false", "+4915123456789"]
  },
  {
    name: "blocks a prefix",
    before: SERVICE,
    path: ["operator", "guard", "block"],
    said: ["Refuse sends", "prefix", "for a time"],
    argument: `({ ${MARK} })`,
    fields: { place: "First digits", for: "in seconds", account_id: "all accounts by default" },
    line: `const blocked = await service.operator.guard.block({ place: "+2348", for: 3600 })
const { guards } = await service.operator.guard.list()
console.log(new Date(blocked.until) > new Date(), guards[0]?.blocks[0]?.place)`,
    output: ["true +2348"]
  }
]

/** The longest list that a newcomer reads. */
const GLANCE = 30

describe("a newcomer", () => {
  it.each(tasks)("$name", async ({ argument, before, fields, line, output, path, said }) => {
    let subject = "service"
    for (const member of path) {
      const names = await offered(`${before}${subject}.${MARK}`)
      const within = `${before}${subject}.`
      expect([subject, names.slice(0, GLANCE)]).toEqual([subject, names])
      expect(names).toContain(member)
      expect([subject, await uncommented(names, (marked) => `${within}${marked}`)]).toEqual([subject, []])
      subject = `${subject}.${member}`
    }
    const called = `${before}${subject.replace(/\w+$/, `${MARK}$&`)}`
    const [shown = ""] = await editor.hovers("main.ts", called)
    expect(said.filter((part) => !commentOf(shown).includes(part))).toEqual([])
    // An alias of the library's own says nothing.
    expect(shown).not.toMatch(/Field<|Convention/)

    const [signature = ""] = await editor.signatures("main.ts", `${before}${subject}(${MARK})`)
    expect(signature).toMatch(/^\w+\(.*\): \S/)
    const names = await offered(`${before}${subject}${argument}`)
    expect(names).toEqual(expect.arrayContaining(Object.keys(fields)))
    const write = (marked: string) => `${before}${subject}${argument.replace(MARK, `${marked}: undefined`)}`
    expect(await uncommented(names, write)).toEqual([])
    for (const [field, words] of Object.entries(fields)) {
      expect([field, await commentAt(write(`${MARK}${field}`))]).toEqual([field, expect.stringContaining(words)])
    }

    const program = `${before}${line}\nawait service.dispose()\n`
    expect(await editor.diagnostics("main.ts", program)).toEqual([])
    expect((await ran(program)).trim().split("\n")).toEqual(output)
  })

  it("learns from a mistake that a block lasts seconds", async () => {
    const block = (time: string) => `service.operator.guard.block({ place: "+2348", for: ${time} })`
    expect(await editor.diagnostics("main.ts", `${SERVICE}await ${block('"1h"')}`)).toEqual([
      "Type 'string' is not assignable to type 'number'."
    ])
    expect(await commentAt(`${SERVICE}${block("1").replace("for", `${MARK}for`)}`)).toContain("in seconds")
    const program = `${SERVICE}await ${block("3_600_000")}.catch((error) => console.log(error.code, error.message))
await service.dispose()
`
    expect(await editor.diagnostics("main.ts", program)).toEqual([])
    expect(await ran(program)).toBe("BAD_REQUEST for must be whole seconds, 1 to 2592000 (30 days).\n")
  })

  it("reads the fields of answers and errors", async () => {
    const errors = `import { WatchwordError } from "watchword"\ndeclare const error: WatchwordError\n`
    const answers = {
      started: `${SERVICE}const started = await service.verify.start(sandbox, { to: "" })\n`,
      checked: `${STARTED}const checked = await service.verify.check(sandbox, id, { code: "" })\n`,
      page: `${SERVICE}const page = await service.verify.list(sandbox)\n`,
      error: errors
    }
    for (const [subject, code] of Object.entries(answers)) {
      const names = (await offered(`${code}${subject}.${MARK}`)).filter((name) => !OF_ERRORS.has(name))
      expect(names.length).toBeGreaterThan(3)
      expect([subject, await uncommented(names, (marked) => `${code}${subject}.${marked}`)]).toEqual([subject, []])
    }
    expect(await commentAt(`${errors}error.${MARK}retryAfter`)).toContain("Seconds")
  })
})

/** Members of every error: of JavaScript and of Effect. */
const OF_ERRORS: ReadonlySet<string> = new Set("name message stack cause attributes ignore severity".split(" "))

const commentAt = async (code: string): Promise<string> => {
  const [hover = ""] = await editor.hovers("main.ts", code)
  return commentOf(hover)
}

/** The names without a comment. */
const uncommented = async (
  names: ReadonlyArray<string>,
  write: (marked: string) => string
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const name of names) if (!/\w/.test(await commentAt(write(`${MARK}${name}`)))) found.push(name)
  return found
}

const ran = (program: string): Promise<string> => {
  writeFileSync(join(app, "main.ts"), program)
  return run(process.execPath, ["main.ts"], app)
}
