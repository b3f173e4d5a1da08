import { AccountId, DeliveryId, EventId, firstUlid } from "@watchword/schemas/Ids"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Event, EventState, TakenEvent } from "../../Store.ts"
import { Store } from "../../Store.ts"
import { check, reopened, same, together } from "./Case.ts"
import { AT, DAY, atOnce } from "./Fixtures.ts"

const MINUTE = 60_000

const account = AccountId.make("acc_01KF0G5T00SAMEACC0VNTEVERY")

let made = 0

/** An id of a time, greater than those before it of the same time. */
const idOf = (at: number): EventId => EventId.make(firstUlid(at).slice(0, 16) + String(made++).padStart(10, "0"))

const some = (endpoint: string, at = AT): Event => ({
  id: idOf(at),
  endpoint,
  account,
  mode: "live",
  fact: { _tag: "Test" },
  at
})

const several = (count: number, endpoint: string): ReadonlyArray<Event> =>
  Array.from({ length: count }, () => some(endpoint))

const take = (query: Partial<Parameters<Store["Service"]["takeEvents"]>[0]> = {}) =>
  Store.use((store) => store.takeEvents({ lease: MINUTE, limit: 100, perEndpoint: 100, ...query }))

const append = (...events: ReadonlyArray<Event>) => Store.use((store) => store.appendEvents(events))

const sent = ({ id, until }: TakenEvent) =>
  Store.use((store) => store.settleEvents([{ id, until, outcome: { _tag: "Sent" }, answer: "204" }]))

const failed = ({ id, until }: TakenEvent) =>
  Store.use((store) => store.settleEvents([{ id, until, outcome: { _tag: "Failed" }, answer: "410" }]))

const retried = ({ id, until }: TakenEvent, after: number) =>
  Store.use((store) => store.settleEvents([{ id, until, outcome: { _tag: "Retry", after }, answer: "503" }]))

const summaryOf = (endpoint: string) => Store.use((store) => store.eventSummary(endpoint))

const idsOf = (events: ReadonlyArray<{ readonly id: EventId }>): ReadonlyArray<EventId> =>
  events.map(({ id }) => id).toSorted()

const one = <A>([first]: ReadonlyArray<A>): A => {
  if (first === undefined) throw new Error("no event was taken")
  return first
}

/** Takes until something is due. */
const takeLater = (query?: Parameters<typeof take>[0]) =>
  Effect.repeat(Effect.delay(take(query), 20), { until: ({ length }) => length > 0 })

