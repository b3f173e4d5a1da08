/**
 * Cases of events that are taken under a lease, and settled.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Event, Store, type TakenEvent } from "../../Store.ts"
import { check, reopened, same, together } from "./Case.ts"
import {
  MINUTE,
  append,
  failed,
  idsOf,
  one,
  retried,
  sent,
  several,
  some,
  summaryOf,
  take,
  takeLater
} from "./EventFixtures.ts"
import { AT, DAY, atOnce } from "./Fixtures.ts"

export const takenEvents = [
  check(
    "takeEvents: answers events that are due as they were written, under a lease",
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const first = some("a")
      const second: Event = {
        ...some("b", AT + 1),
        mode: "sandbox",
        fact: {
          _tag: "DeliveryChanged",
          channel: "sms",
          delivery: DeliveryId.make("01KF0G5T00SAMEDE11VERYEVER"),
          version: 3,
          status: "Zürich \u0001",
          phase: "accepted",
          moved: false,
          note: { name: "noted", data: { text: 'ü\u0001"', number: 1, yes: true, nothing: null } }
        }
      }
      yield* append(first, second)
      const taken = yield* take()
      same(
        "events",
        taken.toSorted((a, b) => a.at - b.at),
        [first, second].map((event, index) => ({ ...event, attempts: 1, until: taken[index]?.until }))
      )
      same(
        "leases",
        taken.every(({ until }) => until >= now + MINUTE - 5_000),
        true
      )
      same("taken", yield* take(), [])
    })
  ),

  check(
    "takeEvents: an event is due from its time on, by the store's clock",
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* append(some("a", now + DAY))
      same("before", yield* take(), [])
      const soon = some("b", now + 150)
      yield* append(soon)
      same("then", idsOf(yield* takeLater()), [soon.id])
    })
  ),

  check(
    "takeEvents: those of an endpoint oldest due first, at most so many in all",
    Effect.gen(function* () {
      const [third, first, second] = [some("a", AT + 3), some("a", AT + 1), some("a", AT + 2)]
      yield* append(third, first, second)
      same("two", idsOf(yield* take({ limit: 2 })), idsOf([first, second]))
      same("the rest", idsOf(yield* take({ limit: 2 })), [third.id])
      same("none", yield* take({ limit: 2 }), [])
    })
  ),

  check(
    "takeEvents: at most so many of an endpoint are under leases at a time, and settled ones make room",
    Effect.gen(function* () {
      yield* append(...several(5, "a"), ...several(1, "b"))
      const first = yield* take({ perEndpoint: 2 })
      same("of each", first.map(({ endpoint }) => endpoint).toSorted(), ["a", "a", "b"])
      same("no room", yield* take({ perEndpoint: 2 }), [])
      same("more room", (yield* take({ perEndpoint: 3 })).length, 1)
      for (const event of first) yield* sent(event)
      same("room again", (yield* take({ perEndpoint: 2 })).length, 1)
    })
  ),

  check(
    "takeEvents: an endpoint with a bound of its own has as many under leases, more or fewer than the others",
    Effect.gen(function* () {
      yield* append(...several(7, "a"), ...several(7, "b"), ...several(7, "c"), ...several(1, "d"))
      const bounds = new Map(Object.entries({ a: 5, b: 1, d: 0, absent: 9 }))
      const countsOf = (taken: ReadonlyArray<TakenEvent>) =>
        ["a", "b", "c", "d"].map((name) => taken.filter(({ endpoint }) => endpoint === name).length)
      const first = yield* take({ perEndpoint: 2, bounds })
      same("by bounds", countsOf(first), [5, 1, 2, 0])
      same("no room", yield* take({ perEndpoint: 2, bounds }), [])
      for (const event of first.filter(({ endpoint }) => endpoint !== "c")) yield* sent(event)
      same("room again", countsOf(yield* take({ perEndpoint: 2, bounds })), [2, 1, 0, 0])
      same("without them", countsOf(yield* take({ perEndpoint: 2 })), [0, 1, 0, 1])
    })
  ),

  check(
    "settleEvents: several at once, each by its own outcome",
    Effect.gen(function* () {
      yield* append(...several(3, "a"))
      const [first, second, third] = yield* take()
      if (first === undefined || second === undefined || third === undefined) throw new Error("three were appended")
      yield* Store.use((store) =>
        store.settleEvents([
          { ...first, outcome: { _tag: "Sent" }, answer: "204" },
          { ...second, outcome: { _tag: "Failed" }, answer: "410" },
          { ...third, until: third.until + 1, outcome: { _tag: "Sent" }, answer: "204" }
        ])
      )
      const summary = yield* summaryOf("a")
      same("counts", [summary.pending, summary.failed], [1, 1])
      yield* Store.use((store) => store.settleEvents([]))
    })
  ),

  check(
    "takeEvents: endpoints take turns, however many events one has",
    Effect.gen(function* () {
      yield* append(...several(50, "a"), ...several(2, "b"), ...several(1, "c"))
      const taken = yield* take({ limit: 4 })
      same("turns", taken.map(({ endpoint }) => endpoint).toSorted(), ["a", "a", "b", "c"])
    })
  ),

  check(
    "takeEvents: an event whose lease is over is taken again, and its first taker cannot settle it any more",
    Effect.gen(function* () {
      const { id } = some("a")
      yield* append({ ...some("a"), id })
      const first = one(yield* take({ lease: 1 }))
      const second = one(yield* takeLater())
      same("again", [second.id, second.attempts], [id, 2])
      yield* sent(first)
      same("still under the second lease", (yield* summaryOf("a")).pending, 1)
      yield* failed(second)
      same("settled", yield* summaryOf("a").pipe(Effect.map(({ failed, pending }) => [pending, failed])), [0, 1])
    })
  ),

  check(
    "settleEvents: what was sent or has failed is not taken any more",
    Effect.gen(function* () {
      yield* append(...several(2, "a"))
      const [a, b] = yield* take({ lease: 1 })
      if (a === undefined || b === undefined) throw new Error("two were written")
      yield* sent(a)
      yield* failed(b)
      yield* Effect.sleep(20)
      same("none", yield* take(), [])
      yield* retried(a, 0)
      same("settled once", yield* take(), [])
    })
  ),

  check(
    "settleEvents: with a retry it is due again after the time, not before",
    Effect.gen(function* () {
      const event = some("a")
      yield* append(event)
      yield* retried(one(yield* take()), DAY)
      same("not yet", yield* take(), [])
      const soon = some("b")
      yield* append(soon)
      yield* retried(one(yield* take()), 100)
      const { attempts, id } = one(yield* takeLater())
      same("again", [id, attempts], [soon.id, 2])
    })
  ),

  check(
    "takeEvents: of fifty taken at once, each is taken once",
    Effect.gen(function* () {
      const all = [...several(25, "a"), ...several(25, "b")]
      yield* append(...all)
      const taken = yield* atOnce(20, () => take({ limit: 5 }))
      same("each once", idsOf(taken.flat()), idsOf(all))
    })
  )
]

export const lastingEvents = [
  reopened("durable: events that were written are there, and what was sent is not sent again", append(some("a")), () =>
    Effect.gen(function* () {
      yield* sent(one(yield* take()))
      same("none", yield* take(), [])
    })
  )
]

export const sharedEvents = [
  together("shared: of events taken in both at once, each is taken once", (a, b) =>
    Effect.gen(function* () {
      const all = several(50, "a")
      yield* append(...all)
      const query = { lease: MINUTE, limit: 5, perEndpoint: 100 }
      const taken = yield* atOnce(10, (index) => (index % 2 === 0 ? a : b).takeEvents(query))
      same("each once", idsOf(taken.flat()), idsOf(all))
    })
  )
]
