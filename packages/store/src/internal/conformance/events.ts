import { AccountId, DeliveryId, type EventId, nextEventId } from "@watchword/schemas/Ids"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Event, TakenEvent } from "../../Store.ts"
import { Store } from "../../Store.ts"
import { check, reopened, same, together } from "./Case.ts"
import { AT, atOnce } from "./Fixtures.ts"

const MINUTE = 60_000

const account = AccountId.make("acc_01KF0G5T00SAMEACC0VNTEVERY")

const some = (endpoint: string, at = AT): Event => ({
  id: nextEventId(at),
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
  Store.use((store) => store.settleEvent({ id, until, outcome: { _tag: "Sent" }, answer: "204" }))

const failed = ({ id, until }: TakenEvent) =>
  Store.use((store) => store.settleEvent({ id, until, outcome: { _tag: "Failed" }, answer: "410" }))

const retried = ({ id, until }: TakenEvent, after: number) =>
  Store.use((store) => store.settleEvent({ id, until, outcome: { _tag: "Retry", after }, answer: "503" }))

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
void [failed, retried, takeLater]
