/**
 * The contents of an INVITE, and inputs that can never get into one.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { test } from "../../../../test/live.ts"
import { dial, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"
import { branch, header, tag } from "@watchword/sandbox/trunk"

const placed = Effect.fnUntraced(function* (parameters: string) {
  const trunk = yield* startTrunk()
  const gateway = yield* startGateway(trunk.url(`keepalive=0;${parameters}`))
  expect(resultOf(yield* dial(gateway))).toBe("Ringing")
  const [call] = trunk.calls
  if (call === undefined) throw new Error("no call")
  const at = `127.0.0.1:${trunk.port}`
  return { invite: call.invite, at }
})

describe("an INVITE", () => {
  test(
    "carries the caller id, the callee and an offer",
    Effect.fnUntraced(function* () {
      const { invite, at } = yield* placed("cps=100")
      expect(invite.uri).toBe(`sip:+4915123456789@${at};user=phone`)
      expect(header(invite, "to")).toBe(`<${invite.uri}>`)
      expect(header(invite, "from")).toMatch(/^<sip:\+4930901820123@127\.0\.0\.1;user=phone>;tag=[0-9a-f]{12}$/)
      expect(header(invite, "p-asserted-identity")).toBe("<sip:+4930901820123@127.0.0.1;user=phone>")
      expect(header(invite, "contact")).toMatch(/^<sip:client@127\.0\.0\.1:\d+>$/)
      expect(header(invite, "via")).toMatch(/^SIP\/2\.0\/UDP 127\.0\.0\.1:\d+;branch=z9hG4bK[0-9a-f-]{36}-1;rport$/)
      expect(header(invite, "max-forwards")).toBe("70")
      expect(header(invite, "privacy")).toBe("")
      expect(header(invite, "content-type")).toBe("application/sdp")
      expect(header(invite, "content-length")).toBe(String(invite.body.length))
      expect(invite.body).toMatch(
        /^v=0\r\no=- \d+ 1 IN IP4 127\.0\.0\.1\r\ns=-\r\nc=IN IP4 127\.0\.0\.1\r\nt=0 0\r\nm=audio 9 RTP\/AVP 8 0 101\r\n/
      )
      expect(invite.body).toContain("\r\na=sendrecv\r\n")
    })
  )

  test(
    "is spelt as the trunk wants it",
    Effect.fnUntraced(function* () {
      const { invite, at } = yield* placed(
        "from=account;domain=acme.example;identity=preferred;privacy=id;plus=no;phone=no;media=inactive"
      )
      expect(invite.uri).toBe(`sip:4915123456789@${at}`)
      expect(header(invite, "from")).toMatch(/^<sip:client@acme\.example>;tag=/)
      expect(header(invite, "p-preferred-identity")).toBe("<sip:4930901820123@acme.example>")
      expect(header(invite, "privacy")).toBe("id")
      expect(invite.body).toContain("\r\na=inactive\r\n")
    })
  )

  const spellings = [
    ["plus=national;national=49;national_prefix=0", "030901820123", "015123456789"],
    ["plus=national;national=49", "30901820123", "15123456789"],
    ["plus=national;national=49;national_prefix=0;callee_plus=yes", "030901820123", "+4915123456789"],
    ["callee_plus=national;national=49;national_prefix=0", "+4930901820123", "015123456789"],
    ["plus=no;callee_plus=yes", "4930901820123", "+4915123456789"],
    // Numbers of other countries keep their plus.
    ["plus=national;national=44;national_prefix=0", "+4930901820123", "+4915123456789"]
  ] as const
  for (const [options, from, to] of spellings) {
    test(
      `has its numbers as ${options} says`,
      Effect.fnUntraced(function* () {
        const { invite, at } = yield* placed(options)
        expect(invite.uri).toBe(`sip:${to}@${at};user=phone`)
        expect(header(invite, "from")).toMatch(`<sip:${from}@`)
        expect(header(invite, "p-asserted-identity")).toMatch(`<sip:${from}@`)
      })
    )
  }

  test(
    "may name its caller as trunks did before RFC 3325, or in From alone",
    Effect.fnUntraced(function* () {
      const { invite } = yield* placed("identity=remote-party")
      expect(header(invite, "remote-party-id")).toBe(
        "<sip:+4930901820123@127.0.0.1;user=phone>;party=calling;screen=yes;privacy=off"
      )
      const { invite: bare } = yield* placed("identity=none")
      expect(bare.text).not.toMatch(/\r\n(?:P-Asserted-Identity|P-Preferred-Identity|Remote-Party-ID|Privacy):/)
    })
  )

  test(
    "has a branch, a tag and a Call-ID that no other has",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      yield* Effect.forEach(Array.from({ length: 300 }), () => dial(gateway), { concurrency: 100 })
      const unlike = (of: (call: (typeof trunk.calls)[number]) => string) => new Set(trunk.calls.map(of)).size
      expect(unlike(({ invite }) => branch(invite))).toBe(300)
      expect(unlike(({ invite }) => tag(header(invite, "from")))).toBe(300)
      expect(unlike(({ invite }) => header(invite, "call-id"))).toBe(300)
    })
  )

  for (const number of ["+49151\r\nRoute: <sip:evil>", "+49151;phone-context=x", "+0491512345", "", "4915123456789"]) {
    test(
      `is never sent for the number ${JSON.stringify(number)}`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk()
        const gateway = yield* startGateway(trunk.url())
        const wrong = E164.make(number, { disableChecks: true })
        for (const [path, fields] of Object.entries({ callee: { callee: wrong }, caller: { caller: wrong } })) {
          expect(yield* dial(gateway, order(fields))).toMatchObject({
            _tag: "Failed",
            failure: { _tag: "BAD_REQUEST", issues: [{ path }] }
          })
        }
        yield* dial(gateway)
        yield* until(trunk, () => trunk.calls.length > 0)
        expect(trunk.methods).toEqual(["INVITE"])
      })
    )
  }
})
