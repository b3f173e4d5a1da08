/**
 * Settings of calls to us, and what `check` and the start say of them.
 */
import { writeFileSync } from "node:fs"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { selfSigned } from "../../../test/certificate.ts"
import { folderForEach } from "../../../test/folder.ts"
import { taken } from "../src/CallsToUs.ts"
import * as Settings from "../src/settings/Settings.ts"
import { warnings } from "../src/Warnings.ts"

const folder = folderForEach()
const certificate = selfSigned()

const fileOf = (name: string, text: string): string => {
  const path = folder.file(name)
  writeFileSync(path, text)
  return path
}

const read = (environment: Readonly<Record<string, string>>) => Result.getOrThrow(Settings.read(environment))

const wrong = (environment: Readonly<Record<string, string>>): string =>
  Result.match(Settings.read(environment), { onFailure: ({ message }) => message, onSuccess: () => "nothing" })

const SIP_URL = "sip:id:pw@trunk.example;receives=+493023125000"
const SIP_LISTEN = "192.0.2.10:5060"

const about = (environment: Readonly<Record<string, string>>) => {
  const settings = read(environment)
  return {
    taken: taken(settings),
    warned: warnings(settings).filter(
      (each) => /SIP_LISTEN|TLS|IDENTITY|listen|trusted/.test(each) && !/unencrypted/.test(each)
    )
  }
}

describe("calls to us", () => {
  it("are taken where the settings say, which the check repeats", () => {
    expect(about({ SIP_URL: `${SIP_URL};inbound=203.0.113.0/24`, SIP_LISTEN })).toEqual({
      taken: [
        "Calls of trunk.example and of inbound to +493023125000 are taken at 192.0.2.10:5060 over UDP; their callers are claimed."
      ],
      warned: []
    })
  })

  it("need an address that the trunk can reach", () => {
    const { warned } = about({ SIP_URL })
    expect(warned).toEqual([
      "SIP_LISTEN is 127.0.0.1:0, where no trunk can bring calls to the numbers in receives: it needs an address and a port that the trunk can reach."
    ])
  })

  it("over TLS need a certificate", () => {
    const SIP_TLS_CERT = fileOf("cert.pem", certificate.cert)
    const SIP_TLS_KEY = fileOf("key.pem", certificate.key)
    const url = "sips:id:pw@trunk.example;receives=+493023125000"
    const without = about({ SIP_URL: url, SIP_LISTEN })
    expect(without.taken[0]).toContain("over connections of ours;")
    expect(without.warned).toEqual([expect.stringContaining("set SIP_TLS_CERT and SIP_TLS_KEY")])
    const withOne = about({ SIP_URL: url, SIP_LISTEN, SIP_TLS_CERT, SIP_TLS_KEY })
    expect([withOne.taken[0], withOne.warned]).toEqual([expect.stringContaining("over TLS;"), []])
  })

  it("have callers whom networks vouch for", () => {
    const SIP_IDENTITY_ROOTS = fileOf("roots.pem", certificate.cert + certificate.cert)
    const identity = { SIP_IDENTITY_ROOTS, SIP_IDENTITY_HOSTS: "certs.example, Other.Example:8443" }
    const url = `${SIP_URL};trusted=yes`
    expect(about({ SIP_URL: url, SIP_LISTEN }).warned).toEqual([expect.stringContaining("is trusted over UDP")])
    expect(about({ SIP_URL: `${url};transport=tcp`, SIP_LISTEN }).warned).toEqual([])
    expect(about({ SIP_URL: url, SIP_LISTEN, ...identity }).taken[0]).toContain(
      "network by its P-Asserted-Identity and signatures by SIP_IDENTITY_ROOTS, and claimed otherwise"
    )
    const { sip } = read({ SIP_URL: url, ...identity })
    expect(Option.getOrThrow(sip).identity?.hosts).toEqual(["certs.example", "other.example:8443"])
    expect(about({ SIP_URL: "sip:trunk.example", SIP_LISTEN, ...identity }).warned).toEqual([
      expect.stringContaining("SIP_IDENTITY_ROOTS does nothing")
    ])
  })

  it("of carriers have the same settings", () => {
    const SIP_IDENTITY_ROOTS = fileOf("roots.pem", certificate.cert)
    const file = { carriers: { bell: { call: SIP_URL, listen: SIP_LISTEN } } }
    const CARRIERS = fileOf("carriers.json", JSON.stringify(file))
    const all = about({ CARRIERS, SIP_IDENTITY_ROOTS, SIP_IDENTITY_HOSTS: "certs.example" })
    expect(all.taken).toEqual([expect.stringContaining("signatures by SIP_IDENTITY_ROOTS")])
  })

  it("of a carrier have their numbers next to its URL, or in it", () => {
    const of = (entry: object) => fileOf("carriers.json", JSON.stringify({ carriers: { bell: entry } }))
    const receives = ["+493023125000", "+493023125001"]
    const call = "sip:id:pw@trunk.example;inbound=203.0.113.0/24"
    const all = about({ CARRIERS: of({ call, receives, listen: SIP_LISTEN }) })
    expect(all.taken).toEqual([expect.stringContaining("to +493023125000, +493023125001 are taken at 192.0.2.10:5060")])
    expect(wrong({ CARRIERS: of({ call: SIP_URL, receives }) })).toMatch(/carriers.bell.receives is in the URL, too/)
    expect(wrong({ CARRIERS: of({ call, receives: ["0302312"] }) })).toMatch(/carriers.bell.receives .*E\.164/)
  })

  it.each([
    [
      { SIP_URL, SIP_TLS_CERT: "/nowhere.pem", SIP_TLS_KEY: "/nowhere.pem" },
      /^SIP_TLS_CERT names the file .*no such file/
    ],
    [{ SIP_URL: "sip:x;receives=0302312" }, /^SIP_URL cannot be used: .*wrong "receives".*E\.164/],
    [{ SIP_URL, SIP_IDENTITY_HOSTS: "certs.example" }, /^SIP_IDENTITY_ROOTS must be set, because SIP_IDENTITY_HOSTS is/]
  ])("with a wrong setting are refused by its name: %#", (environment, message) => {
    expect(wrong(environment)).toMatch(message)
  })

  it("with files of something else are refused by their names", () => {
    const other = fileOf("other.pem", "no certificate")
    const cert = fileOf("cert.pem", certificate.cert)
    const roots = { SIP_URL, SIP_IDENTITY_ROOTS: other, SIP_IDENTITY_HOSTS: "certs.example" }
    expect(wrong(roots)).toMatch(
      /^SIP_IDENTITY_ROOTS names the file .*other.pem, which has to have certificates in PEM form/
    )
    expect(wrong({ ...roots, SIP_IDENTITY_ROOTS: cert, SIP_IDENTITY_HOSTS: "https://x/" })).toMatch(
      /^SIP_IDENTITY_HOSTS must be hosts/
    )
    const SIP_TLS_KEY = fileOf("key.pem", selfSigned().key)
    expect(wrong({ SIP_URL, SIP_TLS_CERT: cert, SIP_TLS_KEY })).toMatch(/^SIP_TLS_KEY names the file of another key/)
    expect(wrong({ SIP_URL, SIP_TLS_CERT: cert, SIP_TLS_KEY: cert })).toMatch(
      /^SIP_TLS_KEY .*a private key in PEM form/
    )
  })
})
