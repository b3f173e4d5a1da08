/**
 * ACKs of rejected INVITEs over the time of Timer D, on the test's clock.
 */
import { it } from "@effect/vitest"
import { Acknowledgements } from "../../src/internal/sip/Acknowledgements.ts"
import * as Timers from "../../src/internal/Timers.ts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"

const TIMER_D = 32_000
const endpoint = { protocol: "udp", address: "192.0.2.1", port: 5060, tls: {} } as const

const start = Effect.gen(function* () {
  const sent: Array<string> = []
  const transport = { send: (text: string) => void sent.push(text) }
  const acks = new Acknowledgements(yield* Timers.make, TIMER_D)
  return { acks, sent, add: (branch: string) => acks.add(branch, { text: `ACK ${branch}`, endpoint, transport }) }
})

describe("the ACK of a rejected INVITE", () => {
  it.effect("is sent again for each retransmission of the rejection until Timer D fires", () =>
    Effect.gen(function* () {
      const { acks, add, sent } = yield* start
      add("one")
      yield* TestClock.adjust(TIMER_D / 2)
      add("two")
      acks.repeat("one")
      acks.repeat("one")
      acks.repeat("unknown")
      expect(sent).toEqual(["ACK one", "ACK one"])
      yield* TestClock.adjust(TIMER_D / 2)
      acks.repeat("one")
      acks.repeat("two")
      expect(sent.slice(2)).toEqual(["ACK two"])
      yield* TestClock.adjust(TIMER_D / 2)
      expect(acks.size).toBe(0)
      add("three")
      yield* TestClock.adjust(TIMER_D)
      expect(acks.size).toBe(0)
    })
  )

  it.effect("makes room for later ones when there are too many", () =>
    Effect.gen(function* () {
      const { acks, add, sent } = yield* start
      for (let index = 0; index <= 100_000; index++) add(`b${index}`)
      expect(acks.size).toBe(100_000)
      acks.repeat("b0")
      acks.repeat("b1")
      expect(sent).toEqual(["ACK b1"])
    })
  )
})
