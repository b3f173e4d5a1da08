import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Settings from "../src/settings/Settings.ts"

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "carriers-"))
  path = join(folder, "carriers.json")
})

afterEach(() => rmSync(folder, { recursive: true }))

const read = (file: unknown, more: Readonly<Record<string, string>> = {}) => {
  writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file))
  return Settings.read({ CARRIERS: path, ...more })
}

const acme = { sms: "smpp://id@smsc.example:2775?window=50", password: "sesame" }
const tw = { sms: { twilio: { accountSid: "AC0123456789abcdef0123456789abcdef", authToken: "sesame" } } }

describe("the file of carriers", () => {
  it("has carriers, costs and routes, and secrets in files of their own", () => {
    writeFileSync(join(folder, "secret"), " open \r\n\n")
    const secret = { file: join(folder, "secret") }
    const { carriers } = Result.getOrThrow(
      read(
        {
          carriers: {
            acme: { ...acme, password: secret, cost: { "49": 0.061 } },
            tw: { sms: { twilio: { ...tw.sms.twilio, authToken: secret } } }
          },
          routes: [{ channel: "sms", to: "49", via: ["acme", "tw"], choose: "cheapest" }]
        },
        { PUBLIC_URL: "https://otp.example" }
      )
    )
    const { carriers: all, routes } = Option.getOrThrow(carriers)
    const [one, two] = all
    expect(
      one?.by._tag === "Smpp" &&
        one.by.options.links.map(({ carrier, password, window }) => [carrier, Redacted.value(password), window])
    ).toEqual([["acme", "open", 50]])
    expect(two?.by._tag === "Http" && two.by.http.options.callbackUrl).toBe("https://otp.example/v1/sms/events")
    expect(routes.get("sms")?.byPrefix.get("49")?.choose).toBe("cheapest")
  })

  it("without routes has one route over all carriers, in their order", () => {
    const { carriers } = Result.getOrThrow(read({ carriers: { acme, tw } }))
    const route = Option.getOrThrow(carriers).routes.get("sms")?.byPrefix.get("*")
    expect([route?.choose, route?.via.map(({ carrier }) => carrier)]).toEqual(["order", ["acme", "tw"]])
  })

  it("has the numbers that users write to, of links that receive and of providers", () => {
    const urls = "smpp://id:pw@a.example?bind=transmitter,smpp://id:pw@a.example?bind=receiver"
    const receives = ["+491713920000", "+441632960001"]
    const { carriers } = Result.getOrThrow(
      read({ carriers: { acme: { sms: urls, receives }, tw: { ...tw, receives: receives.slice(1) } } })
    )
    const [one, two] = Option.getOrThrow(carriers).carriers
    expect(one?.by._tag === "Smpp" && one.by.options.links.map((link) => link.receives)).toEqual([[], receives])
    expect(two?.by._tag === "Http" && two.by.http.options.receives).toEqual(["+441632960001"])
    const [before] = Option.getOrThrow(Result.getOrThrow(read({ carriers: { acme: { sms: urls } } })).carriers).carriers
    expect(before?.connection).not.toBe(one?.connection)
  })

  const routed = (route: object) => ({
    carriers: { acme, tw },
    routes: [{ channel: "sms", to: "*", via: ["acme"], ...route }]
  })

  it.each<[string, () => unknown, string]>([
    ["is not JSON", () => "{", "names a file that is not JSON"],
    ["has no carriers", () => ({ carriers: {} }), "carriers must have a carrier"],
    [
      "has another field",
      () => ({ carriers: { acme }, route: [] }),
      "route is not a field; use one of carriers, routes"
    ],
    [
      "has a name with a space",
      () => ({ carriers: { "a b": acme } }),
      "carriers.a b must have a name of 1 to 32 small letters, digits, - and _"
    ],
    [
      "has a carrier without a connection",
      () => ({ carriers: { acme: {} } }),
      'carriers.acme.sms is required: an SMPP URL, or {"twilio": {…}}, {"vonage": {…}} or {"generic": {…}}; or call, a SIP URL'
    ],
    [
      "has a URL that cannot be read",
      () => ({ carriers: { acme: { sms: "smpp://id:sesame@host?windows=1" } } }),
      "carriers.acme.sms cannot be used: "
    ],
    [
      "has an unknown provider",
      () => ({ carriers: { tw: { sms: { twillio: {} } } } }),
      "carriers.tw.sms.twillio is no provider; use twilio, vonage or generic"
    ],
    [
      "has a provider without its account",
      () => ({ carriers: { tw: { sms: { twilio: { authToken: "sesame" } } } } }),
      "carriers.tw.sms.twilio.accountSid is required"
    ],
    [
      "has a password beside a provider",
      () => ({ carriers: { tw: { ...tw, password: "sesame" } } }),
      "carriers.tw.password is for an SMPP or SIP URL: leave it out"
    ],
    [
      "has a carrier of two channels",
      () => ({ carriers: { acme: { ...acme, call: "sip:host" } } }),
      "carriers.acme must be of sms or of call: give each a name of its own"
    ],
    [
      "has a trunk that cannot be read",
      () => ({ carriers: { trunk: { call: "sip:id:sesame@host;cp=1" } } }),
      "carriers.trunk.call cannot be used: "
    ],
    [
      "has a text carrier with a local address",
      () => ({ carriers: { acme: { ...acme, listen: "127.0.0.1:0" } } }),
      "carriers.acme.listen is only for calls: leave it out"
    ],
    [
      "has a number of ours without its plus sign",
      () => ({ carriers: { acme: { ...acme, receives: ["491713920000"] } } }),
      "carriers.acme.receives must be 1 to 100 different numbers of yours"
    ],
    [
      "has a number of ours as a text",
      () => ({ carriers: { tw: { ...tw, receives: "+491713920000" } } }),
      "carriers.tw.receives must be 1 to 100 different numbers of yours"
    ],
    [
      "has numbers of ours twice",
      () => ({ carriers: { acme: { sms: "smpp://id@host?receives=+491713920000", receives: ["+491713920000"] } } }),
      "carriers.acme.receives is in the URL, too: leave one out"
    ],
    [
      "has numbers of ours and sends only",
      () => ({ carriers: { acme: { sms: "smpp://id@host?bind=transmitter", receives: ["+491713920000"] } } }),
      "carriers.acme.receives needs a link that receives: these are transmitters"
    ],
    [
      "has a cost below a micro-euro",
      () => ({ carriers: { acme: { ...acme, cost: { "49": "0.0000001" } } } }),
      "carriers.acme.cost.49 must be an amount of EUR, 0 or more, with at most six decimals"
    ],
    [
      "names a missing file",
      () => ({ carriers: { acme: { ...acme, password: { file: "/nowhere" } } } }),
      "carriers.acme.password.file names the file /nowhere, which cannot be read: no such file"
    ],
    [
      "has a password with a line end",
      () => ({ carriers: { acme: { ...acme, password: "sesame\n" } } }),
      "carriers.acme.password must have no blanks around it, no line ends and no invisible characters"
    ],
    [
      "names itself",
      () => ({ carriers: { acme: { ...acme, password: { file: path } } } }),
      "carriers.acme.password.file names this file itself: name a file that has only the secret"
    ],
    [
      "has a route over a carrier that there is not",
      () => routed({ via: ["acne"] }),
      'routes[0].via[0] names "acne", which is not among the carriers: use acme, tw'
    ],
    [
      "has a route without a channel",
      () => ({ carriers: { acme }, routes: [{ to: "*", via: ["acme"] }] }),
      "routes[0].channel is required: sms or call"
    ],
    [
      "has a route of calls over a carrier of texts",
      () => routed({ channel: "call" }),
      "routes[0].via[0] names acme, a carrier of sms and not of call: add one of call"
    ],
    [
      "has weights of 0 alone",
      () => routed({ via: [{ carrier: "acme", weight: 0 }] }),
      "routes[0].via must have a weight above 0"
    ]
  ])("that %s is refused in one sentence that names the place and the fix", (_, file, sentence) => {
    const { message, setting } = Result.getOrThrow(Result.flip(read(file())))
    expect(setting).toBe("CARRIERS")
    expect(message).toContain(sentence)
    expect(
      message.startsWith(`CARRIERS names ${message.includes("not JSON") ? "a file" : `the file ${path}, in which`}`)
    ).toBe(true)
    expect(message.split("\n")).toHaveLength(1)
    expect(message).not.toContain("sesame")
  })

  it("excludes the settings of a single carrier", () => {
    for (const [name, value] of [
      ["SMPP_URL", "smpp://id:sesame@host"],
      ["SMS_HTTP_PROVIDER", "twilio"]
    ] as const) {
      const { message } = Result.getOrThrow(Result.flip(read({ carriers: { acme } }, { [name]: value })))
      expect(message).toContain(`${name} must not be set together with CARRIERS`)
    }
    const trunk = { call: "sip:host" }
    const both = Result.getOrThrow(Result.flip(read({ carriers: { trunk } }, { SIP_URL: "sip:host" })))
    expect(both.message).toContain("SIP_URL must not be set together with CARRIERS")
    Result.getOrThrow(read({ carriers: { acme } }, { SIP_URL: "sip:host" }))
  })
})
