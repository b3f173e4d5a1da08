/**
 * The start's lines about its settings: the live parts, and misspelt variable names.
 */
import { writeFile } from "node:fs/promises"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { live } from "../src/Live.ts"
import { variables } from "../src/settings/All.ts"
import { slips } from "../src/settings/Names.ts"
import { baseUrlOf } from "../src/settings/ServerSettings.ts"
import * as Settings from "../src/settings/Settings.ts"
import { warnings } from "../src/Warnings.ts"
import { start } from "./Standalone.ts"

const { file } = folderForAll()
const read = (environment: Readonly<Record<string, string>>) => Result.getOrThrow(Settings.read(environment))

describe("what is live", () => {
  it("is nothing but the store and the sandbox without settings", () => {
    expect(live(read({}))).toBe(
      "live: call none · sms none · chatgw none · bizchat none · store sqlite watchword.db · sandbox on · guards default"
    )
  })

  it("has the hosts of each channel and no secret", () => {
    const settings = read({
      DATABASE_URL: "postgres://watchword:sesame@db.example.com:5433/otp?sslmode=require",
      SMPP_URL: "smpp://id:sesame@smsc.example.com,ssmpp://id:sesame@second.example.com:3551",
      SIP_URL: "sip:id:sesame@trunk.example.com;transport=tls",
      CHATGW_TOKEN: "sesame",
      BIZCHAT_TOKEN: "sesame",
      BIZCHAT_PHONE_NUMBER_ID: "106540352242922",
      BIZCHAT_URL: "https://graph.example.com/v23.0"
    })
    expect(live(settings)).toBe(
      "live: call trunk.example.com · sms smsc.example.com:2775, second.example.com:3551 · " +
        "chatgw gatewayapi.telegram.org · bizchat graph.example.com · store postgres db.example.com:5433/otp · sandbox on · " +
        "guards default"
    )
  })

  it("has the rules of guards in force, and how many accounts have others", () => {
    const guards = live(read({ GUARDS: "none" }), { own: 3, none: 1 })
    expect(guards).toMatch(/guards none \(accounts with rules of their own: 3, of which guard nothing: 1\)$/)
  })

  it("is printed by the start, and slips beside it", async () => {
    const server = await start({
      DATABASE_URL: "sqlite::memory:",
      HOST: "0.0.0.0",
      DEMO: "no",
      SMPP_URLS: "smpp://id:sesame@smsc.example.com"
    })
    expect(server.printed()).toContain("live: call none · sms none")
    expect(server.printed()).toMatch(/serves http:\/\/127\.0\.0\.1:\d+\/v1 on all addresses of this machine/)
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(server.printed()).toContain("SMPP_URLS is not a setting and is ignored; did you mean SMPP_URL?")
    expect(server.printed()).not.toMatch(/sesame|demo account/)
  })
})

