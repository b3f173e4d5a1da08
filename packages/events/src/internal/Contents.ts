/**
 * The events of a row of the outbox, as its endpoint gets them.
 */
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type { Event as Row } from "@watchword/store/Event"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Described from "./Described.ts"
import type { Identified } from "./WebhookDelivery.ts"

/** The record that a row is about; null if it is about none, and if the record is gone. */
export const recordOf = Effect.fnUntraced(function* ({ account, fact, mode }: Row) {
  if (fact._tag !== "DeliveryChanged") return null
  const { find } = yield* Store
  return Option.getOrNull(yield* find({ account, mode, channel: fact.channel, id: fact.delivery }))
})

/** One change may be two events. */
export const eventsOf = (row: Row): Effect.Effect<ReadonlyArray<Identified>, StoreError, Store> =>
  Effect.gen(function* () {
    const descriptions = yield* Described.Descriptions
    const events = Described.of(row, yield* recordOf(row), descriptions)
    return events.map((event) => ({ ...event, id: idOf(row, event) }))
  })

/** The id is the same for each attempt. */
const idOf = ({ id }: Row, { type }: Described.AnyEvent): string => `evt_${id}_${type.slice(type.indexOf(".") + 1)}`
