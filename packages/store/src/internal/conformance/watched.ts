import { MicroEuros, zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import type { DeliveryChanged } from "../../Event.ts"
import { type Event, Store } from "../../Store.ts"
import { onAccount, same } from "./Case.ts"
import {
  AT,
  PRICE,
  atOnce,
  closing,
  ending,
  ledgerOf,
  live,
  opened,
  opening,
  prices,
  receipt,
  recordOf,
  reportOn,
  status,
  tally
} from "./Fixtures.ts"

const watch = { endpoints: ["one", "two"] }

/** All events that are pending, in their order. */
const pending = Effect.map(
  Store.use((store) => store.takeEvents({ lease: 1, limit: 10_000, perEndpoint: 10_000 })),
  (events) => events.toSorted((a, b) => (a.id < b.id ? -1 : 1))
)

const changesOf = (events: ReadonlyArray<Event>): ReadonlyArray<DeliveryChanged> =>
  events.flatMap(({ fact }) => (fact._tag === "DeliveryChanged" ? [fact] : []))

/** The versions and statuses that an endpoint receives. */
const toldTo = (endpoint: string) =>
  Effect.map(pending, (events) =>
    changesOf(events.filter((event) => event.endpoint === endpoint)).map(
      ({ status, version }) => `${version} ${status}`
    )
  )

const lows = Effect.map(pending, (events) =>
  events.flatMap(({ endpoint, fact }) =>
    fact._tag === "BalanceLow" ? [[endpoint, fact.threshold, fact.available]] : []
  )
)

export const watched = [
  onAccount(
    "events: each endpoint of a watched delivery has one for each step that moves its status",
    { sends: 2 },
    function* ({ account, store }) {
      const { id, watch: begun } = yield* opened(account, {}, { watch })
      same("a send that waits for its gateway is no news", yield* pending, [])
      same("on the record", begun, { ...watch, version: 0 })
      const closed = yield* store.close(closing(id, "accepted", { refs: ["a"] }))
      yield* store.report(receipt(["a"]))
      yield* store.report(receipt(["a"]))
      yield* store.report(reportOn(id, { status: status.sent }))
      yield* store.report(reportOn(id, { status: status.read }))
      const told = ["1 sent", "2 delivered", "3 read"]
      same("one", yield* toldTo("one"), told)
      yield* Effect.sleep(5)
      same("two", yield* toldTo("two"), told)
      same("answer", closed._tag === "Closed" && closed.delivery.watch, { ...watch, version: 1 })
      same("record", (yield* live(account, id)).watch, { ...watch, version: 3 })
    }
  ),

  onAccount("events: say what has happened, and nothing of the message", { sends: 1 }, function* ({ account, store }) {
    const { id } = yield* opened(
      account,
      { mode: "sandbox", details: { text: "123456" } },
      { watch: { endpoints: ["a"] } }
    )
    yield* store.close(closing(id, "rejected", { at: AT + 5 }))
    const [event, ...others] = yield* pending
    same("one", others, [])
    const { attempts: _attempts, id: _id, until: _until, ...rest } = event ?? {}
    same("event", rest, {
      endpoint: "a",
      account,
      mode: "sandbox",
      at: AT + 5,
      fact: {
        _tag: "DeliveryChanged",
        channel: "sms",
        delivery: id,
        version: 1,
        status: "failed",
        phase: "rejected",
        moved: true,
        note: null
      }
    })
  }),

  onAccount(
    "events: none of a delivery that is not watched, whatever happens to it",
    { sends: 4 },
    function* ({ account, store }) {
      const one = yield* opened(account)
      yield* store.close(closing(one.id, "accepted", { refs: ["a"] }))
      yield* store.report(receipt(["a"]))
      yield* store.report(reportOn(one.id, { status: null, details: { x: 1 }, note: { name: "noted", data: {} } }))
      yield* store.open(opening(account, {}, { close: ending("rejected"), watch: { endpoints: [] } }))
      same("record", (yield* live(account, one.id)).watch, null)
      same("events", yield* pending, [])
    }
  ),

  onAccount("events: an open that is closed at once has one", { sends: 2 }, function* ({ account, store }) {
    const blocked = { ...status.failed, name: "blocked" }
    const request = opening(account, {}, { close: ending("rejected", { status: blocked }), watch })
    const answer = recordOf(yield* store.open(request))
    same("answer", answer.watch, { ...watch, version: 1 })
    same("record", yield* live(account, answer.id), answer)
    same("repeated", recordOf(yield* store.open(request)), answer)
    same("told", yield* toldTo("one"), ["1 blocked"])
    same(
      "an open that is not let through has none",
      (yield* store.open(opening(account, { price: prices(9) }, { watch })))._tag,
      "Insufficient"
    )
    yield* Effect.sleep(5)
    same("still", (yield* pending).length, 2)
  }),

  onAccount(
    "events: an outcome that becomes known is one, though the status stays; an unknown one is none",
    { sends: 2 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, {}, { watch })
      yield* store.close(closing(id, "unknown", { refs: ["a"] }))
      same("unknown", yield* pending, [])
      yield* store.report(receipt(["a"], { status: status.begun }))
      same("known", yield* toldTo("one"), ["1 sent"])
      const later = yield* opened(account, {}, { watch: { endpoints: ["late"] } })
      yield* store.close(closing(later.id, "unknown"))
      yield* store.close(closing(later.id, "rejected"))
      same("given up", yield* toldTo("late"), ["1 failed"])
    }
  ),

  onAccount(
    "events: a receipt that waited for its delivery is told of with the close",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, {}, { watch })
      yield* store.report(receipt(["a"]))
      yield* store.close(closing(id, "accepted", { refs: ["a"] }))
      same("told", yield* toldTo("two"), ["1 delivered"])
      same("record", (yield* live(account, id)).watch?.version, 1)
    }
  ),

  onAccount(
    "events: a note is one though the status stays, where the report takes effect",
    { sends: 1 },
    function* ({ account, store }) {
      const { id } = yield* opened(account, { details: { v: 1 } }, { watch: { endpoints: ["a"] } })
      yield* store.close(closing(id, "accepted"))
      const note = { name: "attempted", data: { attempt: 1, channel: "sms", reason: null } }
      const noted = { status: null, when: { v: 1 }, details: { v: 2 }, note }
      same("first", (yield* store.report(reportOn(id, noted)))._tag, "Moved")
      same("again", (yield* store.report(reportOn(id, noted)))._tag, "Unchanged")
      yield* store.report(reportOn(id, { status: null, details: { other: true } }))
      yield* store.report(reportOn(id, { note }))
      const notes = changesOf(yield* pending).map(({ moved, note, status, version }) => [version, status, moved, note])
      same("notes", notes, [
        [1, "sent", true, null],
        [2, "sent", false, note],
        [3, "delivered", true, note]
      ])
    }
  ),

  onAccount(
    "events: of fifty reports at once, as many as have moved a delivery have one",
    { sends: 5 },
    function* ({ account, store }) {
      const deliveries = yield* Effect.all(
        Array.from({ length: 5 }, () => opened(account, {}, { watch: { endpoints: ["a"] } }))
      )
      const reports = deliveries.flatMap(({ id }) =>
        Array.from({ length: 10 }, (_, rank) => reportOn(id, { status: { name: `rank ${rank}`, rank: rank + 2 } }))
      )
      const { Moved } = tally(yield* Effect.forEach(reports, store.report, { concurrency: "unbounded" }))
      const events = changesOf(yield* pending)
      same("events", events.length, Moved)
      for (const { id } of deliveries) {
        const versions = events.filter(({ delivery }) => delivery === id).map(({ version }) => version)
        const { watch } = yield* live(account, id)
        same(
          "versions",
          versions.toSorted((a, b) => a - b),
          Array.from({ length: watch?.version ?? 0 }, (_, n) => n + 1)
        )
      }
    }
  ),

  onAccount("events: the ledger is the same with them", { sends: 4 }, function* ({ account, store }) {
    for (const circumstances of [{}, { watch: { ...watch, balanceLow: { threshold: prices(9), endpoints: ["c"] } } }]) {
      const { id } = yield* opened(account, {}, circumstances)
      yield* store.close(closing(id, "accepted", { refs: [id] }))
      yield* store.report(receipt([id], { refund: true }))
      yield* store.open(opening(account, {}, { ...circumstances, close: ending("rejected") }))
    }
    const kinds = (yield* ledgerOf(account)).slice(1).map(({ amount, kind }) => `${kind} ${amount / PRICE}`)
    same("kinds", kinds.slice(0, kinds.length / 2), kinds.slice(kinds.length / 2))
    same("some", kinds.length, 10)
  })
]

