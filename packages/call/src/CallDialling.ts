/**
 * Places one call through a gateway, as the pipeline of a send wants it.
 */
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Outcome, accepted, rejected } from "@watchword/send/Outcome"
import { about } from "@watchword/store/Reports"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Call, Service as Gateway } from "./CallGateway.ts"
import * as CallRecord from "./CallRecord.ts"
import type { Service as Underway } from "./CallsUnderway.ts"

export type Dial = (gateway: Gateway, call: Call) => Effect.Effect<Outcome>

export const makeDial = Effect.fnUntraced(function* (underway: Underway): Effect.fn.Return<Dial, never, Store> {
  const store = yield* Store

  // Stored before anything leaves, unless it was with the record: with it a later process ends the call, should this one die.
  const keepDialog = Effect.fnUntraced(function* (id: DeliveryId, dialog: string) {
    yield* store.report(about(id, yield* Clock.currentTimeMillis, { details: { dialog } }))
  })

  return Effect.fnUntraced(
    function* (gateway: Gateway, call: Call) {
      const { delivery } = call
      yield* underway.begin(delivery)
      const placed = gateway.dial(call, (dialog) => keepDialog(delivery, dialog))
      const dialled = yield* Effect.onError(placed, () => underway.forget(delivery))
      if (dialled._tag === "Failed") {
        yield* underway.forget(delivery)
        return rejected(dialled.failure, CallRecord.failed(dialled.cause))
      }
      const rangAt = yield* Clock.currentTimeMillis
      yield* underway.limit(delivery, gateway, call.maxRing)
      yield* underway.ring(delivery, { rangAt, isOpen: false })
      return accepted([], CallRecord.rang(dialled.postDialDelay, rangAt, dialled.dialog))
    },
    Effect.catchTag("StoreError", () => Effect.succeed(unstored))
  )
})

// The dialog could not be stored, so nothing was sent.
const unstored: Outcome = rejected(
  new ServiceUnavailable({ message: "The service is unavailable for the moment; try again." }),
  CallRecord.failed({ hangupCause: "NORMAL_TEMPORARY_FAILURE", sipStatus: null, q850: null })
)
