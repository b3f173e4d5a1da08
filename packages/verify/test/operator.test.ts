import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { assert, describe, it } from "@effect/vitest"
import { nextAccountId } from "@watchword/schemas/Ids"
import * as Settings from "@watchword/store/Settings"
import { memory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import { type InstallationSecret, noInstallationSecret } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { someAccount } from "../../../test/accounts.ts"
import * as Defaults from "../src/operator/Defaults.ts"
import * as Templates from "../src/operator/Templates.ts"
import * as TestNumbers from "../src/operator/TestNumbers.ts"
import * as Workflows from "../src/operator/Workflows.ts"

const { id } = someAccount()
const DAY = 24 * 60 * 60 * 1000

const test = (
  name: string,
  program: () => Effect.Effect<
    void,
    unknown,
    ChannelRegistry.ChannelRegistry | InstallationSecret | Settings.Settings | Store
  >
) =>
  // oxlint-disable-next-line vitest/expect-expect -- The tests that are given assert.
  it.effect(name, () =>
    Effect.andThen(
      Store.use((store) => store.createAccount(someAccount())),
      program
    ).pipe(
      Effect.provide(
        Layer.mergeAll(Settings.layer, noInstallationSecret, ChannelRegistry.layerBuiltIn).pipe(
          Layer.provideMerge(memory())
        )
      )
    )
  )

/** The fields that a refusal names, or its code. */
const fieldsOf = <A, R>(
  effect: Effect.Effect<A, { readonly _tag: string; readonly issues?: ReadonlyArray<{ readonly path: string }> }, R>
) => Effect.map(Effect.flip(effect), ({ _tag, issues }) => issues?.map(({ path }) => path) ?? _tag)

describe("a test number", () => {
  const number = "+4915123456789"

  test("is listed until it is removed", () =>
    Effect.gen(function* () {
      const until = new Date(DAY)
      yield* TestNumbers.add(id, { number, code: "424242", until })
      yield* TestNumbers.add(id, { number, code: "471147", until })
      assert.deepStrictEqual(yield* TestNumbers.list(id), [
        { number, code: "471147", until, ended: false, locked: false }
      ])
      yield* TestNumbers.remove(id, number)
      assert.deepStrictEqual(yield* TestNumbers.list(id), [])
      assert.strictEqual(yield* fieldsOf(TestNumbers.remove(id, number)), "NOT_FOUND")
    }))

  test("has a code, a number and an end in the next 90 days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DAY)
      const add = (change: object) =>
        fieldsOf(TestNumbers.add(id, { number, code: "424242", until: new Date(2 * DAY), ...change }))
      assert.deepStrictEqual(yield* add({ number: "015123456789", code: "42" }), ["number", "code"])
      assert.deepStrictEqual(yield* add({ code: "42424" }), ["code"])
      for (const until of [new Date(DAY), new Date(91 * DAY + 1), new Date(Number.NaN)]) {
        assert.deepStrictEqual(yield* add({ until }), ["until"])
      }
      yield* TestNumbers.add(id, { number, code: "424242", until: new Date(91 * DAY) })
    }))

  test("is one of ten at most; one that has ended gives its place to another", () =>
    Effect.gen(function* () {
      const add = (last: number, days: number) =>
        TestNumbers.add(id, { number: `+491512345678${last}`, code: "424242", until: new Date(days * DAY) })
      for (let last = 0; last < 10; last++) yield* add(last, last === 0 ? 1 : 2)
      const eleventh = TestNumbers.add(id, { number: "+4915123456799", code: "424242", until: new Date(2 * DAY) })
      assert.strictEqual(yield* fieldsOf(eleventh), "BAD_REQUEST")
      yield* TestClock.setTime(DAY)
      assert.deepStrictEqual(
        (yield* TestNumbers.list(id)).map(({ ended }) => ended),
        [true, ...Array.from({ length: 9 }, () => false)]
      )
      yield* eleventh
      assert.strictEqual((yield* TestNumbers.list(id)).length, 10)
    }))

  test("of an account that does not exist is 404", () =>
    Effect.gen(function* () {
      const add = TestNumbers.add(nextAccountId(0), { number, code: "424242", until: new Date(DAY) })
      assert.strictEqual(yield* fieldsOf(add), "NOT_FOUND")
    }))
})

