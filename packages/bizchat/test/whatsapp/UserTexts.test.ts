import { assert, describe, it } from "@effect/vitest"
import type { UserText } from "@watchword/bizchat/BizchatGateway"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import { type WhatsAppText, whatsAppText } from "@watchword/sandbox/http"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { receive, signed } from "./notifications.ts"

const OURS = "106540352242922"

const make = (options: Partial<WhatsApp.Options> = {}) =>
  WhatsApp.make({
    token: "token",
    phoneNumberId: OURS,
    appSecret: "secret",
    receives: "+4930901820123",
    ...options
  })

const ada: WhatsAppText = { from: "+4915123456789", text: "Verify me", at: OURS }

const delivered = (text: Partial<WhatsAppText>) => signed(whatsAppText({ ...ada, ...text }, "secret").body)

/** The texts that a gateway hands on after a notification. */
const taken = Effect.fnUntraced(function* (text: Partial<WhatsAppText>, options: Partial<WhatsApp.Options> = {}) {
  const gateway = yield* make(options)
  const texts: Array<UserText> = []
  yield* gateway.events((event) => Effect.sync(() => void (event._tag === "Text" && texts.push(event))))
  assert.deepStrictEqual(yield* receive(gateway, delivered(text)), { status: 200, body: "" })
  return texts.map(({ from, text }): readonly [string | null, string] => [from, Redacted.value(text)])
})

describe("a text of a user", () => {
  it.effect("is handed on with the number of its sender", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* taken({}), [["+4915123456789", "Verify me"]])
    })
  )

  it.effect("has no number where the platform gives none away", () =>
    Effect.gen(function* () {
      for (const text of [{ from: null }, { more: { from: "DE.13491208655302741918" } }, { more: { from: "" } }]) {
        assert.deepStrictEqual(yield* taken(text), [[null, "Verify me"]])
      }
    })
  )

  it.effect.each<readonly [string, string]>([
    ["+551187654321", "+5511987654321"],
    ["+5215512345678", "+525512345678"],
    ["+5491123456789", "+5491123456789"]
  ])("from %s is from %s, as its country writes it", ([from, number]) =>
    Effect.map(taken({ from }), (texts) => assert.deepStrictEqual(texts, [[number, "Verify me"]]))
  )

  it.effect.each<readonly [string, Partial<WhatsAppText>]>([
    ["a picture", { more: { type: "image", text: undefined, image: { caption: "Verify me" } } }],
    ["a reply by a button", { more: { type: "button", text: undefined, button: { text: "Verify me" } } }],
    ["a choice from a list", { more: { type: "interactive", text: undefined, interactive: { type: "list_reply" } } }],
    ["forwarded", { more: { context: { forwarded: true } } }],
    ["forwarded often", { more: { context: { frequently_forwarded: true } } }],
    ["to another number of the same business", { at: "2" }],
    ["without words", { more: { text: {} } }]
  ])("is left aside where it is %s", ([, text]) =>
    Effect.map(taken(text), (texts) => assert.deepStrictEqual(texts, []))
  )

  it.effect("that quotes another message is taken", () =>
    Effect.map(taken({ more: { context: { from: "4930901820123", id: "wamid.1" } } }), (texts) =>
      assert.lengthOf(texts, 1)
    )
  )

  it.effect("is left aside where the service takes none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* taken({}, { receives: undefined }), [])
      assert.isUndefined((yield* make({ receives: undefined })).receives)
    })
  )

  it.effect("is to be sent again where it could not be handled", () =>
    Effect.gen(function* () {
      const gateway = yield* make()
      yield* gateway.events(() => new StoreError({ reason: "Unavailable", message: "away" }))
      assert.deepStrictEqual(yield* receive(gateway, delivered({})), { status: 503, body: "" })
    })
  )
})

describe("the number that users write to", () => {
  it.effect("must be in E.164 form", () =>
    Effect.gen(function* () {
      for (const receives of ["030 901820123", "106540352242922", ""]) {
        const failed = yield* Effect.exit(make({ receives }))
        assert.include(String(failed), "WhatsApp's option receives must be its number in E.164 form")
      }
    })
  )
})
