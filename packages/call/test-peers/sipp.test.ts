/**
 * The SIP gateway against sipp, with Wireshark looking on.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { test } from "../../../test/live.ts"
import { collectEnds, dial, order, startGateway, resultOf } from "../test/sip/fixture.ts"
import { type Capture, freePort, startCapture, startSipp } from "./programs.ts"
import * as scenarios from "./scenarios.ts"

let folder: string
let capture: Capture
let port: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
  port = await freePort()
  capture = await startCapture([port], join(folder, "sip.pcap"))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** sipp, and a gateway that knows it as its trunk. */
const sipp = Effect.fnUntraced(function* (scenario: string, calls = 1) {
  const trunk = yield* Effect.acquireRelease(
    Effect.promise(() => startSipp(folder, scenario, calls)),
    (trunk) => Effect.promise(() => trunk.stop("SIGKILL"))
  )
  const gateway = yield* startGateway(`sip:id:pw@127.0.0.1:${trunk.port};keepalive=0`, {
    listen: { host: "127.0.0.1", port },
    setupTimeout: "1 second"
  })
  return { trunk, gateway, ...(yield* collectEnds(gateway)) }
})

describe("with sipp as the trunk", () => {
  test(
    "a call rings and is cancelled",
    Effect.fnUntraced(function* () {
      const { trunk, gateway, ends, count } = yield* sipp(scenarios.rings)
      const call = order()
      expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NO_ANSWER", sipStatus: 487 } }])
      expect(yield* Effect.promise(() => trunk.ended)).toBe(0)
    })
  )

  const rejections = [
    ["486 Busy Here", "", "BUSY_HERE USER_BUSY"],
    ["603 Decline", "", "DECLINE CALL_REJECTED"],
    ["480 Temporarily Unavailable", "Reason: Q.850;cause=20", "TEMPORARY_UNAVAILABLE NO_USER_RESPONSE"],
    ["404 Not Found", "", "TEMPORARY_UNAVAILABLE UNALLOCATED_NUMBER"],
    ["503 Service Unavailable", "Retry-After: 30", "SERVICE_UNAVAILABLE NORMAL_TEMPORARY_FAILURE"]
  ] as const
  for (const [status, header, outcome] of rejections) {
    test(
      `a call is rejected with ${status}`,
      Effect.fnUntraced(function* () {
        const { trunk, gateway } = yield* sipp(scenarios.rejects(status, header))
        const dialled = yield* dial(gateway)
        expect(resultOf(dialled)).toBe(outcome)
        if (status.startsWith("480")) expect(dialled).toMatchObject({ cause: { q850: 20 } })
        // Asked to rest, the trunk gets no further call.
        if (status.startsWith("503")) {
          expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE NETWORK_OUT_OF_ORDER")
        }
        expect(yield* Effect.promise(() => trunk.ended)).toBe(0)
      })
    )
  }

  test(
    "a call is answered after a second, and hung up on",
    Effect.fnUntraced(function* () {
      const { trunk, gateway, ends, count } = yield* sipp(scenarios.answersAfterASecond)
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NORMAL_CLEARING" }, answeredAt: expect.any(Number) }])
      expect(yield* Effect.promise(() => trunk.ended)).toBe(0)
    })
  )

  test(
    "a call is answered while it is cancelled",
    Effect.fnUntraced(function* () {
      const { trunk, gateway, ends, count } = yield* sipp(scenarios.answersWhileCancelled)
      const call = order()
      yield* dial(gateway, call)
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NORMAL_CLEARING" }, answeredAt: expect.any(Number) }])
      expect(yield* Effect.promise(() => trunk.ended)).toBe(0)
    })
  )

  test(
    "a call is answered by two phones, and both are hung up on",
    Effect.fnUntraced(function* () {
      const { trunk, gateway, ends, count } = yield* sipp(scenarios.forks)
      yield* dial(gateway)
      yield* count(1)
      expect(yield* Effect.promise(() => trunk.ended)).toBe(0)
      expect(ends).toHaveLength(1)
    })
  )

  test(
    "a call that is only tried is cancelled",
    Effect.fnUntraced(function* () {
      const { trunk, gateway } = yield* sipp(scenarios.triesAndSaysNoMore)
      expect(resultOf(yield* dial(gateway))).toBe("TEMPORARY_UNAVAILABLE PROGRESS_TIMEOUT")
      expect(yield* Effect.promise(() => trunk.ended)).toBe(0)
    })
  )

  test(
    "a call that nothing is said about is given up",
    Effect.fnUntraced(function* () {
      const { trunk, gateway } = yield* sipp(scenarios.saysNothing)
      expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE RECOVERY_ON_TIMER_EXPIRE")
      expect(yield* Effect.promise(() => trunk.ended)).toBe(0)
    })
  )

  test(
    "calls end cleanly with every fifth packet lost",
    Effect.fnUntraced(function* () {
      const trunk = yield* Effect.acquireRelease(
        Effect.promise(() => startSipp(folder, scenarios.ringsWithLoss, 20)),
        (trunk) => Effect.promise(() => trunk.stop("SIGKILL"))
      )
      const gateway = yield* startGateway(`sip:id:pw@127.0.0.1:${trunk.port};keepalive=0`, {
        listen: { host: "127.0.0.1", port },
        timers: { t1: 50, t2: 400, t4: 500 }
      })
      const { ends, count } = yield* collectEnds(gateway)
      yield* Effect.forEach(
        Array.from({ length: 20 }, () => order()),
        Effect.fnUntraced(function* (call) {
          expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
          yield* gateway.hangup(call.delivery, "NO_ANSWER")
        }),
        { concurrency: "unbounded" }
      )
      yield* count(20)
      expect(ends.map(({ cause }) => cause.hangupCause)).toEqual(Array(20).fill("NO_ANSWER"))
    })
  )

  test(
    "Wireshark finds no fault with the messages",
    Effect.fnUntraced(function* () {
      yield* Effect.promise(() => capture.stop())
      const ours = `udp.srcport == ${port}`
      const all = yield* Effect.promise(() => capture.read(`sip && ${ours}`, "sip.Method"))
      expect(new Set(all)).toEqual(new Set(["INVITE", "ACK", "CANCEL", "BYE"]))
      const wrong = yield* Effect.promise(() =>
        capture.read(
          `${ours} && (_ws.malformed || _ws.expert.severity >= "Warning")`,
          "frame.number",
          "_ws.expert.message"
        )
      )
      expect(wrong).toEqual([])
      const sdp = yield* Effect.promise(() => capture.read(`sdp && ${ours}`, "sdp.media"))
      expect(new Set(sdp)).toEqual(new Set(["audio 9 RTP/AVP 8 0 101"]))
    })
  )
})
