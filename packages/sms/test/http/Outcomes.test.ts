import { describe, expect } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Message } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import { logged, test } from "../../../../test/live.ts"
import { type Fault, answer } from "../../../../test/provider.ts"
import { message, told } from "../smpp/fixture.ts"
import { twilioError, vonageError } from "@watchword/sandbox/http"
import { acmeError } from "./dialects.ts"
import { holdReceipts } from "./simulator.ts"
import { type ProviderName, names, startGateway } from "./fixture.ts"

const to = (end: string, fields: Partial<Message> = {}) =>
  message("Your code is 123456", { to: E164.make(`+491512345${end}`), ...fields })

const page = (status: number) => answer(status, "<html>slow down</html>", { "content-type": "text/html" })

const uncertain: ReadonlyArray<readonly [string, Fault]> = [
  ["a connection that is dropped", "drop"],
  ["an answer that breaks off", "break off"],
  ["an answer that does not come", "silence"],
  ["broken JSON", answer(200, '{"sid":')],
  ["another JSON", answer(200, "[]")],
  ["an empty id", answer(200, '{"sid":"","message_uuid":"","messages":[{"id":""}]}')],
  ["a page", page(200)],
  ["a redirection", answer(307, "", { location: "/elsewhere" })],
  ["status 408", answer(408, "{}")],
  ["status 409", answer(409, "{}")],
  ["status 500", answer(500, "{}")],
  ["status 502 and a page", page(502)],
  ["status 503 and a rest", answer(503, "{}", { "content-type": "application/json", "retry-after": "1" })]
]

// Each has a gateway of its own, and most wait for it.
describe.each(names)("a text by %s", { concurrent: true }, (name) => {
  for (const [after, fault] of uncertain) {
    test(
      `is unknown after ${after}, and not sent again`,
      Effect.fnUntraced(function* () {
        const { gateway, provider } = yield* startGateway(name, { timeout: 1 })
        holdReceipts(provider)
        provider.once(fault)
        expect(told(yield* gateway.send(to("0000")))).toBe("Unknown TEMPORARY_UNAVAILABLE")
        expect(provider.calls).toHaveLength(1)
        expect(told(yield* gateway.send(to("1111")))).toBe("Accepted")
      })
    )
  }

  test(
    "is rejected while the provider refuses connections",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name)
      yield* Effect.promise(() => provider.stop())
      expect(told(yield* gateway.send(to("0000")))).toBe("Rejected TEMPORARY_UNAVAILABLE")
    })
  )

  test(
    "is sent again after a throttled request that was not taken, by Retry-After",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name)
      const throttled = answer(429, "{}", { "content-type": "application/json", "retry-after": "1" })
      provider.once(throttled, throttled)
      expect(told(yield* gateway.send(to("0000")))).toBe("Accepted")
      expect(provider.calls).toHaveLength(3)
    })
  )

  test(
    "is rejected when the provider asks for a longer pause than a text may wait, and so is the next at once",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name, { deadline: 5 })
      provider.once(answer(429, "{}", { "content-type": "application/json", "retry-after": "60" }))
      expect(told(yield* gateway.send(to("0000")))).toBe("Rejected TEMPORARY_UNAVAILABLE")
      expect(told(yield* gateway.send(to("1111")))).toBe("Rejected TEMPORARY_UNAVAILABLE")
      expect(provider.calls).toHaveLength(1)
    })
  )

  test(
    "waits for its turn by the rate of the account, and is rejected where that comes too late",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name, { rate: 1, deadline: 1.5 })
      const outcomes = yield* Effect.all(
        [1, 2, 3, 4].map((each) => gateway.send(to(`000${each + 4}`))),
        { concurrency: "unbounded" }
      )
      const all = outcomes.map(told)
      expect(all.slice(0, 2)).toEqual(["Accepted", "Accepted"])
      expect(all.slice(2)).toEqual(["Rejected TEMPORARY_UNAVAILABLE", "Rejected TEMPORARY_UNAVAILABLE"])
      expect(provider.calls).toHaveLength(2)
    })
  )

  test(
    "that carries parameters the provider does not take is rejected unasked",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name)
      const outcome = yield* gateway.send(to("0000", { tlvs: [{ tag: 0x2fff, value: "1" }] }))
      expect(told(outcome)).toBe("Rejected BAD_REQUEST")
      expect(provider.calls).toHaveLength(0)
    })
  )

  test(
    "tells its content, its number and the credentials to no log and no error",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway(name)
      const secret = `86420975 +4915123450000 ${JSON.stringify(provider.url())}`
      const faults: ReadonlyArray<Fault> = [
        answer(500, secret),
        answer(400, JSON.stringify({ code: secret, type: `#${secret}`, error: { code: secret } })),
        answer(401, JSON.stringify({ code: 4915123450000, type: "#4915123450000", error: { code: "4915123450000" } })),
        "drop"
      ]
      for (const fault of faults) {
        provider.once(fault)
        const [outcome, lines] = yield* logged(gateway.send(to("0000", { text: message("86420975").text })))
        expect(JSON.stringify(outcome) + lines).not.toMatch(/86420975|15123450000|auth-token|api-secret|acme-token/)
      }
    })
  )
})

