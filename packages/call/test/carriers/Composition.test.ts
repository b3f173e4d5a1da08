/**
 * Calls by several carriers, each a trunk of its own.
 */
import type { Dialled, Service } from "@watchword/call/CallGateway"
import * as Composition from "../../src/internal/carriers/Composition.ts"
import { type Options, fromUrls, layer } from "@watchword/call/sip"
import { parseCosts, routesInOrder } from "@watchword/send/routes"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { freePort } from "../../../../test/freePort.ts"
import { eventually, test, turns } from "../../../../test/live.ts"
import { callee, caller, collectEnds, order, startTrunk, resultOf } from "../sip/fixture.ts"
import type { Script, Trunk } from "@watchword/sandbox/trunk"

const opening = (trunk: Trunk, options: Partial<Options> = {}) => ({
  gateway: layer({ drain: "1 second", ...Result.getOrThrow(fromUrls(trunk.url())), ...options }),
  connection: trunk.url(),
  costs: Result.getOrThrow(parseCosts({ "*": 0.01 }, "cost"))
})

/** Two carriers, the first of which behaves as a test wants it. */
const startTwo = Effect.fnUntraced(function* (behaviour: Partial<Script> = {}, options: Partial<Options> = {}) {
  const acme = yield* startTrunk(behaviour)
  const bell = yield* startTrunk()
  const setup = {
    carriers: new Map([
      ["acme", opening(acme, options)],
      ["bell", opening(bell)]
    ]),
    routes: routesInOrder(["acme", "bell"])
  }
  const { replace, service } = yield* Composition.make(setup)
  yield* eventually(Effect.map(service.health, (all) => all.every(({ up }) => up)))
  return { acme, bell, setup, replace, service }
})

const dial = Effect.fnUntraced(function* (service: Service, call = order()) {
  const dialogs: Array<string> = []
  const dialled: Dialled = yield* service.dial(call, (dialog) => Effect.sync(() => void dialogs.push(dialog)))
  return { call, dialled, dialogs }
})

const counts = ({ acme, bell }: Readonly<Record<"acme" | "bell", Trunk>>) => [acme.calls.length, bell.calls.length]

describe("a call of a composition of carriers", () => {
  test(
    "leaves by the first carrier of its route, whose name and cost are on the record",
    Effect.fnUntraced(function* () {
      const { service, ...two } = yield* startTwo()
      const { dialled, dialogs } = yield* dial(service)
      expect([resultOf(dialled), dialled.details, counts(two)]).toEqual([
        "Ringing",
        { carrier: "acme", carriers: "acme", cost: 10_000 },
        [1, 0]
      ])
      expect(dialogs.map((dialog) => dialog.slice(0, 5))).toEqual(["acme:"])
      expect(dialled._tag === "Ringing" && dialled.dialog.startsWith("acme:")).toBe(true)
    })
  )

  test(
    "leaves by the next one where the first has no trunk for it",
    Effect.fnUntraced(function* () {
      const { service, ...two } = yield* startTwo({ invite: (call) => call.respond(503) })
      const { dialled, dialogs } = yield* dial(service)
      expect([resultOf(dialled), dialled.details, counts(two)]).toEqual([
        "Ringing",
        { carrier: "bell", carriers: "bell", refused_by: "acme", cost: 10_000 },
        [1, 1]
      ])
      expect(dialogs.map((dialog) => dialog.slice(0, 5))).toEqual(["acme:", "bell:"])
    })
  )

  const kept: ReadonlyArray<readonly [string, Partial<Script>, Partial<Options>]> = [
    ["the callee is busy", { invite: (call) => call.respond(486) }, {}],
    ["the callee cannot be reached", { invite: (call) => call.respond(480) }, {}],
    ["its INVITE was not answered", { invite: () => {} }, { setupTimeout: "500 millis" }]
  ]
  for (const [reason, behaviour, options] of kept) {
    test(
      `is asked of no other carrier where ${reason}`,
      Effect.fnUntraced(function* () {
        const { service, ...two } = yield* startTwo(behaviour, options)
        const { dialled } = yield* dial(service)
        expect([dialled._tag, dialled.details, counts(two)]).toEqual([
          "Failed",
          { carrier: "acme", carriers: "acme", cost: 0 },
          [1, 0]
        ])
      })
    )
  }

  test(
    "that is prepared begins by its carrier, under the dialog that was stored",
    Effect.fnUntraced(function* () {
      const { service, ...two } = yield* startTwo()
      const carriers = ["bell", "acme"]
      const prepared = service.prepare?.({ caller, callee, carriers }) ?? null
      expect(prepared?.dialog).toMatch(/^bell:/)
      expect(service.prepare?.({ caller, callee })).toBe(null)
      const { dialogs } = yield* dial(service, order({ prepared, carriers }))
      expect([dialogs, counts(two)]).toEqual([[], [0, 1]])
    })
  )

  test(
    "is hung up by its carrier, and ends once",
    Effect.fnUntraced(function* () {
      const { service } = yield* startTwo()
      const { count, ends } = yield* collectEnds(service)
      const { call } = yield* dial(service)
      expect(yield* service.hangup(call.delivery, "NO_ANSWER")).toBe(true)
      yield* count(1)
      expect(ends).toMatchObject([{ delivery: call.delivery, cause: { hangupCause: "NO_ANSWER" } }])
      expect(yield* service.hangup(call.delivery, "NO_ANSWER")).toBe(false)
    })
  )

  test(
    "goes on ringing by a carrier that has left, which is closed after its end",
    Effect.fnUntraced(function* () {
      const { replace, service, setup, ...two } = yield* startTwo()
      const { count, ends } = yield* collectEnds(service)
      const { call } = yield* dial(service)
      const carriers = new Map([...setup.carriers].filter(([name]) => name === "bell"))
      yield* replace({ carriers, routes: routesInOrder(["bell"]) })
      yield* dial(service)
      expect(counts(two)).toEqual([1, 1])
      yield* turns
      expect([ends, two.acme.requests("CANCEL")]).toEqual([[], []])
      expect(yield* service.hangup(call.delivery, "NO_ANSWER")).toBe(true)
      yield* count(1)
    })
  )
})

