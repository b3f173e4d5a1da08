import { describe, expect } from "@effect/vitest"
import type { Outcome } from "@watchword/send/Outcome"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { logged, timed, turns } from "../../../../test/live.ts"
import {
  linkIs,
  message,
  passing,
  settled,
  startBound,
  startCarrier,
  startGateway,
  told,
  until
} from "../smpp/fixture.ts"
import type { Session } from "@watchword/sandbox/smsc"
import * as wire from "@watchword/sandbox/smsc"
import { type BindRow, type Told, binds, probes, rows } from "./Answers.ts"

const hex = (status: number): string => `0x${status.toString(16).padStart(2, "0")}`

const toldBy = (outcome: Outcome): Told => {
  if (outcome._tag === "Accepted") return "accepted"
  if (outcome._tag !== "Rejected") throw new Error(`no row has ${told(outcome)}`)
  const { failure } = outcome
  switch (failure._tag) {
    case "BAD_REQUEST": {
      const path = failure.issues?.[0]?.path
      return path === "to" || path === "from" || path === "text" || path === "tlvs" ? `400 ${path}` : "400"
    }
    case "TEMPORARY_UNAVAILABLE":
      return "480"
    case "SERVICE_UNAVAILABLE":
      return "503"
    default:
      throw new Error(`no row has ${failure._tag}`)
  }
}

describe("the answer to a submit_sm", () => {
  for (const { errors, from, rebinds = false, source, status, told: expected, warned } of rows) {
    const option = errors === undefined ? "" : ` and errors=${errors}`
    timed(
      `${hex(status)} of ${from} (${source})${option} is ${expected}`,
      Effect.fnUntraced(function* () {
        const seen = new Set<number | null>()
        // Without user_message_reference a text is another one to a carrier that refuses optional parameters.
        const carrier = yield* startCarrier({
          submit: ({ reference }) => {
            if (expected === "again" && seen.size > 0) return {}
            seen.add(reference)
            return { status }
          }
        })
        const [, log] = yield* logged(
          Effect.gen(function* () {
            const gateway = yield* startBound(
              carrier.url(`enquire=3600${errors === undefined ? "" : `&errors=${errors}`}`)
            )
            const fiber = yield* Effect.forkChild(gateway.send(message()))
            if (expected === "again") yield* passing(() => carrier.submits.length === 2)
            const outcome = yield* Fiber.join(fiber)
            expect(toldBy(outcome)).toBe(expected === "again" ? "accepted" : expected)
            // Nothing that the carrier refused is paid for: only accepted parts have an id.
            expect(outcome._tag === "Accepted" ? outcome.refs.length : 0).toBe(toldBy(outcome) === "accepted" ? 1 : 0)
            // Time for the last lines of the log.
            yield* turns
          })
        )
        expect(carrier.binds).toHaveLength(rebinds ? 2 : 1)
        if (expected === "again") return
        const warnings = log.split("\n").filter((line) => line.includes('"level":"WARN"'))
        expect(warnings).toHaveLength(warned === undefined ? 0 : 1)
        if (warned !== undefined) expect(warnings[0]).toMatch(warned)
      })
    )
  }
})

const NACK = wire.command.generic_nack

describe("the answer to a bind", () => {
  /** Milliseconds after a bind that no other follows. */
  const quiet: { readonly [L in BindRow["link"]]: number } = {
    up: 0,
    "down, soon again": 400,
    "down, every 5 s": 2900,
    "down, slowly, an error": 4900
  }
  for (const { from, link, nack, source, status } of binds) {
    timed(
      `${hex(status)}${nack === undefined ? "" : ` in a generic_nack with ${nack}`} of ${from} (${source}) leaves the link ${link}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier({
          bind: ({ sequence_number: sequence }, session) => {
            if (nack === undefined) return status
            session.raw(wire.pdu(NACK, status, nack === "sequence 0" ? 0 : sequence))
            return "silence"
          }
        })
        const [, log] = yield* logged(
          Effect.gen(function* () {
            const gateway = yield* startGateway(carrier.url("enquire=3600"))
            yield* until(carrier, () => carrier.binds.length === 1)
            if (link === "up") return yield* linkIs(gateway, 0, true)
            yield* until(carrier, () => carrier.sessions.size === 0)
            yield* turns
            yield* TestClock.adjust(quiet[link])
            yield* turns
            expect(carrier.binds).toHaveLength(1)
            yield* passing(() => carrier.binds.length === 2)
          })
        )
        expect(log.includes('"level":"ERROR"')).toBe(link === "down, slowly, an error")
        expect(log.includes("bind_status")).toBe(status >= 0x400)
      })
    )
  }
})

describe("the answer to an enquire_link", () => {
  for (const { from, link, nack, source, status } of probes) {
    timed(
      `${hex(status)}${nack === undefined ? "" : ` in a generic_nack (${nack})`} of ${from} (${source}) leaves the link ${link}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier({ enquireLink: nack === undefined ? status : "silence" })
        const [, log] = yield* logged(
          Effect.gen(function* () {
            const gateway = yield* startBound(carrier.url("enquire=5"))
            const [session] = carrier.sessions
            if (session === undefined) throw new Error("no session")
            if (nack === "unasked") session.raw(wire.pdu(NACK, status, 4711))
            else {
              yield* TestClock.adjust("5 seconds")
              yield* until(carrier, () => enquiries(session).length === 1)
              const sequence = enquiries(session)[0]?.sequence_number ?? 0
              if (nack !== undefined) session.raw(wire.pdu(NACK, status, nack === "sequence 0" ? 0 : sequence))
            }
            if (link === "up") {
              yield* settled(carrier)
              expect(told(yield* gateway.send(message()))).toBe("Accepted")
              return expect(carrier.binds).toHaveLength(1)
            }
            yield* linkIs(gateway, 0, false)
            carrier.script.enquireLink = "answer"
            yield* passing(() => carrier.binds.length === 2)
          })
        )
        expect(log.includes("has lost the bind")).toBe(link === "bound again")
        const isNoted = link === "up" && status !== 0
        expect(log.includes(nack === "unasked" ? "generic_nack_status" : "enquire_link_status")).toBe(isNoted)
      })
    )
  }
})

const enquiries = ({ received }: Session) => received.filter(({ command }) => command === "enquire_link")