const refusals: ReadonlyArray<readonly [ProviderName, string, Fault, string, string | null]> = [
  ["twilio", "21211", twilioError(21211), "BAD_REQUEST", "to"],
  ["twilio", "21610", twilioError(21610), "BAD_REQUEST", "to"],
  ["twilio", "21606", twilioError(21606), "BAD_REQUEST", "from"],
  ["twilio", "21617", twilioError(21617), "BAD_REQUEST", "text"],
  ["twilio", "21611", twilioError(21611, 429), "TEMPORARY_UNAVAILABLE", null],
  ["twilio", "99999", twilioError(99999), "BAD_REQUEST", null],
  ["twilio", "20003", twilioError(20003, 401), "SERVICE_UNAVAILABLE", null],
  ["twilio", "20404", twilioError(20404, 404), "SERVICE_UNAVAILABLE", null],
  ["vonage", "1150", vonageError("1150", 422, { invalid_parameters: [{ name: "from" }] }), "BAD_REQUEST", "from"],
  ["vonage", "1160", vonageError("1160", 422), "BAD_REQUEST", null],
  ["vonage", "1080", vonageError("1080", 402), "SERVICE_UNAVAILABLE", null],
  ["vonage", "unauthorized", vonageError("unauthorized", 401), "SERVICE_UNAVAILABLE", null],
  ["generic", "no-credit", acmeError("no-credit", 200), "SERVICE_UNAVAILABLE", null],
  ["generic", "busy", acmeError("busy", 503), "TEMPORARY_UNAVAILABLE", null],
  ["generic", "other", acmeError("other", 400), "BAD_REQUEST", null]
]

describe("a refusal", () => {
  for (const [name, code, fault, failure, path] of refusals) {
    test(
      `of ${name} with ${code} is ${failure}${path === null ? "" : ` that names ${path}`}`,
      Effect.fnUntraced(function* () {
        const { gateway, provider } = yield* startGateway(name, { deadline: 1 })
        provider.once(fault, fault)
        const outcome = yield* gateway.send(to("0000"))
        expect(told(outcome)).toBe(`Rejected ${failure}`)
        if (outcome._tag !== "Rejected") return
        const { issues = [] } = "issues" in outcome.failure ? outcome.failure : {}
        expect(issues.map((issue) => issue.path)).toEqual(path === null ? [] : [path])
        if (code !== "21611") expect(outcome.details).toEqual({ carrier_error: code })
      })
    )
  }

  test(
    "for credentials is logged for the operator",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway("twilio")
      provider.once(twilioError(20003, 401))
      const [, lines] = yield* logged(gateway.send(to("0000")))
      expect(lines).toContain("does not let this service send")
      expect(lines).toContain("20003")
    })
  )
})

describe("a provider that is down", () => {
  test(
    "is not asked any more after failures about five numbers, and shows as down",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* startGateway("twilio")
      expect(yield* gateway.health).toEqual([{ name: "twilio", up: true, rate: null }])
      for (let times = 0; times < 5; times++) {
        provider.once(answer(500, "{}"))
        expect(told(yield* gateway.send(to(`999${times}`)))).toBe("Unknown TEMPORARY_UNAVAILABLE")
      }
      expect(told(yield* gateway.send(to("0000")))).toBe("Rejected TEMPORARY_UNAVAILABLE")
      expect(provider.calls).toHaveLength(5)
      expect(yield* gateway.health).toEqual([{ name: "twilio", up: false, rate: null }])
    })
  )
})
