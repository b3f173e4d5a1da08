/**
 * Notes receipts that no message is found for.
 *
 * A receipt may come before the answer to its message is stored, by this process or another one. So it is looked up
 * once more after half a minute, and only then its gateway notes it.
 */
import { Store } from "@watchword/store/Store"
import { fit } from "@watchword/store/step"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Receipt } from "../SmsGateway.ts"

const PATIENCE = "30 seconds"

/**
 * Receipts that wait to be looked up. Further ones are passed over: on a busy server many overtake the close of their
 * message, and a dialect that matches nothing is seen by a few.
 */
const MOST_WAITING = 100

export const make: Effect.Effect<(receipt: Receipt) => Effect.Effect<void>, never, Store | Scope> = Effect.gen(
  function* () {
    const store = yield* Store
    const waiting = yield* FiberSet.make()
    const fork = yield* FiberSet.runtime(waiting)()

    const isFound = Effect.fnUntraced(function* ({ reference, refs, to }: Receipt) {
      for (const [index, ref] of refs.entries()) {
        const found = yield* store.findByRef({ channel: "sms", ref })
        if (Option.isSome(found) && fit(found.value, { to, reference }, index === 0) !== "not") return true
      }
      return false
    })

    const looked = (receipt: Receipt, note: Effect.Effect<void>) =>
      isFound(receipt).pipe(
        Effect.flatMap((found) => (found ? Effect.void : note)),
        Effect.delay(PATIENCE),
        Effect.ignore
      )

    return (receipt) =>
      Effect.suspend(() => {
        const { unmatched } = receipt
        if (unmatched === undefined) return Effect.void
        return Effect.flatMap(FiberSet.size(waiting), (size) =>
          size < MOST_WAITING ? Effect.sync(() => void fork(looked(receipt, unmatched))) : Effect.void
        )
      })
  }
)
