import { assert, describe, it } from "@effect/vitest"
import type { BusinessChatEvent } from "@watchword/bizchat/BusinessChatGateway"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import { eventsOf, isGenuine } from "@watchword/bizchat/whatsapp/Webhook"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { notification, signed } from "./server.ts"

const make = (options: Partial<WhatsApp.Options> = {}) =>
  WhatsApp.make({
    token: Redacted.make("token"),
    phoneNumberId: "1",
    appSecret: Redacted.make("secret"),
    verifyToken: Redacted.make("verify"),
    ...options
  })

/** A gateway and the events that it has handed on. */
const receiving = Effect.fnUntraced(function* (options: Partial<WhatsApp.Options> = {}) {
  const { gateway, receive } = yield* make(options)
  const events: Array<BusinessChatEvent> = []
  yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
  return { events, receive }
})

const secret = Redacted.make("It's a Secret to Everybody")
const body = new TextEncoder().encode("Hello, World!")
const hex = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"

describe("a signature", () => {
  it.effect("is the HMAC-SHA256 of the raw body", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isGenuine(body, `sha256=${hex}`, secret))
      assert.isTrue(yield* isGenuine(body, `sha256=${hex.toUpperCase()}`, secret))
    })
  )

  it.effect.each([
    undefined,
    "",
    hex,
    `sha1=${hex}`,
    `sha256=${hex}0`,
    `sha256=${hex.slice(2)}`,
    "sha256=",
    "sha256=zz"
  ])("is not %j", (signature) => Effect.map(isGenuine(body, signature, secret), (genuine) => assert.isFalse(genuine)))

  it("is of every bit of body, signature and secret", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1 }),
        fc.string({ minLength: 1 }),
        fc.constantFrom("body", "signature", "secret"),
        fc.nat(),
        async (body, secret, part, choice) => {
          const { signature } = signed(body, secret)
          const parts = {
            body,
            signature: Buffer.from(signature.slice("sha256=".length), "hex"),
            secret: Buffer.from(secret)
          }
          const isGenuineOf = (it: { body: Uint8Array; signature: Uint8Array; secret: Uint8Array }) =>
            Effect.runPromise(
              isGenuine(
                new Uint8Array(it.body),
                `sha256=${Buffer.from(it.signature).toString("hex")}`,
                Redacted.make(Buffer.from(it.secret).toString())
              )
            )
          assert.isTrue(await isGenuineOf(parts))
          const bit = choice % (parts[part].length * 8)
          const changed = parts[part].map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
          assert.isFalse(await isGenuineOf({ ...parts, [part]: changed }))
        }
      )
    ))
})

describe("a subscription", () => {
  const ask = Effect.fnUntraced(function* (changes: object, options: Partial<WhatsApp.Options> = {}) {
    const { subscribe } = yield* make(options)
    const query = { "hub.mode": "subscribe", "hub.verify_token": "verify", "hub.challenge": "1158201444", ...changes }
    return Option.getOrNull(yield* subscribe(query))
  })

  it.effect("is answered with the challenge", () =>
    Effect.map(ask({}), (challenge) => assert.strictEqual(challenge, "1158201444"))
  )

  it.effect.each([
    { "hub.mode": "unsubscribe" },
    { "hub.mode": undefined },
    { "hub.verify_token": "another" },
    { "hub.verify_token": "" },
    { "hub.verify_token": ["verify", "verify"] },
    { "hub.challenge": undefined }
  ])("is refused with %j", (changes) => Effect.map(ask(changes), (challenge) => assert.isNull(challenge)))

  it.effect("is refused where no token is configured", () =>
    Effect.map(ask({ "hub.verify_token": "" }, { verifyToken: undefined }), (challenge) => assert.isNull(challenge))
  )
})

