/**
 * Packets that get lost, both ways.
 */
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { test } from "../../../../test/live.ts"
import { collectEnds, dial, order, quick, startGateway, startTrunk, resultOf } from "./fixture.ts"
import type { Script } from "@watchword/sandbox/trunk"

/**
 * Loses a share of the packets, pseudo-randomly from a seed (Park and Miller's generator), and never the same packet
 * more than three times: with each lost again and again a call would rightly time out.
 */
const losing = (share: number, seed: number): Script["loses"] => {
  let state = seed
  const losses = new Map<string, number>()
  return ({ text }) => {
    state = (state * 48_271) % 2_147_483_647
    const lost = losses.get(text) ?? 0
    if (state / 2_147_483_647 >= share || lost >= 3) return false
    losses.set(text, lost + 1)
    return true
  }
}

describe("with every fifth packet lost both ways", () => {
  test(
    "calls that ring and are hung up end cleanly",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ loses: losing(0.2, 1), invite: (call) => call.respond(180) })
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { ends, count } = yield* collectEnds(gateway)
      yield* Effect.forEach(
        Array.from({ length: 40 }, () => order()),
        Effect.fnUntraced(function* (call) {
          expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
          yield* gateway.hangup(call.delivery, "NO_ANSWER")
        }),
        { concurrency: "unbounded" }
      )
      yield* count(40)
      expect(ends.map(({ cause }) => `${cause.hangupCause} ${cause.sipStatus}`)).toEqual(
        Array(40).fill("NO_ANSWER 487")
      )
    })
  )

  test(
    "calls whose ringing got lost are given up, and none is left alive",
    Effect.fnUntraced(function* () {
      // A lost 180 is not retransmitted: the 100 has stopped the retransmission of the INVITE.
      const trunk = yield* startTrunk({ loses: losing(0.2, 4) })
      const gateway = yield* startGateway(trunk.url(), { timers: quick, setupTimeout: "500 millis" })
      const { ends, count } = yield* collectEnds(gateway)
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }, () => order()),
        (call) => Effect.tap(dial(gateway, call), gateway.hangup(call.delivery, "NO_ANSWER")),
        { concurrency: "unbounded" }
      )
      const rang = answers.filter(({ _tag }) => _tag === "Ringing").length
      expect(rang).toBeGreaterThan(20)
      expect(new Set(answers.map(resultOf))).toEqual(new Set(["Ringing", "TEMPORARY_UNAVAILABLE PROGRESS_TIMEOUT"]))
      yield* count(rang)
      yield* gateway.drain
      expect(ends).toHaveLength(rang)
      expect(trunk.calls.map(({ finalStatus }) => finalStatus)).toEqual(trunk.calls.map(() => 487))
    })
  )

  test(
    "calls that are answered are hung up on",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ loses: losing(0.2, 2), invite: (call) => call.accept() })
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { ends, count } = yield* collectEnds(gateway)
      yield* Effect.forEach(
        Array.from({ length: 40 }, () => order()),
        (call) => Effect.map(dial(gateway, call), (dialled) => expect(resultOf(dialled)).toBe("Ringing")),
        { concurrency: "unbounded" }
      )
      yield* count(40)
      expect(ends.map(({ cause }) => cause.hangupCause)).toEqual(Array(40).fill("NORMAL_CLEARING"))
      expect(new Set(trunk.requests("BYE").map(({ headers }) => headers.get("call-id")?.[0])).size).toBe(40)
    })
  )

  test(
    "rejected calls are distinguished",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ loses: losing(0.2, 3), invite: (call) => call.respond(486) })
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }, () => order()),
        (call) => dial(gateway, call),
        { concurrency: "unbounded" }
      )
      expect(answers.map(resultOf)).toEqual(Array(40).fill("BUSY_HERE USER_BUSY"))
    })
  )
})
