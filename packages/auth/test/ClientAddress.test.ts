import * as Networks from "@watchword/auth/Networks"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const proxies = Result.getOrThrow(Networks.parse(["10.0.0.0/8", "2001:db8:ffff::/48"]))
const noProxies = Result.getOrThrow(Networks.parse([]))

const from = (socket: string | null, forwardedFor: string | ReadonlyArray<string> | null) =>
  Networks.clientAddress(proxies, { socket, forwardedFor })

describe("clientAddress", () => {
  it.each([
    ["without a proxy", "203.0.113.7", null, "203.0.113.7"],
    ["without a header", "10.0.0.1", null, "10.0.0.1"],
    ["with an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["behind one proxy", "10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["behind two proxies", "10.0.0.1", "203.0.113.7, 10.0.0.2", "203.0.113.7"],
    ["behind a proxy on IPv6", "2001:db8:ffff::1", "2001:db8::7", "2001:db8::7"],
    ["when the socket shows IPv4 as IPv6", "::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["when a client makes up an address", "10.0.0.1", "6.6.6.6, 203.0.113.7", "203.0.113.7"],
    ["when a client names a trusted proxy", "10.0.0.1", "10.0.0.9, 203.0.113.7", "203.0.113.7"],
    ["when a client is no proxy and sends the header", "203.0.113.7", "10.0.0.9", "203.0.113.7"],
    ["when everyone is trusted", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["when the header is repeated", "10.0.0.1", ["6.6.6.6", "203.0.113.7, 10.0.0.2"], "203.0.113.7"],
    ["when the header was sent as an empty list", "10.0.0.1", [], "10.0.0.1"],
    ["with ports", "10.0.0.1", "203.0.113.7:5000, 10.0.0.2:80", "203.0.113.7"],
    ["with brackets", "10.0.0.1", "[2001:DB8::7]:5000", "2001:db8::7"],
    ["with empty entries", "10.0.0.1", ", 203.0.113.7,, ,10.0.0.2,", "203.0.113.7"],
    ["with an unknown client", "10.0.0.1", "unknown", "10.0.0.1"],
    ["with nonsense behind a proxy", "10.0.0.1", "203.0.113.7, nonsense, 10.0.0.2", "10.0.0.2"],
    ["with a quoted entry", "10.0.0.1", '"203.0.113.7"', "10.0.0.1"],
    ["without a socket's address", null, "203.0.113.7", null]
  ])("%s", (_, socket, forwardedFor, expected) => {
    expect(from(socket, forwardedFor)).toBe(expected)
  })

  it("does not read X-Forwarded-For when no proxy is trusted", () => {
    expect(Networks.clientAddress(noProxies, { socket: "10.0.0.1", forwardedFor: "203.0.113.7" })).toBe("10.0.0.1")
  })

  const octet = fc.nat(255)
  const trusted = fc.tuple(octet, octet, octet).map((rest) => `10.${rest.join(".")}`)
  const client = fc.tuple(fc.integer({ min: 11, max: 255 }), octet, octet, octet).map((all) => all.join("."))

  it("finds the client whatever it sends in front", () => {
    fc.assert(
      fc.property(fc.string(), client, fc.array(trusted), trusted, (made, real, hops, socket) => {
        expect(from(socket, [made, [real, ...hops].join(", ")])).toBe(real)
        expect(from(socket, `${made},${[real, ...hops].join(",")}`)).toBe(real)
      }),
      { numRuns: 1000 }
    )
  })

  it("stops at what is no address", () => {
    const garbage = fc
      .oneof(fc.constantFrom("unknown", "_x", "[::1", "1.2.3.4.5", "300.1.1.1"), fc.string())
      .filter((text) => !text.includes(",") && text.trim() !== "" && Option.isNone(Networks.parseAddress(text.trim())))
    fc.assert(
      fc.property(client, garbage, fc.array(trusted), trusted, (behind, text, hops, socket) => {
        expect(from(socket, [behind, text, ...hops])).toBe(hops[0] ?? socket)
      })
    )
  })
})
