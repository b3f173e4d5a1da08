/**
 * The text that an editor shows to programmers who embed the library.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createWatchword, memory } from "watchword"
import { join } from "node:path"
import { type LanguageServer, MARK, start } from "./languageServer.ts"
import { read, root } from "./words.ts"

let server: LanguageServer

beforeAll(async () => {
  server = await start()
})

afterAll(() => server.close())

const PROGRAM = `
import { createWatchword } from "watchword"
import { sqlite } from "@watchword/store-sqlite"

const service = await createWatchword({ store: sqlite("app.db") })
const account = ""
`

const hovers = (name: string, lines: ReadonlyArray<string>) =>
  server.hovers(`examples/in-process/src/${name}.ts`, [PROGRAM, ...lines].join("\n"))

/** The paths of all methods of a value: `verify.start`. */
const methodsOf = (value: object, prefix = ""): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member === "function") return [`${prefix}${name}`]
    return typeof member === "object" && member !== null ? methodsOf(member, `${prefix}${name}.`) : []
  })

/** The comment after the block of code. */
const commentOf = (hover: string): string => hover.split("```").at(-1)?.trim() ?? ""

type Module = readonly [folder: string, subpath: string]

/** The modules that apps import, by package folder. */
const MODULES: ReadonlyArray<Module> = [
  ["packages/watchword", "."],
  ...["express", "fastify", "fetch", "node", "cloudflare-workers", "better-auth", "camara-otp", "vonage-verify"].map(
    (name): Module => [`adapters/${name}`, "."]
  ),
  ...["logto", "supabase", "zitadel"].map((name): Module => ["adapters/auth-hooks", `./${name}`]),
  ...["store-sqlite", "store-postgres", "store-d1"].map((name): Module => [`adapters/${name}`, "."]),
  ["packages/sms", "./smpp"],
  ["packages/sms", "./http"],
  ["packages/call", "./sip"],
  ["packages/chatgw", "./telegram"],
  ["packages/bizchat", "./whatsapp"],
  ["packages/client", "."],
  ["packages/form", "."],
  ["packages/testing", "."]
]

/** Functions for programs written with Effect. */
const OF_EFFECT = /^(?:layer|make|fromUrls?)$/

/** The name of a module, and its functions that apps call. */
const functionsOf = async (folder: string, subpath: string) => {
  const manifest: { readonly name: string; readonly exports: Readonly<Record<string, string>> } = JSON.parse(
    read(`${folder}/package.json`)
  )
  const exported: Readonly<Record<string, unknown>> = await import(join(root, folder, manifest.exports[subpath] ?? ""))
  const functions = Object.keys(exported).filter((name) => /^[a-z]/.test(name) && typeof exported[name] === "function")
  return { module: manifest.name + subpath.slice(1), functions: functions.filter((name) => !OF_EFFECT.test(name)) }
}

describe("an editor shows", () => {
  it.each(MODULES)("functions of %s, %s, without types of Effect", async (folder, subpath) => {
    const { functions, module } = await functionsOf(folder, subpath)
    expect(functions).not.toEqual([])
    const found = await server.hovers(
      `${folder}/src/hovered.ts`,
      functions.map((name) => `import { ${MARK}${name} } from "${module}"`).join("\n")
    )
    const shown = found.map((hover, index) => `${functions[index]}: ${hover.split("```")[1] ?? hover}`)
    expect(shown.filter((each) => !each.includes("(alias)"))).toEqual([])
    expect(shown.filter((each) => /\b(?:Layer|Effect|Context)[.<]/.test(each))).toEqual([])
  })

  it("a comment for every method of a service", async () => {
    const service = await createWatchword({ store: memory() })
    await service.dispose()
    const { endpoints: _, ...shown } = service
    const methods = methodsOf(shown)
    expect(methods).toEqual(expect.arrayContaining(["verify.start", "sms.list", "operator.webhook.add"]))
    const found = await hovers(
      "methods",
      methods.map((path) => `service.${path.replace(/(\w+)$/, `${MARK}$1`)}`)
    )
    const without = methods.filter((_, index) => !/\w/.test(commentOf(found[index] ?? "")))
    expect(without).toEqual([])
  })

  it("named types in whole, with the caller in front", async () => {
    const found = await hovers("types", [
      `await service.verify.${MARK}start(account, { to: "" })`,
      `await service.verify.${MARK}check(account, "", { code: "" })`,
      `await service.sms.${MARK}send(account, { to: "", text: "" })`,
      `await service.sms.${MARK}list(account)`,
      `await service.chatgw.${MARK}list(account)`,
      `await service.verify.${MARK}next(account, "")`,
      `await service.sandbox.${MARK}clear(account)`
    ])
    for (const [index, type] of [
      "(caller: Caller, body: StartVerification, keys?: Keys) => Promise<Verification>",
      "(caller: Caller, verification: string | VerifiedNumber, entered: EnteredCode, keys?: Keys) => Promise<VerificationChecked>",
      "(caller: Caller, message: SendSms, keys?: Keys) => Promise<SmsSent>",
      "(caller: Caller, body?: ListBody<Sdr>) => Listing<Sdr>",
      "(caller: Caller, body?: ListBody<Tdr>) => Listing<Tdr>",
      "(caller: Caller, id: string, body?: NextStep) => Promise<Verification>",
      "(caller: Caller) => Promise<void>"
    ].entries()) {
      expect(found[index]?.replaceAll(" | undefined", "")).toContain(type)
    }
  })

  it("a comment for each argument, with its unit and its bounds", async () => {
    const fields = [
      ["verify.start", ["to", "workflow", "purpose", "code_length", "ttl", "max_checks", "max_sends", "locale"]],
      ["verify.start", ["template", "variables", "app_hash", "web_origin", "code", "replace", "metadata"]],
      ["verify.start", ["client_ip", "client_ref", "trusted"]],
      ["sms.send", ["to", "text", "from", "ttl", "tlvs"]],
      ["sms.list", ["page", "rows_per_page", "sort_by", "sort_direction", "filter"]],
      ["sms.report", ["id", "status"]],
      ["call.flash", ["callee", "caller", "max_ring_time"]],
      ["chatgw.send", ["to", "code", "ttl", "sender_username", "callback_url"]],
      ["bizchat.send", ["to", "text", "code", "locale"]],
      ["sandbox.inbox", ["to", "channel", "after", "wait"]]
    ] as const
    const given = (names: ReadonlyArray<string>) => names.map((name) => `${MARK}${name}: x`).join(", ")
    const found = await hovers("fields", [
      "declare const x: never",
      ...fields.map(([method, names]) => `service.${method}(account, { ${given(names)} })`),
      `service.verify.check(account, { ${given(["to", "purpose"])} }, { ${given(["code"])} })`,
      `service.operator.account.create({ ${given(["name", "caller", "sms_sender", "sender_username", "min_ring", "max_ring", "store_text"])} })`,
      `service.operator.key.create({ ${given(["account_id", "sandbox", "scopes", "allow", "expires"])} })`,
      `service.operator.webhook.add({ ${given(["url", "events", "account_id"])} })`,
      `service.sms.send(account, x, { ${given(["requestId", "idempotencyKey"])} })`
    ])
    expect(found.filter((hover) => !/\w/.test(commentOf(hover)))).toEqual([])
    expect(found[3]).toContain("4 to 10 digits")
  })
})
