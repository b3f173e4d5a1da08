/**
 * Events of cases, and what cases do with them.
 */
import { AccountId, EventId, firstUlid } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { type Event, Store, type TakenEvent } from "../../Store.ts"
import { AT } from "./Fixtures.ts"

export const MINUTE = 60_000

const account = AccountId.make("acc_01KF0G5T00SAMEACC0VNTEVERY")

let made = 0

/** An id of a time, greater than those before it of the same time. */
const idOf = (at: number): EventId => EventId.make(firstUlid(at).slice(0, 16) + String(made++).padStart(10, "0"))

export const some = (endpoint: string, at = AT): Event => ({
  id: idOf(at),
  endpoint,
  account,
  mode: "live",
  fact: { _tag: "Test" },
  at
})

export const several = (count: number, endpoint: string): ReadonlyArray<Event> =>
  Array.from({ length: count }, () => some(endpoint))

export const take = (query: Partial<Parameters<Store["Service"]["takeEvents"]>[0]> = {}) =>
  Store.use((store) => store.takeEvents({ lease: MINUTE, limit: 100, perEndpoint: 100, ...query }))

export const append = (...events: ReadonlyArray<Event>) => Store.use((store) => store.appendEvents(events))

export const sent = ({ id, until }: TakenEvent) =>
  Store.use((store) => store.settleEvents([{ id, until, outcome: { _tag: "Sent" }, answer: "204" }]))

export const failed = ({ id, until }: TakenEvent) =>
  Store.use((store) => store.settleEvents([{ id, until, outcome: { _tag: "Failed" }, answer: "410" }]))

export const retried = ({ id, until }: TakenEvent, after: number) =>
  Store.use((store) => store.settleEvents([{ id, until, outcome: { _tag: "Retry", after }, answer: "503" }]))

export const summaryOf = (endpoint: string) => Store.use((store) => store.eventSummary(endpoint))

export const idsOf = (events: ReadonlyArray<{ readonly id: EventId }>): ReadonlyArray<EventId> =>
  events.map(({ id }) => id).toSorted()

export const one = <A>([first]: ReadonlyArray<A>): A => {
  if (first === undefined) throw new Error("no event was taken")
  return first
}

/** Takes until something is due. */
export const takeLater = (query?: Parameters<typeof take>[0]) =>
  Effect.repeat(Effect.delay(take(query), 20), { until: ({ length }) => length > 0 })
