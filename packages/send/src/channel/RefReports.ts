/**
 * Reports of a gateway about its messages, by the ids (refs) that it has given them.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { accepted } from "../Outcome.ts"
import type { Statuses } from "../internal/Request.ts"
import { Send } from "../Send.ts"
import type { Details } from "@watchword/store/Delivery"
import { type Report, type Reported, Store, aboutPart } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export interface RefReports {
  readonly report: (ref: string, says: Partial<Omit<Report, "target" | "at">>) => Effect.Effect<Reported, StoreError>
  /**
   * Closes a delivery as accepted under a ref that no delivery has yet: the answer to its send was lost, and the gateway
   * names the delivery in its event. Null, or a ref that is known, changes nothing.
   */
  readonly recognise: (delivery: DeliveryId | null, ref: string, details?: Details) => Effect.Effect<void, StoreError>
}

export const make = (product: Product, statuses: Statuses): Effect.Effect<RefReports, never, Store | Send> =>
  Effect.gen(function* () {
    const store = yield* Store
    const { resolve } = yield* Send

    const recognise = Effect.fnUntraced(function* (delivery: DeliveryId | null, ref: string, details: Details = {}) {
      if (delivery === null || Option.isSome(yield* store.findByRef({ channel: product, ref }))) return
      yield* resolve(delivery, accepted([ref], details), statuses)
    })

    return {
      report: (ref, says) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => store.report(aboutPart(product, [ref], at, says))),
      recognise
    }
  })
