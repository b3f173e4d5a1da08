/**
 * Hangs up a ringing call, in this process or, through the store's signals, in another one.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Service as Gateway } from "../CallGateway.ts"
import { status } from "./CallStatus.ts"

/** Answers false when the call is over. */
export type Hangup = (call: Delivery) => Effect.Effect<boolean, StoreError>

const HANGUP = "hangup"

export const makeHangup = Effect.fnUntraced(function* (
  gateways: ReadonlyArray<Gateway>
): Effect.fn.Return<Hangup, StoreError, Store | Scope> {
  const store = yield* Store

  const here = Effect.fnUntraced(function* (delivery: DeliveryId) {
    for (const gateway of gateways) if (yield* gateway.hangup(delivery, "ORIGINATOR_CANCEL")) return true
    return false
  })

  const backgroundAllowed = yield* BackgroundAllowed
  if (backgroundAllowed) {
    yield* store.signals(({ delivery, topic }) => (topic === HANGUP ? Effect.asVoid(here(delivery)) : Effect.void))
  }

  const hasEnded = (call: Delivery) => Effect.map(store.find(call), Option.exists(isOver))

  const elsewhere = Effect.fnUntraced(function* (call: Delivery) {
    yield* store.signal({ topic: HANGUP, delivery: call.id })
    return yield* Effect.repeat(hasEnded(call), { until: (ended) => ended, schedule: forAWhile })
  })

  return Effect.fnUntraced(function* (call: Delivery) {
    if (yield* here(call.id)) return true
    if (isOver(call) || !store.manifest.cluster) return false
    // Without background work there are no listeners either.
    return (backgroundAllowed && (yield* elsewhere(call))) || (yield* unheard)
  })
})

const isOver = ({ status: { rank } }: Delivery): boolean => rank >= status.ended.rank

const forAWhile = Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "3 seconds" }))

const unheard = Effect.fail(
  new StoreError({ reason: "Unavailable", message: "The process that has the call does not answer." })
)
