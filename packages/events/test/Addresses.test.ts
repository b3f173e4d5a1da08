import { isAddress, isPublic } from "../src/internal/Addresses.ts"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const privates = `
  0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 192.0.0.192 192.168.1.1 198.18.0.1
  224.0.0.1 240.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 100::1
  fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2001:db8::1 4000::1
`
  .trim()
  .split(/\s+/)

describe("isPublic", () => {
  it("refuses loopback, private, link-local, metadata, mapped and translated addresses", () => {
    expect(privates.filter(isPublic)).toEqual([])
  })

  it("lets the public internet through", () => {
    const publics = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::200e"]
    expect(publics.filter((address) => !isPublic(address))).toEqual([])
  })

  it("refuses an IPv4 address of a private network in each of its IPv6 spellings", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublic(`::ffff:${address}`)).toBe(false)
        expect(isPublic(`::${address}`)).toBe(false)
      })
    )
  })

  it("takes no name for an address", () => {
    expect(isPublic("localhost")).toBe(false)
    expect(isAddress("example.com")).toBe(false)
    expect(isAddress("[::1]")).toBe(true)
    // URLs write short and octal forms in full.
    expect(isPublic(new URL("http://0x7f.1/").hostname)).toBe(false)
  })
})
