import { assert, describe, it } from "@effect/vitest"
import type { BizchatEvent } from "@watchword/bizchat/BizchatGateway"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import { eventsOf } from "../../src/internal/whatsapp/Notification.ts"
import { isGenuine } from "../../src/internal/whatsapp/Webhook.ts"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { messageTo } from "../message.ts"
import { type Notification, notification, receive, signed, subscribe } from "./notifications.ts"

const make = (options: Partial<WhatsApp.Options> = {}) =>
  WhatsApp.make({
    token: Redacted.make("token"),
    phoneNumberId: "1",
    appSecret: Redacted.make("secret"),
    verifyToken: Redacted.make("verify"),
    ...options
  })

/** A gateway, the answers of its webhook, and the events that it has handed on. */
const receiving = Effect.fnUntraced(function* (options: Partial<WhatsApp.Options> = {}) {
  const gateway = yield* make(options)
  const events: Array<BizchatEvent> = []
  yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
  return { events, tell: (notification: Notification) => receive(gateway, notification) }
})

const ok = { status: 200, body: "" }

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
  const right = { "hub.mode": "subscribe", "hub.verify_token": "verify", "hub.challenge": "1158201444" }

  it.effect("is answered with the challenge", () =>
    Effect.gen(function* () {
      const gateway = yield* make()
      assert.deepStrictEqual(yield* subscribe(gateway, right), { status: 200, body: "1158201444" })
    })
  )

  it.effect.each<Record<string, string>>([
    {},
    { ...right, "hub.mode": "unsubscribe" },
    { "hub.verify_token": "verify", "hub.challenge": "1158201444" },
    { ...right, "hub.verify_token": "another" },
    { ...right, "hub.verify_token": "verify " },
    { ...right, "hub.verify_token": "" },
    { "hub.mode": "subscribe", "hub.challenge": "1158201444" },
    { "hub.mode": "subscribe", "hub.verify_token": "verify" }
  ])("is refused with %j", (query) =>
    Effect.gen(function* () {
      const gateway = yield* make()
      assert.deepStrictEqual(yield* subscribe(gateway, query), { status: 403, body: "" })
    })
  )

  it.effect("is refused where no token is configured", () =>
    Effect.gen(function* () {
      for (const verifyToken of [undefined, Redacted.make("")]) {
        const gateway = yield* make({ verifyToken })
        for (const query of [right, { ...right, "hub.verify_token": "" }]) {
          assert.strictEqual((yield* subscribe(gateway, query)).status, 403)
        }
      }
    })
  )
})

describe("a notification", () => {
  it.effect("gives an event for each status", () =>
    Effect.gen(function* () {
      const { events, tell } = yield* receiving()
      const { delivery } = messageTo("6789")
      const answer = yield* tell(
        notification([
          { id: "wamid.1", status: "sent", timestamp: "1700000000", recipient_id: "4915123456789" },
          { id: "wamid.2", status: "delivered", timestamp: "1700000001", biz_opaque_callback_data: delivery },
          { id: "wamid.2", status: "read", timestamp: 1_700_000_001, biz_opaque_callback_data: "of another service" },
          { id: "wamid.3", status: "failed", timestamp: "1700000002", errors: [{ code: 131026, title: "…" }] },
          { id: "wamid.4", status: "failed", timestamp: "1700000003", errors: [{ code: 131049, title: "…" }] }
        ])
      )
      assert.deepStrictEqual(answer, ok)
      const other = { _tag: "Status", of: null, errorCode: null, notOnPlatform: false } as const
      assert.deepStrictEqual(events, [
        { ...other, ref: "wamid.1", status: "sent", at: 1_700_000_000 },
        { ...other, ref: "wamid.2", status: "delivered", at: 1_700_000_001, of: delivery },
        { ...other, ref: "wamid.2", status: "read", at: 1_700_000_001 },
        { ...other, ref: "wamid.3", status: "failed", at: 1_700_000_002, errorCode: 131026, notOnPlatform: true },
        { ...other, ref: "wamid.4", status: "failed", at: 1_700_000_003, errorCode: 131049 }
      ])
    })
  )

  it.effect("is passed over where it is none of ours", () =>
    Effect.gen(function* () {
      const { events, tell } = yield* receiving()
      const odd = notification([
        null,
        "sent",
        { id: "wamid.1", status: "teleported" },
        { status: "sent" },
        { id: "wamid.2", status: "failed", timestamp: null, biz_opaque_callback_data: {}, errors: ["why"] }
      ])
      const others = ["{}", "[]", "null", '{"entry":[{"changes":[{"value":{"messages":[{}]}}]}]}']
      for (const told of [odd, ...others.map((text) => signed(text))]) assert.deepStrictEqual(yield* tell(told), ok)
      assert.deepStrictEqual(events, [
        { _tag: "Status", ref: "wamid.2", of: null, status: "failed", at: null, errorCode: null, notOnPlatform: false }
      ])
    })
  )

  it("may be any JSON at all", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.isArray(eventsOf(value))))
  })

  it.effect("is refused when its signature is wrong, and not handed on", () =>
    Effect.gen(function* () {
      const { events, tell } = yield* receiving()
      const right = notification([{ id: "wamid.1", status: "sent" }])
      const forged = notification([{ id: "wamid.1", status: "sent" }], "another")
      for (const told of [
        { ...right, signature: undefined },
        { ...right, signature: "" },
        { ...right, signature: forged.signature },
        { ...right, body: Buffer.concat([right.body, Buffer.from(" ")]) },
        { ...right, body: new Uint8Array() }
      ]) {
        assert.deepStrictEqual(yield* tell(told), { status: 401, body: "INVALID_SIGNATURE" })
      }
      assert.deepStrictEqual(events, [])
    })
  )

  it.effect("is refused where no secret is configured, even when signed with none", () =>
    Effect.gen(function* () {
      for (const appSecret of [undefined, Redacted.make("")]) {
        const { tell } = yield* receiving({ appSecret })
        assert.strictEqual((yield* tell(notification([], ""))).status, 401)
      }
    })
  )

  it.effect.each(["", "{", "{}x", Uint8Array.of(0x22, 0xff, 0x22)])(
    "is refused when it is signed and no JSON: %j",
    (body) =>
      Effect.gen(function* () {
        const { tell } = yield* receiving()
        assert.deepStrictEqual(yield* tell(signed(body)), { status: 400, body: "INVALID_BODY" })
      })
  )

  it.effect("is to be said again when what it says cannot be handled", () =>
    Effect.gen(function* () {
      const gateway = yield* make()
      yield* gateway.events(() => new StoreError({ reason: "Unavailable", message: "away at /var/lib" }))
      const answer = yield* receive(gateway, notification([{ id: "wamid.1", status: "sent" }]))
      assert.deepStrictEqual(answer, { status: 503, body: "" })
    })
  )
})
