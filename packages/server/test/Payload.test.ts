import { it } from "@effect/vitest"
import { ApiRequest } from "../src/http/ApiRequest.ts"
import * as Bodies from "../src/http/Bodies.ts"
import * as Payload from "../src/http/Payload.ts"
import { type HostRequest, bytes } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"

const payload = Payload.make(Bodies.make({ maxBytes: 1_000 }))

const read = (body: Uint8Array, headers: HostRequest["headers"]) =>
  payload(new ApiRequest({ method: "POST", path: "/", headers, body: bytes(body), remoteAddress: null }), "acme").pipe(
    Effect.match({ onSuccess: (value) => value, onFailure: ({ message }) => message })
  )

const json = new TextEncoder().encode('{"to":"é"}')

describe("the type of a body", () => {
  it.effect.each([
    "application/json",
    "Application/JSON; Charset=UTF-8",
    "application/json;charset=utf8",
    'application/json; profile=x; charset = "utf-8"'
  ])("may be %s", (type) =>
    Effect.gen(function* () {
      expect(yield* read(json, { "content-type": type })).toEqual({ to: "é" })
    })
  )

  it.effect.each([
    "text/plain",
    "application/json; charset=latin1",
    "application/json; charset=xutf-8",
    "application/json; charset=utf-8x"
  ])("may not be %s", (type) =>
    Effect.gen(function* () {
      expect(yield* read(json, { "content-type": type })).toBe("The content type is not supported.")
    })
  )
})

describe("a body", () => {
  it.effect("of octets that are not UTF-8 is refused, and not read with signs for them", () =>
    Effect.gen(function* () {
      const latin1 = Uint8Array.from('{"to":"\u00e9"}', (sign) => sign.charCodeAt(0))
      expect(yield* read(latin1, {})).toBe("The request body is not JSON.")
    })
  )
})
