import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@watchword/store/Settings"
import * as VerifySettings from "../src/internal/VerifySettings.ts"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { brandOf } from "../src/internal/brandOf.ts"
import * as Template from "../src/operator/Template.ts"
import { SMS, inWorld, principal, start, textOf } from "./fixture.ts"

describe("the name in texts", () => {
  it.effect("is the account's own until a brand is set", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const made = yield* principal()
        const by = { ...made, account: { ...made.account, name: "Acme" } }
        yield* start(by, SMS)
        assert.match(textOf(world), /^Your Acme code is/)
        yield* Settings.use((settings) => settings.set(by.account.id, VerifySettings.brand, "Shop"))
        yield* start(by, { ...SMS, purpose: "second" })
        assert.match(textOf(world), /^Your Shop code is/)
      })
    )
  )

  it.each([
    ["Acme", "Acme"],
    ["  Acme   Bank ", "Acme Bank"],
    ["Café Zürich", "Café Zürich"],
    ["Яблоко", "Яблоко"],
    ["Acme International Holdings GmbH", "Acme International"],
    ["Donaudampfschifffahrtsgesellschaft", null],
    ["unnamed", null],
    ["{{code}}", null],
    ["", null]
  ])("of an account called %j is %j", (name, brand) => {
    assert.strictEqual(brandOf(name, []), brand)
  })

  it("is not the account's where it would make a text longer than one SMS", () => {
    const template = { name: "default", locale: "en", text: `{{brand}}: {{code}} ${"x".repeat(60)}` }
    assert.strictEqual(brandOf("Acme", [template]), "Acme")
    assert.strictEqual(brandOf("Яблоко", [template]), null)
  })

  it("fits one SMS in every language, whatever the account's name", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 100 }),
        fc.constantFrom(...Template.builtIn),
        (name, { text }) => {
          const brand = brandOf(name, [])
          if (brand === null) return
          assert.isAtMost(brand.length, Template.LONGEST_VALUE)
          assert.isTrue(Template.fitsOneSms(text, brand))
        }
      )
    )
  })
})
