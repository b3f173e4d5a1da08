/**
 * A store in memory, and the events that have been taken from it and are under way to handlers and webhooks.
 */
import type { EventId } from "@watchword/schemas/Ids"
import { makeMemory } from "@watchword/store/MemoryStore"
import type { Service as Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"

export interface Outgoing {
  readonly store: Store
  /** Whether an event is under way. */
  readonly isSending: () => boolean
}

export const make = (): Outgoing => {
  const store = makeMemory()
  const endpoints = new Map<EventId, string>()
  return {
    store: {
      ...store,
      takeEvents: (query) =>
        Effect.tap(store.takeEvents(query), (rows) =>
          Effect.sync(() => {
            for (const { endpoint, id } of rows) endpoints.set(id, endpoint)
          })
        ),
      settleEvents: (settlements) =>
        Effect.ensuring(
          store.settleEvents(settlements),
          Effect.sync(() => {
            for (const { id } of settlements) endpoints.delete(id)
          })
        ),
      dropEvents: (dropped) =>
        Effect.ensuring(
          store.dropEvents(dropped),
          Effect.sync(() => {
            for (const [id, endpoint] of endpoints) if (endpoint === dropped) endpoints.delete(id)
          })
        )
    },
    isSending: () => endpoints.size > 0
  }
}
