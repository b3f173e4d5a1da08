import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@watchword/store/Settings"
import * as TestNumbers from "../src/operator/TestNumbers.ts"
import * as VerifySettings from "../src/internal/VerifySettings.ts"
import * as Redacted from "effect/Redacted"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  SMS,
  SMS_THEN_CALL,
  centsOf,
  check,
  codeOf,
  get,
  inWorld,
  list,
  next,
  number,
  principal,
  start,
  textOf,
  wrong
} from "./fixture.ts"

describe("the text of a verification", () => {
  it.effect("names the brand and the minutes that are left, and is valid for what is left of the ttl", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        assert.strictEqual(textOf(world), `Your Watchword code is ${codeOf(world)}. Valid for 10 minutes.`)
        assert.strictEqual(world.sms.sends.at(-1)?.ttl, 600)
        yield* TestClock.adjust("150 seconds")
        yield* next(by, started, "sms")
        assert.include(textOf(world), "Valid for 8 minutes.")
        assert.strictEqual(world.sms.sends.at(-1)?.ttl, 450)
        yield* TestClock.adjust("440 seconds")
        yield* next(by, started, "sms")
        assert.include(textOf(world), "Valid for 1 minutes.")
        assert.strictEqual(world.sms.sends.at(-1)?.ttl, 30)
      })
    )
  )

  it.effect("is that of the closest locale, then of the account's, then English", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const settings = yield* Settings
        const by = yield* principal()
        const { id } = by.account
        yield* settings.set(id, VerifySettings.brand, "Acme")
        yield* settings.set(id, VerifySettings.defaultLocale, "fr")
        yield* settings.set(
          id,
          VerifySettings.templates.of("login:de"),
          "{{code}} ist Ihr Code bei {{brand}}, {{name}}."
        )
        yield* start(by, { ...SMS, locale: "de-AT" })
        assert.match(textOf(world), /^Ihr Code f.r Acme ist/)
        yield* start(by, { ...SMS, purpose: "2", template: "login", locale: "de-AT", variables: { name: "Eva" } })
        assert.match(textOf(world), /^[0-9]{6} ist Ihr Code bei Acme, Eva\.$/)
        yield* start(by, { ...SMS, purpose: "3", locale: "mt" })
        assert.match(textOf(world), /^Votre code Acme est/)
      })
    )
  )

  it.effect("ends in the lines that apps and browsers look for", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const autofill = { app_hash: "FA+9qCX9VSu", web_origin: "https://shop.example" }
        yield* start(by, { ...SMS, ...autofill })
        assert.deepStrictEqual(textOf(world).split("\n").slice(1), ["FA+9qCX9VSu", `@shop.example #${codeOf(world)}`])
      })
    )
  )

  it.effect("goes with its code and the reader's language to business chat", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          yield* start(by, { workflow: [{ channel: "bizchat", timeout: 30 }], locale: "de", code: "4242" })
          const [message] = world.business.sends
          assert.strictEqual(message?.locale, "de")
          assert.strictEqual(message?.code === null ? null : Redacted.value(message?.code ?? assert.fail()), "4242")
          assert.include(Redacted.value(message?.text ?? assert.fail()), "Ihr Code")
        }),
      { live: ["bizchat"] }
    )
  )
})

describe("a start", () => {
  const cases: ReadonlyArray<readonly [field: string, body: object]> = [
    ["template", { template: "none" }],
    ["variables", { template: "login" }],
    ["variables", { template: "login", variables: { name: "Ж".repeat(60) } }],
    ["app_hash", { template: "long", app_hash: "FA+9qCX9VSu" }],
    ["web_origin", { template: "long", web_origin: `https://${"shop.".repeat(10)}example` }]
  ]

  it.effect.each(cases)("names the field that its text cannot be made of: %s", ([field, body]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const settings = yield* Settings
        yield* settings.set(null, VerifySettings.templates.of("login:en"), "{{code}} for {{name}}")
        yield* settings.set(null, VerifySettings.templates.of("long:en"), `{{code}} ${"x".repeat(130)}`)
        const by = yield* principal()
        const error = yield* Effect.flip(start(by, { ...SMS, ...body }))
        assert(error._tag === "BAD_REQUEST")
        assert.deepStrictEqual(
          error.issues?.map(({ path }) => path),
          [field]
        )
        assert.strictEqual((yield* list(by)).total, 0)
        assert.strictEqual(world.sms.sends.length, 0)
      })
    )
  )

  it.effect("goes on with the text that comes along when its template was taken away since", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const settings = yield* Settings
        const login = VerifySettings.templates.of("login:en")
        yield* settings.set(null, login, "{{code}} to log in")
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, template: "login" })
        yield* settings.remove(null, login)
        yield* TestClock.adjust("30 seconds")
        yield* next(by, started, "sms")
        assert.match(textOf(world), /^Your Watchword code/)
      })
    )
  )
})

describe("a test number", () => {
  const until = new Date("1970-01-01T00:10:00Z")

  it.effect("asks no gateway, costs nothing, has a fixed code, and is marked as such", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal("live", 0)
        yield* TestNumbers.add(by.account.id, { number, code: "424242", until })
        const started = yield* start(by, SMS_THEN_CALL)
        assert.deepInclude(started, { test_number: true, status: "pending", channel: "sms", next: null })
        assert.deepInclude(started.attempts[0], { status: "delivered", delivery_id: null, price: 0 })
        yield* TestClock.adjust("30 seconds")
        assert.deepInclude(yield* next(by, started), { channel: "call", sends_left: 3, checks_left: 5 })
        assert.isFalse((yield* check(by, started, wrong("424242"))).valid)
        assert.isTrue((yield* check(by, started, "424242")).valid)
        assert.strictEqual((yield* list(by, { filter: { test_number: true } })).total, 1)
        assert.strictEqual(world.sms.sends.length + world.trunk.calls.length, 0)
        assert.deepStrictEqual(yield* centsOf(by), { available: 0, held: 0 })
      })
    )
  )

  it.effect("is an ordinary one once its time is over, and for other accounts", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* TestNumbers.add(by.account.id, { number, code: "424242", until })
        const other = yield* principal()
        assert.isFalse((yield* start(other, SMS)).test_number)
        yield* TestClock.adjust("10 minutes")
        const started = yield* start(by, SMS)
        assert.isFalse(started.test_number)
        assert.strictEqual(world.sms.sends.length, 2)
        assert.deepInclude(yield* get(by, started), { test_number: false })
      })
    )
  )
})