describe("a notification", () => {
  it.effect("gives an event for each status", () =>
    Effect.gen(function* () {
      const { events, receive } = yield* receiving()
      const { body, signature } = notification([
        { id: "wamid.1", status: "sent", timestamp: "1700000000", recipient_id: "4915123456789" },
        { id: "wamid.2", status: "delivered", timestamp: "1700000001" },
        { id: "wamid.3", status: "failed", timestamp: "1700000002", errors: [{ code: 131026, title: "…" }] },
        { id: "wamid.4", status: "failed", timestamp: "1700000003", errors: [{ code: 131049, title: "…" }] }
      ])
      yield* receive(body, signature)
      const other = { errorCode: null, notOnPlatform: false }
      assert.deepStrictEqual(events, [
        { ref: "wamid.1", status: "sent", at: 1_700_000_000, ...other },
        { ref: "wamid.2", status: "delivered", at: 1_700_000_001, ...other },
        { ref: "wamid.3", status: "failed", at: 1_700_000_002, errorCode: 131026, notOnPlatform: true },
        { ref: "wamid.4", status: "failed", at: 1_700_000_003, errorCode: 131049, notOnPlatform: false }
      ])
    })
  )

  it.effect("of a message that was read says that it was delivered, too", () =>
    Effect.gen(function* () {
      const { events, receive } = yield* receiving()
      const { body, signature } = notification([{ id: "wamid.1", status: "read", timestamp: "1700000000" }])
      yield* receive(body, signature)
      assert.deepStrictEqual(
        events.map(({ ref, status }) => [ref, status]),
        [
          ["wamid.1", "delivered"],
          ["wamid.1", "read"]
        ]
      )
    })
  )

  it.effect("is passed over where it is none of ours", () =>
    Effect.gen(function* () {
      const { events, receive } = yield* receiving()
      const { body, signature } = notification([
        null,
        "sent",
        { id: "wamid.1", status: "teleported" },
        { status: "sent" },
        { id: "wamid.2", status: "failed", timestamp: null, errors: ["why"] }
      ])
      yield* receive(body, signature)
      for (const other of ["{}", "[]", "null", '{"entry":[{"changes":[{"value":{"messages":[{}]}}]}]}']) {
        const { body, signature } = signed(other)
        yield* receive(body, signature)
      }
      assert.deepStrictEqual(events, [
        { ref: "wamid.2", status: "failed", at: null, errorCode: null, notOnPlatform: false }
      ])
    })
  )

  it("may be any JSON at all", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.isArray(eventsOf(value))))
  })

  it.effect("is refused when its signature is wrong, and not handed on", () =>
    Effect.gen(function* () {
      const { events, receive } = yield* receiving()
      const { body, signature } = notification([{ id: "wamid.1", status: "sent" }])
      const forged = notification([{ id: "wamid.1", status: "sent" }], "another")
      for (const [bytes, header] of [
        [body, undefined],
        [body, forged.signature],
        [Buffer.concat([body, Buffer.from(" ")]), signature]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(receive(bytes, header)))._tag, "WebhookError")
      }
      assert.deepStrictEqual(events, [])
    })
  )

  it.effect("is refused where no secret is configured, even when signed with none", () =>
    Effect.gen(function* () {
      const { receive } = yield* receiving({ appSecret: undefined })
      const { body, signature } = notification([], "")
      assert.strictEqual((yield* Effect.flip(receive(body, signature)))._tag, "WebhookError")
    })
  )

  it.effect("is refused when it is signed and no JSON", () =>
    Effect.gen(function* () {
      const { receive } = yield* receiving()
      const { body, signature } = signed("{")
      assert.deepInclude(yield* Effect.flip(receive(body, signature)), { code: "INVALID_BODY" })
    })
  )

  it.effect("fails when what it says cannot be handled", () =>
    Effect.gen(function* () {
      const { gateway, receive } = yield* make()
      yield* gateway.events(() => new StoreError({ reason: "Unavailable", message: "away" }))
      const { body, signature } = notification([{ id: "wamid.1", status: "sent" }])
      assert.strictEqual((yield* Effect.flip(receive(body, signature)))._tag, "StoreError")
    })
  )
})
