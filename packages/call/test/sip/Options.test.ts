import { type TrunkOptions, fromUrls, listenAt, sip } from "@watchword/call/sip"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import * as Networks from "@watchword/auth/Networks"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const first = (urls: string): TrunkOptions => {
  const [trunk] = Result.getOrThrow(fromUrls(urls)).trunks
  if (trunk === undefined) throw new Error("no trunk")
  return trunk
}

const fault = (urls: string): string => {
  const read = fromUrls(urls)
  return Result.isFailure(read) ? read.failure.message : "no fault"
}

describe("a SIP URL", () => {
  it("names user, password, host, port and transport", () => {
    const { user, password, host, port, protocol } = first("sip:id:s3cret@trunk.example:5070;transport=tcp")
    expect({ user, password: Redacted.value(password), host, port, protocol }).toEqual({
      user: "id",
      password: "s3cret",
      host: "trunk.example",
      port: 5070,
      protocol: "tcp"
    })
  })

  it.each([
    ["sip:id:pw@host", { protocol: "udp", port: null, scheme: "sip" }],
    ["sip:id:pw@host;transport=tls", { protocol: "tls", port: null, scheme: "sip" }],
    ["sips:id:pw@host", { protocol: "tls", port: null, scheme: "sips" }],
    ["sip:host", { protocol: "udp", user: "", scheme: "sip" }],
    ["SIP:id:pw@[2001:db8::1]:5060", { host: "2001:db8::1", port: 5060 }],
    ["sip:id@host", { user: "id" }]
  ])("has defaults: %s", (url, options) => {
    expect(first(url)).toMatchObject(options)
  })

  it("percent-decodes user and password", () => {
    const { user, password } = first("sip:my%40id:p%40ss%2Cw%3Ar%3Bd%2F%C3%BC@host")
    expect([user, Redacted.value(password)]).toEqual(["my@id", "p@ss,w:r;d/ü"])
  })

  it("carries options", () => {
    const options = first(
      "sip:id:pw@host;cps=12.5;keepalive=30;proxy=edge.example:5080;domain=acme.example;from=account;identity=preferred" +
        ";privacy=id;plus=no;phone=no;media=inactive;follow=contact;servername=tls.example"
    )
    expect(options).toMatchObject({
      cps: 12.5,
      keepAlive: Duration.seconds(30),
      proxy: { host: "edge.example", port: 5080 },
      domain: "acme.example",
      from: "account",
      follow: "contact",
      identity: "preferred",
      privacy: "id",
      plus: false,
      phone: false,
      media: "inactive",
      tls: { servername: "tls.example" }
    })
    expect(first("sip:host;keepalive=0").keepAlive).toBeNull()
  })

  it("has numbers of ours and addresses of the trunk, each a list within a list", () => {
    const url =
      "sip:id:pw@one;receives=+493023125000,+493023125001;inbound=fd00::/8,203.0.113.0/24;trusted=yes, sips:c:d@two;receives=+12025550100"
    const { trunks } = Result.getOrThrow(fromUrls(url))
    expect(
      trunks.map(({ host, inbound, receives, trusted }) => [
        host,
        receives,
        inbound === null ? null : Networks.format(inbound),
        trusted
      ])
    ).toEqual([
      ["one", ["+493023125000", "+493023125001"], ["fd00::/8", "203.0.113.0/24"], true],
      ["two", ["+12025550100"], null, false]
    ])
  })

  it("may be several, in order of preference", () => {
    const { trunks } = Result.getOrThrow(fromUrls("sip:a:b@one;cps=1, sips:c:d@two"))
    expect(trunks.map(({ host, cps }) => [host, cps])).toEqual([
      ["one", 1],
      ["two", null]
    ])
  })

  it.each([
    ["", /SIP URL must look like/],
    ["http://id:pw@host", /must look like/],
    ["sip:id:hunter2@", /must look like/],
    ["sip:id:hunter2@ho st", /must look like/],
    ["sip:id:hunter2@host:99999", /must look like/],
    ["sip:id:hunter2@host:0", /must have a port/],
    ["sip::hunter2@host", /must have a user/],
    ["sip:i%0d%0ad:hunter2@host", /must have a user/],
    ["sip:id:hunter2%zz@host", /must have a password/],
    ["sip:id:hunter2@host;hunter2=1", /unknown option; the options are/],
    ["sip:id:hunter2@host;transport=sctp", /wrong "transport"/],
    ["sips:id:hunter2@host;transport=tcp", /wrong "transport"/],
    ["sip:id:hunter2@host;cps=0", /wrong "cps"/],
    ["sip:id:hunter2@host;keepalive=0.5", /wrong "keepalive"/],
    ["sip:id:hunter2@host;proxy=a:b", /wrong "proxy"/],
    ["sip:id:hunter2@host;ringing=182", /wrong "ringing".*180 or 183/],
    ["sip:id:hunter2@host;plus=maybe", /wrong "plus".*yes, no or national/],
    ["sip:id:hunter2@host;plus=national", /national numbers without "national", the calling code/],
    ["sip:id:hunter2@host;callee_plus=national", /national numbers without "national", the calling code/],
    ["sip:id:hunter2@host;national=49", /neither "plus" nor "callee_plus" is national/],
    ["sip:id:hunter2@host;plus=no;national_prefix=0", /neither "plus" nor "callee_plus" is national/],
    ["sip:id:hunter2@host;plus=national;national=999", /wrong "national".*calling code/],
    ["sip:id:hunter2@host;plus=national;national=DE", /wrong "national".*calling code/],
    ["sip:id:hunter2@host;plus=national;national=49;national_prefix=+", /wrong "national_prefix".*1 to 4 digits/],
    ["sip:id:hunter2@host;identity=me", /wrong "identity"/],
    ["sip:id:hunter,2@host", /must look like/],
    ["sip:id:hunter2@host;receives=493023125000", /wrong "receives".*E\.164/],
    ["sip:id:hunter2@host;receives=+493023125000,", /number 2 must look like/],
    ["sip:id:hunter2@host;receives=+493023125000,+493023125000", /wrong "receives".*each once/],
    ["sip:id:hunter2@host;receives=", /wrong "receives"/],
    ["sip:id:hunter2@host;receives=+493023125000;inbound=hunter", /wrong "inbound".*CIDR/],
    ["sip:id:hunter2@host;receives=+493023125000;inbound=10.0.0.0/33", /wrong "inbound".*CIDR/],
    ["sip:id:hunter2@host;receives=+493023125000;trusted=1", /wrong "trusted".*yes or no/],
    ["sip:id:hunter2@host;trusted=yes", /"trusted" without "receives"/],
    ["sip:id:hunter2@host;inbound=10.0.0.0/8", /"inbound" without "receives"/],
    ["sip:id:pw@one,sip:id:hunter2@two;cps=x", /SIP URL number 2 has a wrong "cps"/]
  ])("that cannot be read says so in a sentence without the password: %#", (url, message) => {
    expect(fault(url)).toMatch(message)
    expect(fault(url)).not.toMatch(/hunter/)
    expect(fault(url)).toMatch(/\.$/)
  })

  it("is read or refused, whatever it is", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), FastCheck.string(), (one, other) => {
        for (const read of [() => fromUrls(`sip:${one}@${other}`), () => fromUrls(one), () => listenAt(one)]) {
          expect(read).not.toThrow()
        }
      })
    )
  })

  it("holds any password", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "grapheme" }), (password) => {
        const url = `sip:id:${encodeURIComponent(password)}@host`
        expect(Redacted.value(first(url).password)).toBe(password)
      })
    )
  })
})

describe("a listen address", () => {
  it.each([
    ["127.0.0.1:0", { host: "127.0.0.1", port: 0 }],
    ["[::1]:5060", { host: "::1", port: 5060 }]
  ])("%s is read", (text, address) => {
    expect(Result.getOrThrow(listenAt(text))).toEqual(address)
  })

  it.each(["", "5060", "127.0.0.1", "localhost:5060", "127.0.0.1:65536", "::1:5060"])("%j is none", (text) => {
    const read = listenAt(text)
    expect(Result.isFailure(read) && read.failure).toMatchObject({
      setting: "listen",
      message: "The SIP listen address must be an IP address and a port, like 127.0.0.1:0."
    })
  })
})

describe("sip", () => {
  it("is refused where nothing outlives a request", async () => {
    const built = Effect.scoped(Layer.build(sip({ url: "sip:trunk.example.com" })))
    const error = await Effect.runPromise(Effect.flip(Effect.provideService(built, BackgroundAllowed, false)))
    expect(error).toMatchObject({ setting: "call", message: expect.stringContaining("run the call channel on Node") })
  })
})
