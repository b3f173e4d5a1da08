import { describe, expect, it } from "@effect/vitest"
import type { ApiText, Post } from "@watchword/sandbox/http"
import { late } from "../../../../test/provider.ts"
import { noKeys } from "@watchword/send/Claims"
import * as Sms from "@watchword/sms/Sms"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { test } from "../../../../test/live.ts"
import * as Ledger from "@watchword/ledger/Ledger"
import { standardHeaders, twilioSignature, vonageToken } from "../http/dialects.ts"
import { startGateway } from "../http/fixture.ts"
import { holdReceipts } from "../http/simulator.ts"
import { FUNDS, PRICE, body, funded, layer } from "../smpp/service.ts"
import { type Row, rows } from "./Callbacks.ts"

/** A callback, signed as its provider does. */
const signed: {
  readonly [P in Row["provider"]]: (text: Pick<ApiText, "callbackUrl">, body: Row["body"]) => Post
} = {
  twilio: ({ callbackUrl }, body) => {
    const url = callbackUrl ?? ""
    const form = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]))
    const type = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }
    return { url, headers: { ...type, "x-twilio-signature": twilioSignature(url, form) }, body: form.toString() }
  },
  vonage: ({ callbackUrl }, json) => {
    const body = JSON.stringify(json)
    const headers = { "content-type": "application/json", authorization: `Bearer ${vonageToken(body)}` }
    return { url: callbackUrl ?? "", headers, body }
  },
  generic: ({ callbackUrl }, json) => {
    const body = JSON.stringify(json)
    return {
      url: callbackUrl ?? "",
      headers: { "content-type": "application/json", ...standardHeaders(body) },
      body
    }
  }
}

describe.each(rows.map((row) => [`${row.provider}: ${row.name}`, row] as const))("a callback of %s", (_name, row) => {
  test(
    "is read",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(row.provider)
      holdReceipts(provider)
      yield* Effect.gen(function* () {
        const sms = yield* Sms.Sms
        const principal = yield* funded
        yield* sms.send(principal, body({ to: "+4915123456789", text: "hello" }), noKeys)
        const [text] = provider.texts
        if (text === undefined) return yield* Effect.die(new Error("nothing was sent"))
        const json: Row["body"] = JSON.parse(JSON.stringify(row.body).replaceAll("SID", text.id))
        const post = Effect.promise(() => provider.post(signed[row.provider](text, json)))
        expect([yield* post, yield* post]).toEqual([200, 200])
        const record = Option.getOrThrow(yield* Store.use((store) => store.findByRef({ channel: "sms", ref: text.id })))
        expect(record.status.name).toBe(row.status)
        expect(record.details["carrier_status"] ?? null).toBe(row.word)
        expect(record.details["carrier_error"] ?? null).toBe(row.error)
        const [{ unrecognized = [] } = { unrecognized: [] }] = yield* gateway.health
        expect(unrecognized.map(({ count, kind, word }) => [`${kind} ${word}`, count])).toEqual(
          row.unrecognized.map((noted) => [noted, 2])
        )
      }).pipe(Effect.provide(layer(gateway)))
    })
  )
})

describe("the callbacks", () => {
  it("have no two of one name", () => {
    expect(new Set(rows.map(({ name, provider }) => `${provider} ${name}`)).size).toBe(rows.length)
  })
})

/** The numbers of one phone in Mexico, as it is dialled since 2019 and as carriers still write it. */
const ASKED = "+525512345679"
const RESPELLED = "+5215512345679"

describe.each(["twilio", "vonage"] as const)("a receipt of %s that spells the number in another way", (name) => {
  test(
    "settles a text whose answer was lost, once",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name)
      holdReceipts(provider)
      yield* Effect.gen(function* () {
        const sms = yield* Sms.Sms
        const ledger = yield* Ledger.Ledger
        const principal = yield* funded
        const balance = () => Effect.map(ledger.balance(principal.account.id), ({ held, posted }) => [held, posted])
        provider.once(late("drop"))
        yield* Effect.flip(sms.send(principal, body({ to: ASKED, text: "hello" }), noKeys))
        expect(yield* balance()).toEqual([PRICE, FUNDS])
        const [text] = provider.texts
        if (text === undefined) return yield* Effect.die(new Error("nothing was sent"))
        const receipt = provider.dialect.receipt({ ...text, to: RESPELLED }, "delivered")
        expect([
          yield* Effect.promise(() => provider.post(receipt)),
          yield* Effect.promise(() => provider.post(receipt))
        ]).toEqual([200, 200])
        expect(yield* balance()).toEqual([0, FUNDS - PRICE])
      }).pipe(Effect.provide(layer(gateway)))
    })
  )
})
