/**
 * Calls to our numbers: heard once, stored, and then refused.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { header, tag } from "@watchword/sandbox/trunk"
import { eventually, test, turns } from "../../../../../test/live.ts"
import { freePort } from "../../../../../test/freePort.ts"
import { startTrunk, until } from "../fixture.ts"
import { CALLER, type Listening, OTHER_OF_OURS, OURS, gatewayOf, listening, unavailable } from "./fixture.ts"

type Call = Effect.Success<ReturnType<Listening["call"]>>

const ended = ({ trunk }: Listening, call: Call) => until(trunk, () => call.status !== 0)

for (const protocol of ["udp", "tcp", "tls"] as const) {
  describe(`a call over ${protocol}`, () => {
    test(
      "is refused as busy once it is stored, and never rings",
      Effect.fnUntraced(function* () {
        const stored = yield* Deferred.make<void>()
        const ours = yield* listening({ protocol, hear: () => Deferred.await(stored) })
        const call = yield* ours.call()
        yield* eventually(Effect.sync(() => ours.heard.length > 0))
        expect(call.responses).toEqual([])
        yield* Deferred.succeed(stored, undefined)
        yield* ended(ours, call)
        expect(call.responses.map(({ status }) => status)).toEqual([486])
        expect(ours.heard).toEqual([{ _tag: "Called", from: CALLER, to: OURS, assurance: "claimed" }])
      })
    )

    test(
      "is heard once, however often the INVITE comes, and answered alike",
      Effect.fnUntraced(function* () {
        const ours = yield* listening({ protocol })
        const call = yield* ours.call()
        yield* ended(ours, call)
        for (let times = 0; times < 3; times++) call.repeat()
        yield* until(ours.trunk, () => call.responses.length >= 4)
        expect(new Set(call.responses.map(({ text }) => text)).size).toBe(1)
        expect(ours.heard).toHaveLength(1)
      })
    )

    test(
      "that is cancelled before it is stored counts, and is terminated",
      Effect.fnUntraced(function* () {
        const stored = yield* Deferred.make<void>()
        const ours = yield* listening({ protocol, hear: () => Deferred.await(stored) })
        const call = yield* ours.call()
        call.cancel()
        yield* until(ours.trunk, () => call.cancelled.length > 0)
        expect(call.responses).toEqual([])
        yield* Deferred.succeed(stored, undefined)
        yield* ended(ours, call)
        expect([call.cancelled[0]?.status, call.status]).toEqual([200, 487])
        const tags = [...call.cancelled, ...call.responses].map((response) => tag(header(response, "to")))
        expect(new Set(tags).size).toBe(1)
        expect(ours.heard).toMatchObject([{ from: CALLER }])
      })
    )

    test(
      "whose outcome cannot be stored is tried again, and only then answered",
      Effect.fnUntraced(function* () {
        const hear = (_: unknown, nth: number) => (nth < 3 ? Effect.fail(unavailable) : Effect.void)
        const ours = yield* listening({ protocol, hear })
        const call = yield* ours.call()
        yield* ended(ours, call)
        expect(call.status).toBe(486)
        expect(ours.heard).toHaveLength(3)
      })
    )

    test(
      "to a number that is not ours is refused, and not heard",
      Effect.fnUntraced(function* () {
        const ours = yield* listening({ protocol })
        const call = yield* ours.call({ to: "+493023125999" })
        yield* ended(ours, call)
        expect(call.status).toBe(603)
        const next = yield* ours.call({ to: OTHER_OF_OURS })
        yield* ended(ours, next)
        expect(ours.heard.map(({ to }) => to)).toEqual([OTHER_OF_OURS])
      })
    )

    test(
      "of a caller without a number is heard as one",
      Effect.fnUntraced(function* () {
        const ours = yield* listening({ protocol })
        const call = yield* Effect.promise(() =>
          ours.trunk.call({ to: OURS, at: { host: "127.0.0.1", port: ours.port } })
        )
        yield* ended(ours, call)
        expect([call.status, ours.heard]).toEqual([
          486,
          [{ _tag: "Called", from: null, to: OURS, assurance: "claimed" }]
        ])
      })
    )
  })
}

describe("a call over UDP", () => {
  const candidate =
    "a=candidate:1 1 udp 2130706431 192.0.2.1 5000 typ host generation 0 ufrag abcdefgh network-cost 999"
  const rows = [
    ["with an offer of 90 candidates", { body: `v=0\r\n${`${candidate}\r\n`.repeat(90)}` }],
    ["with an offer as long as a datagram can be", { body: "a".repeat(63_000) }],
    [
      "by twenty proxies",
      { headers: Array.from({ length: 20 }, (_, hop) => `Via: SIP/2.0/UDP 192.0.2.${hop};branch=z9hG4bK${hop}`) }
    ]
  ] as const
  for (const [what, options] of rows) {
    test(
      `${what} is heard`,
      Effect.fnUntraced(function* () {
        const ours = yield* listening()
        const call = yield* ours.call(options)
        yield* ended(ours, call)
        expect([call.status, ours.heard.length]).toEqual([486, 1])
      })
    )
  }
})

describe("a refusal over UDP", () => {
  test(
    "is sent again until its ACK",
    Effect.fnUntraced(function* () {
      const ours = yield* listening()
      const call = yield* ours.call()
      call.acknowledges = false
      yield* until(ours.trunk, () => call.responses.length >= 4)
      call.acknowledge()
      yield* turns
      const { length } = call.responses
      const next = yield* ours.call()
      next.acknowledges = false
      yield* until(ours.trunk, () => next.responses.length >= 4)
      expect(call.responses).toHaveLength(length)
      expect(new Set(call.responses.map(({ text }) => text)).size).toBe(1)
    })
  )

  test(
    "is sent again for half a minute at most, and then nothing is left of the call",
    Effect.fnUntraced(function* () {
      const ours = yield* listening({ options: { timers: { t1: 4, t2: 32, t4: 40 } } })
      const call = yield* ours.call()
      call.acknowledges = false
      let repeats = 0
      yield* eventually(
        Effect.sync(() => {
          call.repeat()
          repeats++
          return ours.heard.length > 1
        })
      )
      // After 4, 8, 16, 32, 32 … milliseconds, 256 in all; what comes to a repeat is one more each.
      expect(call.responses.length - repeats).toBeLessThan(14)
      expect(ours.heard).toHaveLength(2)
    })
  )

  test(
    "that gets lost, as two of three messages do, comes in the end, and the call is heard once",
    Effect.fnUntraced(function* () {
      const ours = yield* listening()
      let count = 0
      ours.trunk.script.loses = () => ++count % 3 !== 0
      const call = yield* ours.call()
      yield* ended(ours, call)
      expect([call.status, ours.heard.length]).toEqual([486, 1])
    })
  )

  test(
    "of a call that died with its process comes from the next one, because the caller was not answered",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({}, { t1: 20 })
      const port = yield* Effect.promise(freePort)
      const first = yield* Scope.make()
      const dying = yield* Scope.provide(gatewayOf(trunk, port, { hear: () => Effect.fail(unavailable) }), first)
      const call = yield* dying.call()
      yield* eventually(Effect.sync(() => dying.heard.length > 0))
      expect(call.responses).toEqual([])
      yield* Scope.close(first, Exit.void)
      const next = yield* gatewayOf(trunk, port, {})
      yield* ended(next, call)
      expect([call.status, next.heard.length]).toEqual([486, 1])
    })
  )
})

describe("a call that no number of ours has to hear", () => {
  test(
    "is refused by a trunk without any, as before",
    Effect.fnUntraced(function* () {
      const ours = yield* listening({ parameters: "" })
      const call = yield* ours.call()
      yield* ended(ours, call)
      expect([call.status, ours.heard]).toEqual([603, []])
    })
  )

  test(
    "is another INVITE within a call, or one of an address that no trunk has",
    Effect.fnUntraced(function* () {
      const ours = yield* listening()
      const within = yield* ours.call({ uri: `sip:${OURS}@127.0.0.1:${ours.port};method=INVITE` })
      yield* ended(ours, within)
      ours.trunk.raw(within.text.replace(/^To: .*$/m, "$&;tag=ours").replace("z9hG4bK", "z9hG4bKw"))
      yield* until(ours.trunk, () => ours.trunk.received.some(({ status }) => status === 481))
      expect(ours.heard).toHaveLength(1)
    })
  )
})
