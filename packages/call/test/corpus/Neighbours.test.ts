/**
 * Variations of {@link rows}: provisional answers in any order and number, and Reasons in any spelling.
 */
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { Headers } from "../../src/internal/sip/Headers.ts"
import type { Response } from "../../src/internal/sip/Message.ts"
import * as Reasons from "../../src/internal/sip/Reasons.ts"
import * as Status from "../../src/internal/sip/Status.ts"
import { unknownIn } from "../../src/internal/sip/Unknown.ts"
import { test } from "../../../../test/live.ts"
import { dial, startGateway, startTrunk } from "../sip/fixture.ts"

const responseOf = (status: number, phrase: string, lines: ReadonlyArray<string>): Response => ({
  _tag: "Response",
  status,
  phrase,
  headers: new Headers(lines),
  via: "",
  branch: "",
  callId: "",
  cseq: { number: 1, method: "INVITE" }
})

const anyCase = (text: string): FastCheck.Arbitrary<string> =>
  FastCheck.array(FastCheck.boolean(), { minLength: text.length, maxLength: text.length }).map((upper) =>
    Array.from(text, (letter, index) => (upper[index] === true ? letter.toUpperCase() : letter.toLowerCase())).join("")
  )

const blank = FastCheck.constantFrom("", " ", "  ", "\t")

/** A value of a Reason, spelt anyhow. */
const spelt = (protocol: string, cause: number, text: string): FastCheck.Arbitrary<string> =>
  FastCheck.tuple(anyCase(protocol), anyCase("cause"), anyCase("text"), blank, blank, FastCheck.boolean()).map(
    ([protocol, cause_, text_, one, other, swapped]) => {
      const parts = [`${other}${cause_}${one}=${one}${cause}`, `${one}${text_}${other}=${other}"${text}"`]
      return [`${protocol}${one}`, ...(swapped ? parts.toReversed() : parts)].join(";")
    }
  )

/** Values in some order, in one line or in several, some of them twice. */
const lines = (...values: ReadonlyArray<FastCheck.Arbitrary<string>>): FastCheck.Arbitrary<ReadonlyArray<string>> =>
  FastCheck.tuple(...values).chain((values) =>
    FastCheck.tuple(
      FastCheck.shuffledSubarray(values, { minLength: values.length }),
      FastCheck.constantFrom("Reason", "REASON", "reason"),
      FastCheck.boolean(),
      FastCheck.boolean()
    ).map(([values, name, isOneLine, isTwice]) => {
      const all = isTwice ? [...values, ...values] : values
      return isOneLine ? [`${name}: ${all.join(", ")}`] : all.map((value) => `${name}: ${value}`)
    })
  )

const ANALYTICS = "v=analytics1;url=https://example.com/a,b;id=1"

describe("a Reason", () => {
  it("blocks the caller id in any spelling and any order, and has its cause of ISDN", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(403, 480, 500, 503, 603),
        lines(spelt("SIP", 603, ANALYTICS), spelt("Q.850", 17, "User busy, twice")),
        (status, headers) => {
          const response = responseOf(status, "Decline", headers)
          expect(Reasons.isCallerBlocked(response)).toBe(true)
          expect(Reasons.q850Of(response)).toBe(17)
          expect(Status.causeOf(response)).toEqual({ hangupCause: "REJECT_ALL", sipStatus: status, q850: 17 })
          expect(Status.failureOf(response, true)).toMatchObject({ reason: "caller_blocked" })
          expect(Status.mayHaveRung(response, true)).toBe(false)
          expect(Status.isTrunkTrouble(response, false) || Status.isAccountTrouble(response)).toBe(false)
        }
      )
    )
  })

  it("does not block it where its text only mentions analytics, or another cause has the text", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(480, 486, 603),
        lines(
          spelt("SIP", 486, "Network Blocked"),
          spelt("SIP", 603, "no analytics1; v=1"),
          spelt("Q.850", 21, "analytics")
        ),
        (status, headers) => {
          expect(Reasons.isCallerBlocked(responseOf(status, "Decline, not network blocked", headers))).toBe(false)
        }
      )
    )
  })

  it("is the first of ISDN's numbering that has a cause", () => {
    expect(Reasons.q850(["SIP;cause=486", "Q.850;text=busy", "Q.850;cause=17", "Q.850;cause=31"])).toBe(17)
    expect(Reasons.q850(["SIP;cause=486", "Q.850;text=busy"])).toBeNull()
  })

  it("is read or passed over, whatever it is, and notes no more than a word of it", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 100, max: 699 }),
        FastCheck.string({ unit: "binary" }),
        FastCheck.array(FastCheck.string(), { maxLength: 4 }),
        (status, phrase, values) => {
          const response = responseOf(
            status,
            phrase,
            values.flatMap((value) => [`Reason: ${value}`, `Warning: ${value}`])
          )
          Status.causeOf(response)
          Status.failureOf(response, false)
          for (const { said } of unknownIn(response)) expect(said.word).not.toMatch(/[0-9]{4}.*[0-9]{4}.*[0-9]{4}/)
        }
      )
    )
  })
})

describe("provisional answers", () => {
  const quiet = FastCheck.constantFrom(100, 181, 182, 183, 199)

  const sequences = FastCheck.record({
    before: FastCheck.array(quiet, { maxLength: 6 }),
    rings: FastCheck.constantFrom(null, 180, 183),
    after: FastCheck.array(FastCheck.constantFrom(100, 180, 181, 182, 183, 199), { maxLength: 4 }),
    first: FastCheck.constantFrom<180 | 183>(180, 183)
  })

  test(
    "let the phone ring at the first 180, in any order and number, or at 183 where the trunk says so",
    Effect.fnUntraced(function* () {
      for (const { after, before, first, rings } of FastCheck.sample(sequences, { numRuns: 60, seed: 7 })) {
        const all = rings === null ? before : [...before, rings, ...after]
        const trunk = yield* startTrunk({
          invite: (call) => {
            for (const status of all) call.respond(status)
            call.respond(486)
          }
        })
        const gateway = yield* startGateway(trunk.url(`keepalive=0;ringing=${first}`))
        const dialled = yield* dial(gateway)
        expect([all, first, dialled._tag]).toEqual([
          all,
          first,
          all.includes(180) || all.includes(first) ? "Ringing" : "Failed"
        ])
      }
    })
  )
})