describe("the names of settings", () => {
  it.each([
    ["SMPP_URLS", "SMPP_URL"],
    ["SMPP_HOST", "SMPP_URL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["smpp_url", "SMPP_URL"],
    ["SMTP_HOST", "SMTP_URL"],
    ["PRICE", "PRICES"],
    ["PRICES_FILE", "PRICES"],
    ["CHATGW_TOKENFILE", "CHATGW_TOKEN_FILE"],
    ["BIZCHAT_PHONENUMBER_ID", "BIZCHAT_PHONE_NUMBER_ID"],
    ["HOOKS_ACCOUNT_ID", "HOOKS_ACCOUNT"],
    ["LOGTO_HOOK_SECRET", "LOGTO_HOOK_AUTHORIZATION"],
    ["WATCHWORD_PORT", "PORT"],
    ["watchword_port", "PORT"],
    ["WATCHWORD_DATABASE_URI", "DATABASE_URL"]
  ])("are told from %s, a slip of %s", (name, meant) => {
    expect(slips({ [name]: "sesame" })).toEqual([`${name} is not a setting and is ignored; did you mean ${meant}?`])
  })

  it("leave variables of others alone", () => {
    const others = ["HOSTNAME", "HOSTTYPE", "PATH", "SPORT", "npm_config_registry", "OTEL_SERVICE_NAME", "NODE_OPTIONS"]
    expect(slips(Object.fromEntries([...others, ...variables].map((name) => [name, "1"])))).toEqual([])
    expect(slips({ SMPP_URLS: "" })).toEqual([])
  })

  it("have no prefix", () => {
    expect(slips({ WATCHWORD_REGION: "eu" })).toEqual([
      "WATCHWORD_REGION is not a setting and is ignored; names of settings have no prefix."
    ])
  })

  it("are not mixed up with the links that Kubernetes makes for a service called watchword", () => {
    const links = {
      WATCHWORD_PORT: "tcp://10.0.0.1:8080",
      WATCHWORD_PORT_8080_TCP_ADDR: "10.0.0.1",
      WATCHWORD_SERVICE_HOST: "10.0.0.1",
      WATCHWORD_SERVICE_PORT_HTTP: "8080"
    }
    expect(slips(links)).toEqual([])
  })
})

describe("a demo account", () => {
  it.each([
    [{}, true],
    [{ SMPP_URL: "smpp://id:secret@127.0.0.1" }, false],
    [{ SIP_URL: "sip:id:secret@127.0.0.1" }, false],
    [{ CHATGW_TOKEN: "t" }, false],
    [{ SMPP_URL: "smpp://id:secret@127.0.0.1", DEMO: "yes" }, true],
    [{ DEMO: "no" }, false]
  ])("with %o is wanted: %s", (environment, wanted) => {
    expect(read(environment).demo).toBe(wanted)
  })
})

describe("a warning", () => {
  it("says that the chat gateway cannot report", () => {
    const reports = (environment: Readonly<Record<string, string>>) =>
      warnings(read(environment)).filter((warning) => warning.startsWith("PUBLIC_URL"))
    expect(reports({ CHATGW_TOKEN: "t" })).toHaveLength(1)
    expect(reports({ CHATGW_TOKEN: "t", PUBLIC_URL: "https://otp.example.com" })).toEqual([])
    expect(reports({})).toEqual([])
  })

  it("says that names at WhatsApp cannot be right", () => {
    const account = { BIZCHAT_TOKEN: "t", BIZCHAT_PHONE_NUMBER_ID: "106540352242922", BIZCHAT_TEMPLATE: "otp_2" }
    const told = (changed: object) => warnings(read({ ...account, ...changed })).map((warning) => warning.split(" ")[0])
    expect(told({})).toEqual([])
    expect(told({ BIZCHAT_PHONE_NUMBER_ID: "abc" })).toEqual(["BIZCHAT_PHONE_NUMBER_ID"])
    expect(told({ BIZCHAT_TEMPLATE: "my otp" })).toEqual(["BIZCHAT_TEMPLATE"])
  })

  it("says that PUBLIC_URL has the base path, which is put behind it once", () => {
    const settings = (publicUrl: string, more: Readonly<Record<string, string>> = {}) =>
      read({ CHATGW_TOKEN: "t", PUBLIC_URL: publicUrl, ...more })
    const outcome = (given: Settings.Settings) => [
      baseUrlOf(given, ""),
      Option.getOrNull(given.chatgw)?.callbackUrl,
      warnings(given).length
    ]
    const right = ["https://otp.example.com/v1", "https://otp.example.com/v1/chatgw/events"]
    expect(outcome(settings("https://otp.example.com"))).toEqual([...right, 0])
    expect(outcome(settings("https://otp.example.com/v1/"))).toEqual([...right, 1])
    expect(warnings(settings("https://otp.example.com/v1"))[0]).toMatch(/^PUBLIC_URL ends with \/v1, .*BASE_PATH/)
    const root = outcome(settings("https://otp.example.com/v1", { BASE_PATH: "/" }))
    expect(root).toEqual([...right, 0])
    const named = outcome(settings("https://otp.example.com", { BASE_PATH: "/otp.example.com" }))
    expect(named[0]).toBe("https://otp.example.com/otp.example.com")
  })

  it("names what is live and has no price", async () => {
    const priced = async (table: object) => {
      await writeFile(file("prices.json"), JSON.stringify(table))
      const live = { SMPP_URL: "smpp://id:secret@127.0.0.1", SIP_URL: "sip:id:secret@127.0.0.1" }
      return warnings(read({ ...live, PRICES: file("prices.json") })).filter((each) => each.startsWith("live"))
    }
    const told = (products: string) => [expect.stringContaining(`live without a price: ${products}.`)]
    expect(await priced({ sms: { "*": 0.05 }, call: { "49": 0.02 } })).toEqual([])
    expect(await priced({ sms: { "*": 0.05 } })).toEqual(told("call"))
    expect(await priced({ sms: {} })).toEqual(told("call, sms"))
    expect(await priced({})).toEqual(told("call, sms"))
  })

  it("names the countries that share a price, unless rules say whom sends go to", async () => {
    const SMPP_URL = "smpp://id:secret@127.0.0.1"
    const warned = async (table: object, rules?: object) => {
      await writeFile(file("prices.json"), JSON.stringify(table))
      await writeFile(file("guards.json"), JSON.stringify(rules ?? {}))
      const GUARDS = rules === undefined ? {} : { GUARDS: file("guards.json") }
      return warnings(read({ SMPP_URL, PRICES: file("prices.json"), ...GUARDS }))
    }
    const sms = { "1": 0.01, "1876": 0.2, "39": 0.04, "44": 0.04, "49": 0.04, "7": 0.03 }
    const told = await warned({ sms, call: { "1": 0.01 } })
    expect(told).toEqual([
      expect.stringMatching(/^PRICES, 1 \(sms\): .* US, AG, .*JM/),
      expect.stringMatching(/^PRICES, 7 \(sms\): .* RU, KZ\./),
      expect.stringMatching(/^PRICES, 44 \(sms\): .* GB, GG, IM, JE\./)
    ])
    expect(await warned({ sms }, { action: "deny", countries: { allow: ["US", "DE"] } })).toEqual([])
    expect(await warned({ sms }, { action: "record", countries: { allow: ["US", "DE"] } })).toHaveLength(3)
    expect(await warned({ sms: { "49": 0.04, "1876": 0.2, "4478": 0.04 } })).toEqual([])
  })

  it("names the numbers of no country that * sells, unless rules refuse them", async () => {
    const warned = async (sms: object, rules?: object) => {
      await writeFile(file("prices.json"), JSON.stringify({ sms }))
      await writeFile(file("guards.json"), JSON.stringify(rules ?? {}))
      const GUARDS = rules === undefined ? {} : { GUARDS: file("guards.json") }
      return warnings(read({ SMPP_URL: "smpp://id:secret@127.0.0.1", PRICES: file("prices.json"), ...GUARDS }))
    }
    expect(await warned({ "*": 0.05 })).toEqual([expect.stringMatching(/^PRICES, \* \(sms\): .*\+870, \+878, \+881/)])
    expect(await warned({ "*": 0.05 }, { action: "deny", countries: { deny: ["001"] } })).toEqual([])
    const own = { "870": 5, "878": 5, "881": 5, "882": 5, "883": 5 }
    expect(await warned({ "*": 0.05, ...own })).toEqual([])
    expect(await warned({ "49": 0.05 })).toEqual([])
    const allow = { action: "deny", countries: { allow: ["EH", "DE"] } }
    expect(await warned({ "*": 0.05 }, allow)).toEqual([expect.stringMatching(/^GUARDS: countries\.allow has EH/)])
  })
})
