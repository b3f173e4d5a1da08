import * as Networks from "@watchword/auth/Networks"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addresses, isInside, near, spellings } from "./addresses.ts"

const networks = (...entries: ReadonlyArray<string>) => Result.getOrThrow(Networks.parse(entries))

/** A network, an address near it, and ways to write both. */
const pairs = addresses.chain((network) =>
  fc.record({
    network: fc.constant(network),
    prefix: fc.nat(network.length),
    address: fc.oneof(near(network), addresses),
    spelling: fc.nat(3)
  })
)

const spelt = (address: Parameters<typeof spellings>[0], choice: number): string => {
  const all = spellings(address)
  return all[choice % all.length] ?? ""
}

describe("contains", () => {
  it("agrees with arithmetic on whole numbers", () => {
    fc.assert(
      fc.property(pairs, ({ address, network, prefix, spelling }) => {
        const one = networks(`${spelt(network, 0)}/${prefix}`)
        const expected = isInside(address, network, prefix)
        expect(Networks.contains(one, spelt(address, spelling))).toBe(expected)
        expect(Networks.contains(one, spelt(address, spelling))).toBe(expected)
      }),
      { numRuns: 2000 }
    )
  })

  it("knows an IPv4-mapped range by its IPv4 range", () => {
    fc.assert(
      fc.property(
        pairs.filter(({ network }) => network.length === 32),
        ({ address, network, prefix, spelling }) => {
          const one = networks(`${spelt(network, spelling === 0 ? 1 : spelling)}/${prefix + 96}`)
          expect(Networks.contains(one, spelt(address, spelling))).toBe(isInside(address, network, prefix))
        }
      )
    )
  })

  it("is the union of its entries", () => {
    fc.assert(
      fc.property(fc.array(pairs, { minLength: 1, maxLength: 5 }), (entries) => {
        const all = networks(...entries.map(({ network, prefix }) => `${spelt(network, 0)}/${prefix}`))
        for (const { address } of entries) {
          expect(Networks.contains(all, spelt(address, 0))).toBe(
            entries.some(({ network, prefix }) => isInside(address, network, prefix))
          )
        }
      })
    )
  })

  it.each(["", "x", "10.0.0", "10.0.0.0.1", "10.0.0.256", "010.0.0.1", "0x0a.0.0.1", "167772161", "10.0.0.1%eth0"])(
    "does not know %j",
    (text) => {
      expect(Networks.contains(networks("0.0.0.0/0", "::/0"), text)).toBe(false)
    }
  )

  it.each([
    "::ffff:010.0.0.1",
    "::ffff:10.0.0",
    ":::1",
    "1::2::3",
    "12345::",
    "::g",
    "1:2:3:4:5:6:7",
    "[::1",
    "::1]",
    "[::1]x",
    "10.0.0.1:",
    "10.0.0.1:123456",
    "10.0.0.1, 10.0.0.2",
    "10.0.0.1\n",
    " 10.0.0.1",
    "localhost",
    "unknown",
    "_hidden",
    "0".repeat(10_000),
    `${"1:".repeat(5_000)}:`
  ])("does not know %j, although it looks like an address", (text) => {
    expect(Networks.contains(networks("0.0.0.0/0", "::/0"), text)).toBe(false)
  })

  it("answers any text without failing", () => {
    const all = networks("0.0.0.0/0", "::/0")
    const near = fc.array(fc.constantFrom(..."0127.:af[]%/ ,"), { maxLength: 24 }).map((each) => each.join(""))
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        expect(Networks.contains(all, text)).toBe(Option.isSome(Networks.parseAddress(text)))
      }),
      { numRuns: 5000 }
    )
  })

  it("remembers a bounded number of decisions", () => {
    const one = networks("10.0.0.0/8")
    for (let last = 0; last < 100_000; last++)
      Networks.contains(one, `10.${last >> 16}.${(last >> 8) & 255}.${last & 255}`)
    expect(one.decided.size).toBeLessThanOrEqual(128)
  })
})

describe("parseAddress", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:443", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["[fe80::1%25eth0]:443", "fe80::1"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"]
  ])("reads %s", (text, expected) => {
    expect(Option.map(Networks.parseAddress(text), String)).toEqual(Option.some(expected))
  })
})

describe("parse", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    [" 203.0.113.7 ", "203.0.113.7"],
    ["203.0.113.7/32", "203.0.113.7"],
    ["203.0.113.7/24", "203.0.113.0/24"],
    ["10.255.1.2/9", "10.128.0.0/9"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::/0", "::/0"],
    ["2001:DB8::1", "2001:db8::1"],
    ["2001:db8:ffff::/33", "2001:db8:8000::/33"],
    ["::10.0.0.1", "::a00:1"],
    ["2002:a00:1::/48", "2002:a00:1::/48"],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["::ffff:10.0.0.1/128", "10.0.0.1"]
  ])("understands %s as %s", (entry, expected) => {
    expect(Networks.format(networks(entry))).toEqual([expected])
  })

  it("understands what it formats in the same way", () => {
    fc.assert(
      fc.property(pairs, ({ network, prefix, spelling }) => {
        const extra = network.length === 32 && spelling > 0 ? 96 : 0
        const formatted = Networks.format(networks(`${spelt(network, spelling)}/${prefix + extra}`))
        expect(Networks.format(networks(...formatted))).toEqual(formatted)
      })
    )
  })

  const notAnAddress = "must be an IP address or a CIDR range, for example 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32"
  const v4Prefix = "must have a prefix from 0 to 32 behind the slash"
  it.each([
    ["", notAnAddress],
    ["example.com", notAnAddress],
    ["10.0.0", notAnAddress],
    ["010.0.0.1", notAnAddress],
    ["10.0.0.0-10.0.0.9", notAnAddress],
    ["10.0.0.1:443", notAnAddress],
    ["[::1]", notAnAddress],
    ["fe80::1%eth0", notAnAddress],
    ["10.0.0.0/", v4Prefix],
    ["10.0.0.0/33", v4Prefix],
    ["10.0.0.0/-1", v4Prefix],
    ["10.0.0.0/8/8", v4Prefix],
    ["10.0.0.0/ 8", v4Prefix],
    ["10.0.0.0/255.0.0.0", v4Prefix],
    ["2001:db8::/129", "must have a prefix from 0 to 128 behind the slash"],
    ["::ffff:10.0.0.0/8", "must have a prefix from 96 to 128 behind the slash"]
  ])("says what is wrong with %j", (entry, message) => {
    expect(Networks.parse(["10.0.0.1", entry, "nonsense"])).toMatchObject({
      failure: { _tag: "NetworkError", index: 1, entry, message }
    })
  })
})