describe("a call that an earlier process left", () => {
  test(
    "is ended by its carrier; one of a carrier that there is no more has ended",
    Effect.fnUntraced(function* () {
      const { acme, bell, service } = yield* startTwo({}, { drain: "100 millis" })
      yield* collectEnds(service)
      const { call, dialogs } = yield* dial(service, order({ carriers: ["acme"] }))
      const next = yield* Composition.make({
        carriers: new Map([
          ["acme", opening(acme)],
          ["bell", opening(bell)]
        ]),
        routes: routesInOrder(["acme", "bell"])
      })
      const { count, ends } = yield* collectEnds(next.service)
      const other = order().delivery
      yield* next.service.recover([
        { delivery: call.delivery, dialog: dialogs[0] ?? "" },
        { delivery: other, dialog: "gone:…" }
      ])
      yield* count(2)
      expect(ends.find(({ delivery }) => delivery === other)?.cause.hangupCause).toBe("SYSTEM_SHUTDOWN")
      expect([acme.requests("CANCEL").length > 0, bell.requests("CANCEL").length > 0]).toEqual([true, false])
    })
  )
})

test(
  "calls to the numbers of each carrier are heard, for as long as it is one",
  Effect.fnUntraced(function* () {
    const trunks = [yield* startTrunk(), yield* startTrunk()] as const
    const ports = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)] as const
    const receiving = (at: 0 | 1) => ({
      ...opening(trunks[at]),
      gateway: layer({
        ...Result.getOrThrow(fromUrls(trunks[at].url(`keepalive=0;receives=+4930231250${at}0`))),
        listen: { host: "127.0.0.1", port: ports[at] }
      })
    })
    const both = new Map([
      ["acme", receiving(0)],
      ["bell", receiving(1)]
    ])
    const { replace, service } = yield* Composition.make({ carriers: both, routes: routesInOrder(["acme", "bell"]) })
    expect(service.receives?.()).toEqual(["+493023125000", "+493023125010"])
    const heard: Array<string> = []
    yield* service.events((event) => Effect.sync(() => void (event._tag === "Called" && heard.push(event.to))))
    for (const at of [0, 1] as const) {
      yield* eventually(
        Effect.promise(async () => {
          const to = `+4930231250${at}0`
          const call = await trunks[at].call({ from: callee, to, at: { host: "127.0.0.1", port: ports[at] } })
          await trunks[at].until(() => call.status !== 0)
          return call.status === 486
        })
      )
    }
    expect(heard).toEqual(["+493023125000", "+493023125010"])
    yield* replace({ carriers: new Map([...both].slice(1)), routes: routesInOrder(["bell"]) })
    expect(service.receives?.()).toEqual(["+493023125010"])
  })
)
