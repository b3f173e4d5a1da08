import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { compare } from "../../Listing.ts"
import type { AttemptRow, EventRow, RefRow, Service, Snapshot } from "../../Snapshots.ts"
import type { Retention } from "./Retention.ts"
import type { Tables } from "./Tables.ts"

/** Copies of the tables: no row is changed in place. */
export const make = (
  { accounts, deliveries, events, refs }: Tables,
  { purgedBefore }: Pick<Retention, "purgedBefore">
): Service => ({
  take: Effect.sync((): Snapshot => {
    const all = deliveries.all()
    return {
      purgedBefore: Effect.succeed(purgedBefore()),
      accounts: Stream.fromIterable(
        accounts
          .list()
          .map(({ account, balance }) => ({ account: account.id, available: balance.available, held: balance.held }))
      ),
      deliveries: Stream.fromIterable(all.toSorted((a, b) => compare(a.id, b.id))),
      entries: Stream.fromIterable(
        accounts
          .list()
          .flatMap(({ account }) => accounts.entries({ account: account.id, after: null, limit: Infinity }))
          .toSorted((a, b) => compare(a.delivery ?? "", b.delivery ?? ""))
      ),
      refs: Stream.fromIterable(refs().toSorted(byDelivery)),
      attempts: Stream.fromIterable(
        all
          .flatMap(({ details: { attempt, verification }, id }): ReadonlyArray<AttemptRow> =>
            typeof verification === "string" ? [{ id, verification, attempt: Number(attempt) }] : []
          )
          .toSorted((a, b) => compare(a.verification, b.verification) || compare(a.id, b.id))
      ),
      events: Stream.fromIterable(
        events
          .all()
          .flatMap(({ account, endpoint, fact, id, mode }): ReadonlyArray<EventRow> => {
            if (fact._tag !== "DeliveryChanged") return []
            return [{ id, account, mode, endpoint, delivery: fact.delivery, version: fact.version }]
          })
          .toSorted((a, b) => byDelivery(a, b) || compare(a.endpoint, b.endpoint) || a.version - b.version)
      )
    }
  })
})

const byDelivery = (a: Pick<RefRow, "delivery">, b: Pick<RefRow, "delivery">): number => compare(a.delivery, b.delivery)
