/**
 * Cases of events that are written, looked at, replayed and deleted.
 */
import * as Effect from "effect/Effect"
import { type Event, type EventState, Store } from "../../Store.ts"
import { check, same } from "./Case.ts"
import { append, failed, idsOf, one, retried, sent, several, some, summaryOf, take } from "./EventFixtures.ts"
import { AT, DAY } from "./Fixtures.ts"

export const events = [
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
      for (const state of ["pending", "sent", "failed"] as const) {
        const kept = one(yield* of(state, 1))
        same(`one that is ${state}, by its id`, yield* store.event({ endpoint: "a", id: kept.id }), kept)
      }
      same("of another endpoint", yield* store.event({ endpoint: "b", id: a.id }), null)
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
  )
]
