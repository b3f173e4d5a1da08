import { encode } from "@watchword/sms/EncodedText"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { append } from "../src/internal/AutofillLines.ts"
import * as Template from "../src/operator/Template.ts"

const UNICODE = ["ar", "bg", "el", "he", "hi", "ja", "ko", "ru", "th", "uk", "vi", "zh"]

describe("the texts that come along", () => {
  it.each(Template.builtIn.map(({ locale, text }) => [locale, text]))(
    "%s could be set by an operator",
    (locale, text) => {
      expect(Template.make(Template.DEFAULT, locale, text)).toMatchObject({ success: { locale, text } })
      expect(Template.fitsOneSms(text, "Я".repeat(Template.LONGEST_VALUE))).toBe(true)
      expect(encode(text.replaceAll(/\{\{|\}\}/g, "")).encoding).toBe(UNICODE.includes(locale) ? "ucs2" : "gsm7")
    }
  )
})

describe("a template", () => {
  it.each([
    ["Login", "de", "{{code}}", "name"],
    ["login", "d", "{{code}}", "locale"],
    ["login", "de", "Ihr Code", "text"],
    ["login", "de", "{{code}} {{", "text"],
    ["login", "de", `{{code}} ${"x".repeat(160)}`, "text"],
    ["login", "ru", `{{code}} ${"ж".repeat(63)}`, "text"],
    ["login", "pt", "O seu código: {{code}}", "text"]
  ])("is refused when it is set: %s %s %s", (name, locale, text, field) => {
    expect(Template.make(name, locale, text)).toMatchObject({ failure: { field } })
  })

  it("names the one letter that makes its parts short", () => {
    const refused = Template.make("login", "pt", "O seu código: {{code}}")
    expect(refused).toMatchObject({ failure: { message: expect.stringContaining('"ó"') } })
  })

  it.each([
    ["de", "Ihr Code „{{code}}“", '"„" (U+201E)'],
    ["fr", "Code – {{code}}", '"–" (U+2013)'],
    ["en", "Your naïve Café’s code: {{code}}", '"ï" (U+00EF)'],
    ["es", "{{code}} 🔑", '"🔑" (U+1F511)']
  ])("names the first character that %s needs not: %s", (locale, text, named) => {
    expect(Template.make("login", locale, text)).toMatchObject({ failure: { message: expect.stringContaining(named) } })
  })

  it.each([
    ["cs", "Váš kód je {{code}} – děkujeme"],
    ["zh", "码 {{code}}"],
    ["ru", "«{{brand}}»: код {{code}}"]
  ])("has letters of its language that GSM 7-bit does not have: %s %s", (locale, text) => {
    expect(Template.make("login", locale, text)).toMatchObject({ success: { text } })
  })

  it("is found by the closest locale, then the account's, then in English", () => {
    const of = (locale: string): Template.Template => ({ name: "a", locale, text: `${locale} {{code}}` })
    const templates = [of("de"), of("fr"), of("en")]
    expect(Template.find(templates, "a", ["de-AT", "fr"])?.locale).toBe("de")
    expect(Template.find(templates, "a", ["sv", "fr-CA"])?.locale).toBe("fr")
    expect(Template.find(templates, "a", ["sv"])?.locale).toBe("en")
    expect(Template.find(templates, "b", ["de"])).toBeUndefined()
  })

  it("says which of its places has no value", () => {
    const template = Result.getOrThrow(Template.make("a", "en", "{{code}} for {{ shop }}"))
    expect(Template.fill(template, { code: "123456" })).toMatchObject({ failure: { missing: "shop" } })
    expect(Template.fill(template, { code: "123456", shop: "$& Co" })).toMatchObject({ success: "123456 for $& Co" })
  })
})

it("a text ends in the lines that apps and browsers look for", () => {
  const text = append("Your code is 123456", "123456", {
    app_hash: "FA+9qCX9VSu",
    web_origin: "https://shop.example:8443"
  })
  expect(text).toBe("Your code is 123456\nFA+9qCX9VSu\n@shop.example #123456")
})