export const events = [
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
    "appendEvents: repeating an id changes nothing",
    Effect.gen(function* () {
      const event = some("a")
      yield* append(event)
      yield* append({ ...event, endpoint: "b" }, some("b"))
      same("one each", [(yield* summaryOf("a")).pending, (yield* summaryOf("b")).pending], [1, 1])
      yield* sent(one((yield* take()).filter(({ endpoint }) => endpoint === "a")))
      yield* append(event)
      same("sent", (yield* summaryOf("a")).pending, 0)
    })
  ),

  check(
    "dropEvents: deletes the pending events of the endpoint, taken or not, and no other",
    Effect.gen(function* () {
      const store = yield* Store
      yield* append(...several(3, "a"), ...several(1, "b"))
      const [first, second] = (yield* take()).filter(({ endpoint }) => endpoint === "a")
      if (first === undefined || second === undefined) throw new Error("three were written")
      yield* sent(first)
      yield* retried(second, 0)
      same("dropped", yield* store.dropEvents("a"), 2)
      same("again", yield* store.dropEvents("a"), 0)
      same("of the other", (yield* summaryOf("b")).pending, 1)
      same("the sent one", yield* store.replayEvents({ endpoint: "a", since: 0 }), 1)
    })
  ),

  check(
    "events: answers those of an endpoint in a state, and what became of them",
    Effect.gen(function* () {
      const store = yield* Store
      const [a, b, c, d] = several(4, "a")
      if (a === undefined || b === undefined || c === undefined || d === undefined) return
      yield* append(a, b, c, d, some("b"))
      const of = (state: EventState, limit = 9) => store.events({ endpoint: "a", state, limit })
      same("pending", yield* Effect.map(of("pending"), idsOf), idsOf([a, b, c, d]))
      same("as it was written", one(yield* of("pending", 1)), {
        ...a,
        state: "pending",
        attempts: 0,
        dueAt: AT,
        lastAnswer: null
      })
      const taken = (yield* take()).filter(({ endpoint }) => endpoint === "a")
      const by = ({ id }: Event) => one(taken.filter((event) => event.id === id))
      yield* sent(by(a))
      yield* Effect.sleep(5)
      yield* sent(by(b))
      yield* failed(by(c))
      yield* retried(by(d), DAY)
      const [first, second] = yield* of("sent")
      same("sent, the last first", [first?.id, second?.id], [b.id, a.id])
      same("its answer", [first?.state, first?.attempts, first?.lastAnswer?.answer], ["sent", 1, "204"])
      same("so many", yield* Effect.map(of("sent", 1), idsOf), [b.id])
      same("failed", yield* Effect.map(of("failed"), idsOf), [c.id])
      const again = one(yield* of("pending"))
      same("to be tried again", [again.id, again.attempts, again.lastAnswer?.answer], [d.id, 1, "503"])
      same("later", again.dueAt - (again.lastAnswer?.at ?? 0), DAY)
      same("of no such endpoint", yield* store.events({ endpoint: "c", state: "pending", limit: 9 }), [])
    })
  ),

  check(
    "replayEvent: makes one event due now, unless it is under a lease",
    Effect.gen(function* () {
      const store = yield* Store
      const [a, b, c] = several(3, "a")
      if (a === undefined || b === undefined || c === undefined) return
      yield* append(a, b, c)
      const replay = ({ id }: Event, endpoint = "a") => store.replayEvent({ endpoint, id })
      const taken = yield* take()
      same("under a lease", yield* replay(a), false)
      for (const event of taken) {
        if (event.id === a.id) yield* sent(event)
        if (event.id === b.id) yield* retried(event, DAY)
      }
      same("of another endpoint", yield* replay(a, "b"), false)
      same("that there is not", yield* replay(some("a")), false)
      same("sent", yield* replay(a), true)
      same("waiting", yield* replay(b), true)
      const again = yield* take()
      same("due", idsOf(again), idsOf([a, b]))
      const attempts = (event: Event) => one(again.filter(({ id }) => id === event.id)).attempts
      same("from the first attempt, or the next", [attempts(a), attempts(b)], [1, 2])
    })
  ),

  check(
    "replayEvents: makes sent and failed events of a time or later due again, from the first attempt",
    Effect.gen(function* () {
      const store = yield* Store
      const [old, early, late] = [some("a", AT - 1), some("a", AT), some("a", AT + 1)]
      const pending = some("a", AT + DAY)
      yield* append(old, early, late, some("b"))
      for (const [index, event] of (yield* take()).entries()) yield* index % 2 === 0 ? sent(event) : failed(event)
      yield* append(pending)
      same("replayed", yield* store.replayEvents({ endpoint: "a", since: AT }), 2)
      const again = yield* take()
      same("again", idsOf(again), idsOf([early, late, pending]))
      same(
        "from the first attempt",
        again.every(({ attempts }) => attempts === 1),
        true
      )
    })
  ),

  check(
    "eventSummary: what an endpoint is owed, what has failed, and its last answer",
    Effect.gen(function* () {
      const none = { pending: 0, oldestPending: null, failed: 0, sentAt: null, lastAnswer: null }
      same("nothing", yield* summaryOf("a"), none)
      yield* append(some("a", AT + 5), some("a", AT + 6), some("a", AT + 7), some("b", AT))
      same("pending", yield* summaryOf("a"), { ...none, pending: 3, oldestPending: AT + 5 })
      const [first, second, third] = (yield* take()).filter(({ endpoint }) => endpoint === "a")
      if (first === undefined || second === undefined || third === undefined) throw new Error("three were written")
      yield* sent(first)
      const afterSent = yield* summaryOf("a")
      same("sent", [afterSent.pending, afterSent.lastAnswer?.answer], [2, "204"])
      same("at the time of the answer", afterSent.sentAt, afterSent.lastAnswer?.at)
      yield* Effect.sleep(5)
      yield* failed(second)
      const afterFailed = yield* summaryOf("a")
      same("failed", [afterFailed.pending, afterFailed.failed, afterFailed.lastAnswer?.answer], [1, 1, "410"])
      yield* Effect.sleep(5)
      yield* retried(third, DAY)
      const afterRetry = yield* summaryOf("a")
      same("retried", [afterRetry.pending, afterRetry.failed, afterRetry.lastAnswer?.answer], [1, 1, "503"])
      same("sent once", afterRetry.sentAt, afterSent.sentAt)
    })
  ),

  check(
    "eventBacklog: what all endpoints are owed, counted up to a limit",
    Effect.gen(function* () {
      const backlog = (limit: number) => Store.use((store) => store.eventBacklog(limit))
      same("nothing", yield* backlog(10), { pending: 0, oldestPending: null })
      yield* append(some("a", AT + 6), some("b", AT + 5), some("c", AT + 7))
      same("pending", yield* backlog(10), { pending: 3, oldestPending: AT + 5 })
      same("counted up to", (yield* backlog(2)).pending, 2)
      const taken = yield* take()
      same("under a lease", yield* backlog(10), { pending: 3, oldestPending: AT + 5 })
      for (const event of taken) yield* event.endpoint === "b" ? sent(event) : retried(event, DAY)
      same("later", yield* backlog(10), { pending: 2, oldestPending: AT + 6 })
      for (const endpoint of ["a", "c"]) yield* Store.use((store) => store.dropEvents(endpoint))
      same("dropped", yield* backlog(10), { pending: 0, oldestPending: null })
    })
  ),

  check(
    "pruneEvents: deletes sent and failed events of an earlier time, and no pending one",
    Effect.gen(function* () {
      const store = yield* Store
      yield* append(some("a", AT - 2), some("a", AT - 1), some("a", AT))
      for (const [index, event] of (yield* take()).entries()) yield* index % 2 === 0 ? sent(event) : failed(event)
      yield* append(some("a", AT - 3))
      yield* store.pruneEvents(AT)
      same("pending", (yield* summaryOf("a")).pending, 1)
      same("left", yield* store.replayEvents({ endpoint: "a", since: 0 }), 1)
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
