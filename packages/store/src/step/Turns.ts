/**
 * Turns of endpoints: which pending events a take gets, so that a slow endpoint holds up no other.
 */
import type { EventId } from "@watchword/schemas/Ids"
import { compare } from "../Listing.ts"

/** Pending events of an endpoint: how many are under leases, how many may be, and the due ones. */
export interface Pending<A> {
  readonly leases: number
  readonly bound: number
  readonly due: ReadonlyArray<A>
}

/** The events that a take gets: each endpoint's oldest due first, and the endpoints in turns. */
export const inTurns = <A extends { readonly id: EventId; readonly dueAt: number }>(
  pending: ReadonlyArray<Pending<A>>,
  limit: number
): ReadonlyArray<A> =>
  pending
    .flatMap(({ bound, due, leases }) =>
      due
        .toSorted((a, b) => a.dueAt - b.dueAt || compare(a.id, b.id))
        .slice(0, Math.max(0, bound - leases))
        .map((event, index) => ({ event, place: leases + index }))
    )
    .toSorted((a, b) => a.place - b.place || compare(a.event.id, b.event.id))
    .slice(0, limit)
    .map(({ event }) => event)