/** An open of an account that is warned below two prices. */
const balanceLow = { threshold: prices(2), endpoints: ["a", "b"] }

export const lowBalance = [
  onAccount(
    "events: a low balance is told once, to its endpoints, by the open that takes it below the threshold",
    { sends: 4 },
    function* ({ account, store }) {
      const low = { watch: { endpoints: [], balanceLow } }
      yield* store.open(opening(account, {}, low))
      yield* store.open(opening(account, {}, low))
      same("at the threshold", yield* lows, [])
      yield* store.open(opening(account, {}, low))
      same("below it", yield* lows, [
        ["a", prices(2), prices(1)],
        ["b", prices(2), prices(1)]
      ])
      yield* store.open(opening(account, {}, low))
      yield* Effect.sleep(5)
      same("once", (yield* lows).length, 2)
    }
  ),

  onAccount(
    "events: a low balance is told again when it was filled up in between, and never of an open that costs nothing",
    { sends: 2 },
    function* ({ account, store }) {
      const low = { watch: { endpoints: [], balanceLow } }
      const { id } = yield* opened(account, {}, low)
      yield* store.close(closing(id, "rejected"))
      yield* store.open(opening(account, {}, { ...low, close: ending("rejected") }))
      yield* store.open(opening(account, { price: zero }, low))
      same("once", (yield* lows).length, 2)
      yield* store.open(opening(account, {}, low))
      yield* Effect.sleep(5)
      same("twice", (yield* lows).length, 4)
    }
  ),

  onAccount(
    "events: of fifty opens at once, one tells of the low balance",
    { sends: 50 },
    function* ({ account, store }) {
      const threshold = MicroEuros.make(20 * PRICE + 1)
      const low = { watch: { endpoints: [], balanceLow: { threshold, endpoints: ["a"] } } }
      yield* atOnce(50, () => store.open(opening(account, {}, low)))
      same("one", yield* lows, [["a", threshold, prices(20)]])
    }
  )
]
