/**
 * Rehearsals with carriers of several dialects, over TCP.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Heard } from "@watchword/send/rehearsal"
import { readAs } from "../../../src/internal/smpp/rehearsal/Answers.ts"
import { reader } from "../../../src/internal/smpp/rehearsal/Dialect.ts"
import { samples } from "../../../src/internal/smpp/rehearsal/Samples.ts"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { test } from "../../../../../test/live.ts"
import { startBound, startCarrier } from "../fixture.ts"
import { scripts, shownOf } from "./dialects.ts"

const to = E164.make("+4915123456789")

it("finds no dialect where the phone shows nothing and the carrier has answered nothing", () => {
  const sent: Heard = { at: 0, kind: "sent", raw: "", read: "", facts: { text: 1 } }
  const { advice, findings } = reader.dialectOf([sent], new Map([["first", ""]]))
  expect(findings).toContainEqual({ about: "alphabet", found: "nothing arrived" })
  expect(advice).toEqual([])
})

it("names dates in a form that is not known, receipts that come more than once, and their references", () => {
  const each = (kind: "answer" | "receipt", facts: Heard["facts"]): Heard => ({ at: 0, kind, raw: "", read: "", facts })
  const answers = [1, 2].map((part) => each("answer", { verdict: "Accepted", id: "1", text: samples.length, part }))
  const facts = { id: "1", answered: "1", status: "delivered", text: samples.length, done: "12/31/25", reference: true }
  const { findings } = reader.dialectOf([...answers, ...[1, 2, 3].map(() => each("receipt", facts))], new Map())
  expect(findings).toContainEqual({ about: "clocks", found: "dates in another form (12/31/25)" })
  expect(findings).toContainEqual({ about: "receipts", found: "one for each part, some more than once" })
  expect(findings).toContainEqual({ about: "reference", found: "receipts repeat user_message_reference" })
})

it("finds a link whose texts leave in Latin-1 where the carrier takes them for the GSM alphabet", () => {
  const sent: Heard = { at: 0, kind: "sent", raw: "octets=40205f", read: "", facts: { text: 1 } }
  const answer: Heard = { at: 0, kind: "answer", raw: "", read: "", facts: { verdict: "Accepted", id: "7", part: 1 } }
  const { advice, findings } = reader.dialectOf([sent, answer], new Map([["first", "¡ § ¤ £ é"]]))
  expect(findings).toContainEqual({ about: "alphabet", found: "data_coding 0 is the GSM alphabet" })
  expect(findings).toContainEqual({ about: "ids", found: "decimal of 1 character in answers (7)" })
  expect(advice.map(({ option, value }) => `${option}=${value}`)).toEqual(["alphabet=gsm"])
})

it("says of an answer whether receipts can name the text", () => {
  expect(readAs({ _tag: "Accepted" }, "1", true)).toBe("taken")
  expect(readAs({ _tag: "Accepted" }, "", true)).toBe("taken, without an id: no receipt can name it")
})

describe("a rehearsal with a carrier of", () => {
  for (const { behaviour, findings, name, options, phone } of scripts) {
    test(`${name} finds its dialect`, () =>
      Effect.gen(function* () {
        const carrier = yield* startCarrier(behaviour())
        const gateway = yield* startBound(carrier.url("carrier=acme"))
        const events: Array<unknown> = []
        yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
        const heard: Array<Heard> = []
        const trial = { carrier: "acme", to, from: "Watchword", wait: 2_000 }
        yield* gateway.rehearsal?.run(trial, (each) => void heard.push(each)) ?? Effect.void

        const taken = carrier.submits.filter(({ id }) => id !== "")
        expect(taken).toHaveLength(4)
        expect(carrier.acknowledgements.every((status) => status === 0)).toBe(true)
        expect(events).toEqual([])
        for (const { kind, raw } of heard) {
          if (kind === "receipt")
            expect(raw).toMatch(/^deliver_sm esm_class=0x\S+ source=\d ".*" data_coding=\d+ text="/)
        }

        const [first, second] = taken
        const shown = new Map([
          ["first", first === undefined ? "" : shownOf(first, phone)],
          ["second", second === undefined ? "" : shownOf(second, phone)],
          ["third", "one"]
        ])
        const dialect = reader.dialectOf(heard, shown)
        const found = new Map(dialect.findings.map((each) => [each.about, each.found]))
        for (const [about, expected] of Object.entries(findings)) expect(found.get(about)).toMatch(expected)
        expect(found.get("UCS-2")).toBe("the phone shows the signs as they were sent")
        const proposed = dialect.advice.map(({ option, value }) => `${option}=${value}`).join("&")
        expect(proposed.replace(/rate=\d+/, "rate=*")).toBe(options)
      }))
  }
})
