import { describe, expect } from "@effect/vitest"
import type { SmsEvent } from "@watchword/sms/SmsGateway"
import { generic, twilio, vonage } from "@watchword/sms/http"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { test } from "../../../../test/live.ts"
import { collectEvents } from "../smpp/fixture.ts"
import {
  ACCOUNT,
  ACME_SECRET,
  API_KEY,
  acmeDescription,
  standardHeaders,
  twilioSignature,
  vonageToken
} from "./dialects.ts"
import { type ProviderName, names, startGateway } from "./fixture.ts"

const OURS = "+441632960001"
const THEIRS = "+447400123456"

interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A text of a user as each provider posts it, signed. */
const posted: { readonly [N in ProviderName]: (url: string, text: string, to?: string) => Posted } = {
  twilio: (url, text, to = OURS) => {
    const form = new URLSearchParams({
      SmsStatus: "received",
      MessageSid: "SM0123456789abcdef0123456789abcdef",
      From: THEIRS,
      To: to,
      Body: text
    })
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": twilioSignature(url, form)
    }
    return { headers, body: String(form) }
  },
  vonage: (_, text, to = OURS) => {
    const body = JSON.stringify({
      message_uuid: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
      channel: "sms",
      message_type: "text",
      from: THEIRS.slice(1),
      to: to.slice(1),
      text,
      timestamp: "2026-11-29T20:00:00Z"
    })
    return { headers: { "content-type": "application/json", authorization: `Bearer ${vonageToken(body)}` }, body }
  },
  generic: (_, text, to = OURS) => {
    const body = JSON.stringify({
      messages: [{ sender: THEIRS, recipient: to, content: text }],
      results: [{ id: "1", state: "DELIVRD", recipient: THEIRS, ref: 1, error: 0, content: "of the receipt" }]
    })
    return { headers: { "content-type": "application/json", ...standardHeaders(body) }, body }
  }
}

const started = Effect.fnUntraced(function* (
  name: ProviderName,
  receives: ReadonlyArray<string> | null = [OURS],
  handle: () => Effect.Effect<void, StoreError> = () => Effect.void
) {
  const { gateway, receiver } = yield* startGateway(name, { receives: receives ?? undefined })
  const { events } = yield* collectEvents(gateway, handle)
  const post = (text: string, to?: string, changes: Partial<Posted> = {}) =>
    Effect.promise(async () => {
      const response = await fetch(receiver.url, {
        method: "POST",
        ...posted[name](receiver.url, text, to),
        ...changes
      })
      return [response.status, await response.text()]
    })
  return { events, gateway, post }
})

const textsOf = (events: ReadonlyArray<SmsEvent>) => events.filter(({ _tag }) => _tag === "Text")

describe.each(names)("a text of a user by %s", (name) => {
  test(
    "to a number of ours is taken, and answered with nothing",
    Effect.fnUntraced(function* () {
      const { events, gateway, post } = yield* started(name)
      expect(gateway.receives?.()).toEqual([OURS])
      const text = "Verify 7ZQ4M1X0 😀 “quoted” & more"
      expect(yield* post(text)).toEqual([200, ""])
      expect(textsOf(events)).toEqual([
        { _tag: "Text", from: { ton: 1, address: THEIRS }, to: OURS, text, isWhole: true, carrier: null }
      ])
    })
  )

  test(
    "that is not stored is answered 503, and counts when it comes again",
    Effect.fnUntraced(function* () {
      let failures = 1
      const unavailable = new StoreError({ reason: "Unavailable", message: "the database is away" })
      const { events, post } = yield* started(name, [OURS], () =>
        failures-- > 0 ? Effect.fail(unavailable) : Effect.void
      )
      expect((yield* post("hello"))[0]).toBe(503)
      expect(yield* post("hello")).toEqual([200, ""])
      expect(textsOf(events)).toHaveLength(2)
    })
  )

  test(
    "with a wrong signature is refused",
    Effect.fnUntraced(function* () {
      const { events, post } = yield* started(name)
      const { body } = posted[name]("", "another")
      expect((yield* post("hello", OURS, { body }))[0]).toBe(401)
      expect(events).toEqual([])
    })
  )

  test(
    "to another number is dropped and counted, with and without numbers of ours",
    Effect.fnUntraced(function* () {
      for (const receives of [[OURS], null]) {
        const { events, gateway, post } = yield* started(name, receives)
        expect(gateway.receives === undefined).toBe(receives === null)
        expect(yield* post("hello", "+441632960002")).toEqual([200, ""])
        expect(textsOf(events)).toEqual([])
        expect((yield* gateway.health)[0]?.unrecognized).toMatchObject([{ kind: "subscriber_text", count: 1 }])
      }
    })
  )

  test(
    "needs numbers in E.164",
    Effect.fnUntraced(function* () {
      const exit = yield* Effect.exit(startGateway(name, { receives: ["01632960001"] }))
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain("receives must be 1 to 100 different numbers")
    })
  )
})

test(
  "a text is Twilio's with its overrides in the address, too",
  Effect.fnUntraced(function* () {
    const { gateway, receiver } = yield* startGateway("twilio", { receives: [OURS] })
    const { events } = yield* collectEvents(gateway)
    const { body, headers } = posted.twilio(`${receiver.url}#rc=5&rp=5xx,ct,rt`, "hello")
    const response = yield* Effect.promise(() => fetch(receiver.url, { method: "POST", headers, body }))
    expect([response.status, textsOf(events).length]).toEqual([200, 1])
  })
)

test(
  "numbers of ours need what their texts are verified with",
  Effect.fnUntraced(function* () {
    const receives = [OURS]
    const { texts: _, ...description } = { ...acmeDescription, url: "http://127.0.0.1:1" }
    const layers = [
      twilio({ accountSid: ACCOUNT, authToken: "token", receives }),
      vonage({ apiKey: API_KEY, apiSecret: "secret", receives }),
      generic({ description, token: "token", signatureSecret: ACME_SECRET, receives })
    ]
    const needs = ["callbackUrl, or the publicUrl", "signatureSecret", "texts in the description"]
    for (const [at, layer] of layers.entries()) {
      const exit = yield* Effect.exit(Layer.build(layer))
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain(`receives needs ${needs[at] ?? ""}`)
    }
  })
)

test(
  "a description of texts needs receipts, whose signature they have",
  Effect.fnUntraced(function* () {
    const { receipts: _, ...description } = { ...acmeDescription, url: "http://127.0.0.1:1" }
    const exit = yield* Effect.exit(Layer.build(generic({ description, token: "token" })))
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("description.texts needs receipts")
  })
)