describe("a workflow", () => {
  test("is the default only while it is there, and stays as long as it is the default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* fieldsOf(Defaults.set(id, { workflow: "cheap" })), ["workflow"])
      yield* Workflows.set(id, "cheap", [{ channel: "sms", timeout: 30 }])
      assert.strictEqual((yield* Defaults.set(id, { workflow: "cheap" })).workflow, "cheap")
      assert.deepStrictEqual(yield* fieldsOf(Workflows.remove(id, "cheap")), ["name"])
      yield* Defaults.set(id, { workflow: null })
      yield* Workflows.remove(id, "cheap")
      assert.strictEqual((yield* Workflows.list(id)).size, 0)
      assert.strictEqual(yield* fieldsOf(Workflows.remove(id, "cheap")), "NOT_FOUND")
    }))

  test("of the installation may be the default of an account", () =>
    Effect.gen(function* () {
      yield* Workflows.set(null, "cheap", [{ channel: "sms", timeout: 30 }])
      yield* Defaults.set(null, { workflow: "cheap", brand: "Acme" })
      assert.deepStrictEqual(yield* fieldsOf(Workflows.remove(null, "cheap")), ["name"])
      assert.strictEqual((yield* Defaults.get(id)).workflow, null)
      assert.strictEqual((yield* Defaults.set(id, { workflow: "cheap" })).workflow, "cheap")
    }))

  test("has a name and one to four steps", () =>
    Effect.gen(function* () {
      const wrong = Workflows.set(id, "Cheap", [{ channel: "sms", timeout: 9 }])
      assert.deepStrictEqual(yield* fieldsOf(wrong), ["name", "steps[0].timeout"])
      assert.deepStrictEqual(yield* fieldsOf(Workflows.set(id, "cheap", [])), ["steps"])
    }))
})

describe("a template", () => {
  const text = "{{brand}}: {{code}}"

  test("is of an account or of the installation, and known by its canonical locale", () =>
    Effect.gen(function* () {
      yield* Templates.set(null, { name: "login", locale: "de-at", text })
      assert.deepStrictEqual(yield* Templates.list(null), [{ name: "login", locale: "de-AT", text }])
      assert.deepStrictEqual(yield* Templates.list(id), [])
      assert.strictEqual(yield* fieldsOf(Templates.remove(id, { name: "login", locale: "de-AT" })), "NOT_FOUND")
      yield* Templates.remove(null, { name: "login", locale: "DE-at" })
      assert.deepStrictEqual(yield* Templates.list(null), [])
    }))

  test("is shown as verifications send it: the account's, else the installation's, else what comes along", () =>
    Effect.gen(function* () {
      const shown = Effect.fnUntraced(function* (locale: string, name = "default") {
        const { encoding, example, source, template } = yield* Templates.preview(id, { name, locale })
        return [source, template.locale, example, encoding]
      })
      const english = "Your Acme code is 123456. Valid for 10 minutes."
      assert.deepStrictEqual(yield* shown("cy"), ["built-in", "en", english, "gsm7"])
      yield* Templates.set(null, { name: "default", locale: "de", text: "{{code}}" })
      assert.deepStrictEqual(yield* shown("de-AT"), ["installation", "de", "123456", "gsm7"])
      yield* Templates.set(id, { name: "default", locale: "ru", text: "{{brand}}: код {{code}} {{shop}}" })
      yield* Defaults.set(id, { brand: "Acme", locale: "ru" })
      assert.deepStrictEqual(yield* shown("cy"), ["account", "ru", "Acme: код 123456 shop", "ucs2"])
      assert.strictEqual(yield* fieldsOf(shown("de", "none")), "NOT_FOUND")
    }))

  test("fits one SMS with the account's brand too", () =>
    Effect.gen(function* () {
      const long = `${text} ${"x".repeat(60)}`
      yield* Templates.set(id, { name: "login", locale: "en", text: long })
      assert.deepStrictEqual(yield* fieldsOf(Defaults.set(id, { brand: "Яблоко" })), ["brand"])
      yield* Templates.remove(id, { name: "login", locale: "en" })
      yield* Defaults.set(id, { brand: "Яблоко" })
      assert.deepStrictEqual(yield* fieldsOf(Templates.set(id, { name: "login", locale: "en", text: long })), ["text"])
    }))
})

describe("defaults", () => {
  test("are set one by one, and all stay where one is wrong", () =>
    Effect.gen(function* () {
      const none = { brand: null, locale: null, workflow: null }
      assert.deepStrictEqual(yield* Defaults.get(id), none)
      assert.deepStrictEqual(yield* Defaults.set(id, { locale: "de-at" }), { ...none, locale: "de-AT" })
      const set = yield* Defaults.set(id, { brand: "Acme" })
      assert.deepStrictEqual(set, { brand: "Acme", locale: "de-AT", workflow: null })
      const wrong = Defaults.set(id, { brand: "x".repeat(21), locale: "german language", workflow: "W" })
      assert.deepStrictEqual(yield* fieldsOf(wrong), ["brand", "locale", "workflow"])
      assert.deepStrictEqual(yield* fieldsOf(Defaults.set(id, { brand: "{{code}}" })), ["brand"])
      assert.deepStrictEqual(yield* fieldsOf(Defaults.set(id, { brand: "Other", workflow: "none" })), ["workflow"])
      assert.deepStrictEqual(yield* Defaults.get(id), set)
      assert.deepStrictEqual(yield* Defaults.set(id, { ...none }), none)
    }))
})
