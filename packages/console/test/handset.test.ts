import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { offerOf } from "../pages/handset/autofill.ts"
import { attemptOf } from "../pages/handset/attempts.ts"
import { hide, replaced, show, shown } from "../pages/handset/phones.ts"

describe("a phone", () => {
  const page = (host: string) => ({ kind: "page", host }) as const
  const app = (hash: string) => ({ kind: "app", hash }) as const
  const bound = "Your code is 123456.\n@shop.example #123456"

  it.each([
    ["offers a bound code on its host", bound, page("shop.example"), "123456", /binds the code to shop\.example/],
    ["offers it below its host", bound, page("login.shop.example"), "123456", /shop\.example/],
    ["offers it nowhere else", bound, page("evil.example"), null, /nothing is offered on evil\.example/],
    ["offers it to no host that ends like it", bound, page("myshop.example"), null, /Bound to shop/],
    ["reads an embedded host", `${bound} @pay.example`, page("shop.example"), "123456", /binds/],
    ["misses the #", "123456\n@shop.example 123456", page("shop.example"), null, /# before the code is missing/],
    ["refuses a whole address", "123456\n@https://shop.example #123456", page("shop.example"), null, /only the host/],
    ["refuses a port", "123456\n@localhost:3000 #123456", page("localhost"), null, /port/],
    ["wants the line last", `${bound}\nBye`, page("shop.example"), null, /not the last one/],
    ["wants one space", "123456\n@shop.example  #123456", page("shop.example"), null, /one space/],
    ["guesses where no line binds a code", "Your code is 123456", page("shop.example"), "123456", /Guessed/],
    ["hands a text to its app", "Your code is 123456\nFA+9qCX9VSu", app("FA+9qCX9VSu"), "123456", /without a tap/],
    [
      "finds the hash above the last line",
      "123456\nFA+9qCX9VSu\n@a.example #123456",
      app("FA+9qCX9VSu"),
      "123456",
      /tap/
    ],
    ["hands it to no other app", "Your code is 123456\nFA+9qCX9VSu", app("AAAAAAAAAAA"), null, /for the app FA/],
    ["takes no word for a hash", "Enter 123456 immediately", app("FA+9qCX9VSu"), null, /no app hash/],
    ["does not read long texts", `${"long ".repeat(30)}123456\nFA+9qCX9VSu`, app("FA+9qCX9VSu"), null, /reads at most/]
  ] as const)("%s", (_, text, target, code, says) => {
    const found = /\d{6}/.exec(text)?.[0] ?? null
    const offer = offerOf(text, found, target)
    expect(offer.code).toBe(code)
    expect(offer.says).toMatch(says)
  })

  it("says that a text has no code", () => {
    expect(offerOf("Hello", null, page("shop.example"))).toMatchObject({ code: null, says: /No code/ })
  })

  it("offers a bound code on the bound host, and on no other site", () => {
    const host = fc.stringMatching(/^[a-z]{1,8}\.[a-z]{2,3}$/)
    const digits = fc.stringMatching(/^\d{4,8}$/)
    fc.assert(
      fc.property(host, host, digits, fc.string({ maxLength: 60 }), (bound, other, code, before) => {
        const text = `${before}\n@${bound} #${code}`
        expect(offerOf(text, "0000", page(bound)).code).toBe(code)
        if (bound !== other) expect(offerOf(text, "0000", page(other)).code).toBe(null)
      })
    )
  })
})

describe("a step of a verification", () => {
  const at = "2026-01-01T00:00:00.000Z"
  const attempt = { delivery_id: "01KAJ3T8ZZ0000000000000001", channel: "sms", reason: null, at, price: 0 } as const
  const message = {
    id: attempt.delivery_id,
    channel: "sms",
    to: "+4915123456789",
    from: null,
    text: null,
    code: "123456",
    at,
    changed_at: at,
    accepts: [],
    verification: null,
    attempt: null,
    live_price: null
  } as const

  it.each([
    ["opening", undefined, "being sent"],
    ["opening", "sent", "sent"],
    ["opening", "kept", "sent"],
    ["opening", "delivered", "delivered"],
    ["opening", "failed", "not delivered"],
    ["accepted", "sent", "sent"],
    ["unknown", "sent", "no answer yet"]
  ] as const)("that is %s, with a message that is %s, is %s", (status, state, words) => {
    expect(attemptOf({ ...attempt, status }, state === undefined ? undefined : { ...message, state })).toBe(words)
  })
})

describe("a fifth phone", () => {
  it("replaces the quietest phone, which the page names and can show again", () => {
    for (const number of ["+491", "+492", "+493", "+494"]) show(number)
    expect(replaced.value).toBe(null)
    show("+495")
    expect(shown.value).toEqual(["+495", "+492", "+493", "+494"])
    expect(replaced.value).toEqual({ number: "+491", by: "+495" })
    show("+491")
    expect(shown.value).toEqual(["+491", "+492", "+493", "+494"])
    expect(replaced.value).toEqual({ number: "+495", by: "+491" })
  })

  it("is not announced once its number has room again", () => {
    hide("+492")
    show("+495")
    expect(shown.value).toEqual(["+491", "+493", "+494", "+495"])
    expect(replaced.value).toBe(null)
  })
})
