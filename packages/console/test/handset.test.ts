import { readFileSync } from "node:fs"
import { handset, headers } from "@watchword/console/handset"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { build, fileOf, pages } from "../../../scripts/pages.ts"
import { offerOf } from "../pages/handset/autofill.ts"

describe("the pages", () => {
  it.each(pages)("%s is what its sources make: else npm run pages", async (page) => {
    expect(readFileSync(fileOf(page), "utf8")).toBe(await build(page))
  })

  it("load with at most 40 KB, and nothing from elsewhere", async () => {
    const sizes = [...handset.values()].map(({ gzip }) => gzip.length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40_960)
    for (const [name, { gzip }] of handset) {
      const stream = new Blob([gzip]).stream().pipeThrough(new DecompressionStream("gzip"))
      const text = await new Response(stream).text()
      expect([name, /https?:\/\/(?!www\.w3\.org\/)|\beval\(|new Function/.exec(text)?.[0]]).toEqual([name, undefined])
    }
    expect(headers["content-security-policy"]).toContain("default-src 'none'")
  })
})

describe("the chip above the keyboard", () => {
  it.each([
    ["Your code is 123456.\n@shop.example #123456", "123456", /offer it on shop\.example/],
    ["Your code is 123456.\n@shop.example @pay.example #123456", "123456", /shop\.example/],
    ["Your code is 123456.\n@shop.example 123456", null, /not quite/],
    ["Your code is 123456\nFA+9qCX9VSu", "123456", /FA\+9qCX9VSu gets it/],
    [`${"long ".repeat(30)}123456\nFA+9qCX9VSu`, null, /more than the 140/],
    ["Your code is 123456", "123456", /no last line/],
    ["Hello", null, /No code/]
  ])("of %j", (text, code, says) => {
    const found = /\d{6}/.exec(text)?.[0] ?? null
    const offer = offerOf(text, found)
    expect(offer.code).toBe(code)
    expect(offer.says).toMatch(says)
  })

  it("offers no other code than that of the last line, to no other host", () => {
    const host = fc.stringMatching(/^[a-z]{1,8}\.[a-z]{2,3}$/)
    const digits = fc.stringMatching(/^\d{4,8}$/)
    fc.assert(
      fc.property(host, digits, fc.string({ maxLength: 60 }), (host, code, before) => {
        const offer = offerOf(`${before}\n@${host} #${code}`, "0000")
        expect(offer.code).toBe(code)
        expect(offer.says).toContain(host)
      })
    )
  })
})
