/**
 * Rehearsals with trunks of several dialects, over UDP.
 */
import { reader } from "../../../src/internal/sip/rehearsal/Dialect.ts"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Heard } from "@watchword/send/rehearsal"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { test } from "../../../../../test/live.ts"
import { collectEnds, quick, startGateway, startTrunk } from "../fixture.ts"
import type { TrunkCall } from "@watchword/sandbox/trunk"

const to = E164.make("+4915123456789")
const from = "+4930901820123"

interface Script {
  readonly name: string
  readonly invite: (call: TrunkCall) => void
  readonly shown: string
  readonly findings: Readonly<Record<string, RegExp>>
  readonly options: string
}

/** The Date of a clock that is so many hours wrong. */
const date = (hours = 0) => `Date: ${new Date(Date.now() + hours * 3_600_000).toUTCString()}`

const scripts: ReadonlyArray<Script> = [
  {
    name: "that rings by 180, and shows the caller",
    invite: (call) => {
      call.respond(100, { headers: [date()] })
      call.respond(180)
    },
    shown: "030 901820123",
    findings: {
      ringing: /^100, 180, which counts as ringing after \d+ ms$/,
      end: /^487; NO_ANSWER$/,
      clocks: /^Date is right$/,
      caller: /^the phone shows the number that was sent$/
    },
    options: ""
  },
  {
    name: "that rings by 183 alone, with a clock of its own",
    invite: (call) => {
      call.respond(100, { headers: [date(3)] })
      call.respond(183)
    },
    shown: from,
    findings: {
      ringing: /^100, 183, none of which counts as ringing, and the phone rang$/,
      end: /^487/,
      clocks: /^Date differs/
    },
    options: "ringing=183"
  },
  {
    name: "that hides the caller",
    invite: (call) => call.respond(180),
    shown: "hidden",
    findings: { caller: /^the phone shows no number$/, clocks: /^responses have no Date$/ },
    options: "identity=preferred;privacy=none"
  },
  {
    name: "that refuses the call, and says why",
    invite: (call) => call.respond(404, { headers: ['Reason: Q.850;cause=1;text="unallocated"'] }),
    shown: "nothing",
    findings: {
      ringing: /^the trunk has sent no provisional response$/,
      end: /^404; Reason Q\.850;cause=1;text="unallocated"; UNALLOCATED_NUMBER$/
    },
    options: ""
  }
]

describe("a rehearsal with a trunk", () => {
  for (const { findings, invite, name, options, shown } of scripts) {
    test(`${name}, finds its dialect`, () =>
      Effect.gen(function* () {
        const trunk = yield* startTrunk({ invite })
        const gateway = yield* startGateway(trunk.url("keepalive=0;carrier=bell"), { timers: quick })
        const { ends } = yield* collectEnds(gateway)
        const heard: Array<Heard> = []
        const trial = { carrier: "bell", to, from, wait: 300 }
        yield* gateway.rehearsal?.run(trial, (each) => void heard.push(each)) ?? Effect.void
        expect(trunk.calls).toHaveLength(1)
        expect(ends).toEqual([])
        const dialect = reader.dialectOf(heard, new Map([["caller", shown]]))
        const found = new Map(dialect.findings.map((each) => [each.about, each.found]))
        for (const [about, expected] of Object.entries(findings)) expect(found.get(about)).toMatch(expected)
        expect(dialect.advice.map(({ option, value }) => `${option}=${value}`).join(";")).toBe(options)
      }))
  }
})
