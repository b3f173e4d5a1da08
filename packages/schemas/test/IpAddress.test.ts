import * as IpAddress from "@watchword/schemas/IpAddress"
import * as fc from "fast-check"
import { isIP } from "node:net"
import { describe, expect, it } from "vitest"

const networkOf = (text: string): string | null => {
  const address = IpAddress.parse(text)
  return address === null ? null : IpAddress.networkOf(address)
}

/** The two groups of hexadecimal digits that an IPv4 address is in IPv6. */
const inHex = (ipv4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const group = fc.nat(0xffff).map((value) => value.toString(16))
const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length }).map((all) => all.join(":"))

/** An IPv4 address in each of its spellings. */
const spelt = fc.tuple(fc.ipV4(), groups(5)).map(([ipv4, rest]) => ({
  ipv4,
  forms: [
    ipv4,
    `::ffff:${ipv4}`,
    `::FFFF:${inHex(ipv4)}`,
    `0:0:0:0:0:ffff:${ipv4}`,
    `::${ipv4}`,
    `0:0:0:0:0:0:${inHex(ipv4)}`,
    `64:ff9b::${ipv4}`,
    `64:FF9B:0:0:0:0:${inHex(ipv4)}`,
    `2002:${inHex(ipv4)}::1`,
    `2002:${inHex(ipv4)}:${rest}`
  ]
}))

describe("an IP address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["::", "::"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
    ["::192.0.2.33", "::c000:221"]
  ])("is read from %s", (text, expected) => {
    expect(IpAddress.parse(text)?.toString()).toBe(expected)
  })

  it.each([
    "",
    "10.0.0",
    "010.0.0.1",
    "0x0a.0.0.1",
    "167772161",
    "10.0.0.256",
    "10.0.0.1:80",
    "::ffff:010.0.0.1",
    "::ffff:10.0.0",
    ":::1",
    "1::2::3",
    "12345::",
    "1:2:3:4:5:6:7",
    "[::1]",
    "fe80::1%eth0",
    "2001:db8::/64",
    " 10.0.0.1",
    "10.0.0.1\n",
    "localhost",
    `${"1:".repeat(5_000)}:`
  ])("is not %j", (text) => {
    expect(IpAddress.parse(text)).toBeNull()
  })

  it("is what sockets take for one, zones left out", () => {
    const near = fc.array(fc.constantFrom(..."0127.:af%[]/ "), { maxLength: 24 }).map((each) => each.join(""))
    const texts = fc.oneof(near, fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string())
    fc.assert(
      fc.property(texts, (text) => {
        expect(IpAddress.parse(text) !== null).toBe(isIP(text) !== 0 && !text.includes("%"))
      }),
      { numRuns: 5_000 }
    )
  })
})

describe("the network of a client", () => {
  it("is the IPv4 address that an address stands for, in each form", () => {
    fc.assert(
      fc.property(
        // `::` and `::1` are IPv6's own.
        spelt.filter(({ ipv4 }) => ipv4 !== "0.0.0.0" && ipv4 !== "0.0.0.1"),
        ({ forms, ipv4 }) => {
          expect(forms.map(networkOf)).toEqual(forms.map(() => ipv4))
        }
      )
    )
  })

  it("is the /64 of any other address", () => {
    const apart = (first: string) => !["0", "64", "2002"].includes(first)
    fc.assert(
      fc.property(group.filter(apart), groups(3), groups(4), groups(4), (first, rest, one, other) => {
        const network = networkOf(`${first}:${rest}:${one}`)
        expect(network).toMatch(/^[\da-f:]+::\/64$|^[\da-f:]+:0:0:0:0\/64$/)
        expect(networkOf(`${first}:${rest}:${other}`)).toBe(network)
        expect(networkOf(String(network).replace("/64", ""))).toBe(network)
      })
    )
  })

  it("differs between neighbours", () => {
    const texts = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1", "::1", "64:ff9b:1::1", "2002:c000:203::"]
    expect(texts.map(networkOf)).toEqual([
      "192.0.2.1",
      "192.0.2.2",
      "2001:db8::/64",
      "2001:db8:0:1::/64",
      "::/64",
      "64:ff9b:1::/64",
      "192.0.2.3"
    ])
  })
})
