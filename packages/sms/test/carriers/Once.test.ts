import { describe, expect } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Outcome } from "@watchword/send/Outcome"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { test } from "../../../../test/live.ts"
import { message, startCarrier } from "../smpp/fixture.ts"
import type { Answer, Submit, Smsc } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { link, startCarriers } from "./fixture.ts"

/** How a carrier answers each part of a text; the last way again for further parts. */
const ways = ["takes", "takes", "refuses", "throttles", "is full", "fails", "is silent"] as const
const script = FastCheck.array(FastCheck.constantFrom(...ways), { minLength: 1, maxLength: 3 })
const sends = FastCheck.record({ parts: FastCheck.integer({ min: 1, max: 3 }), acme: script, bell: script })

const answers: { readonly [W in (typeof ways)[number]]: Answer } = {
  takes: {},
  refuses: { status: STATUS.RINVDSTADR },
  throttles: { status: STATUS.RTHROTTLED },
  "is full": { status: STATUS.RMSGQFUL },
  fails: { status: STATUS.RSYSERR },
  "is silent": "silence"
}

/** The answers after which a message may be with the carrier. */
const PERHAPS_TAKEN: ReadonlySet<string> = new Set(["takes", "is silent"])

describe("messages of two carriers", () => {
  test(
    "are written to both only where the first refused all that it got, and have one outcome",
    Effect.fnUntraced(function* () {
      const cases = FastCheck.sample(sends, { numRuns: 250, seed: 23 })
      const log = cases.map((): Array<{ readonly name: string; readonly way: string }> => [])
      const carrierOf = (name: "acme" | "bell") =>
        startCarrier({
          submit: ({ part, to }: Submit) => {
            const place = indexOf(to)
            const script = cases[place]?.[name] ?? []
            const way = script[(part?.[2] ?? 1) - 1] ?? script.at(-1) ?? "takes"
            log[place]?.push({ name, way })
            return answers[way]
          }
        })
      const query = "timeout=1&window=1000&enquire=3600"
      const acme = yield* carrierOf("acme")
      const bell = yield* carrierOf("bell")
      const outcomes: Array<Outcome> = []
      // Each text has carriers of its own, so that a rest affects only one text.
      const gateways = yield* Effect.forEach(
        Array.from({ length: 5 }),
        () => startCarriers({ acme: link(acme, query), bell: link(bell, query) }),
        { concurrency: "unbounded" }
      )
      yield* Effect.forEach(
        cases,
        ({ parts }, index) => {
          const text = "a".repeat(parts === 1 ? 160 : 153 * parts)
          const gateway = gateways[index % gateways.length]
          if (gateway === undefined) return Effect.void
          return Effect.map(gateway.send(message(text, { to: numberOf(index) })), (outcome) => {
            outcomes[index] = outcome
          })
        },
        { concurrency: "unbounded" }
      )
      let both = 0
      for (const [index, { parts }] of cases.entries()) {
        const outcome = outcomes[index]
        const written = log[index] ?? []
        if (new Set(written.map(({ name }) => name)).size === 2) both++
        for (const [at, { name, way }] of written.entries()) {
          const isFollowed = written.slice(at).some((later) => later.name !== name)
          if (isFollowed) expect(PERHAPS_TAKEN.has(way)).toBe(false)
        }
        if (outcome?._tag === "Accepted") {
          const carrier: Smsc = outcome.details["carrier"] === "acme" ? acme : bell
          expect(outcome.refs).toHaveLength(parts)
          expect(carrier.submits.filter(({ id, to }) => indexOf(to) === index && id !== "")).toHaveLength(parts)
        }
      }
      expect(both).toBeGreaterThan(20)
    })
  )
})

const numberOf = (index: number) => E164.make(`+49151234${String(index).padStart(5, "0")}`)

const indexOf = (to: string): number => Number(to.slice(-5))
