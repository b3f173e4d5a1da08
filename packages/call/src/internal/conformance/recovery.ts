/**
 * Calls of a process that was killed, which the next process ends by their stored dialogs.
 */
import { type CaseOf, group, holds, same } from "@watchword/store/checks"
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import type { Started } from "./Harness.ts"
import { listen, newCall, nothingOpen } from "./kit.ts"

export const recovery: ReadonlyArray<CaseOf<Started>> = group("a call of an earlier process", [
  {
    name: "is ended by its dialog",
    check: Effect.fnUntraced(function* ({ gateway, network, restart }) {
      if (restart === null) return
      yield* network.next("rings")
      const dialogs: Array<string> = []
      const call = newCall()
      yield* gateway.dial(call, (dialog) => Effect.sync(() => void dialogs.push(dialog)))
      const later = yield* restart
      const { ends, until } = yield* listen(later)
      yield* later.recover([
        { delivery: call.delivery, dialog: dialogs.at(-1) ?? "" },
        { delivery: DeliveryId.make("01KAJ3T8ZZ0000000000000001"), dialog: "unreadable" }
      ])
      yield* until(2)
      yield* nothingOpen(network)
      const deliveries = ends.map(({ delivery }) => delivery)
      holds("the call must have an end", deliveries.includes(call.delivery))
      same("number of calls with an end", new Set(deliveries).size, 2)
    })
  },

  {
    name: "is ended by its prepared dialog, unless another dialog was stored",
    check: Effect.fnUntraced(function* ({ gateway, network, restart }) {
      const call = newCall()
      const prepared = gateway.prepare?.(call) ?? null
      if (prepared === null || restart === null) return
      yield* network.next("rings")
      let dialog = prepared.dialog
      yield* gateway.dial({ ...call, prepared }, (other) => Effect.sync(() => void (dialog = other)))
      const later = yield* restart
      const { until } = yield* listen(later)
      yield* later.recover([{ delivery: call.delivery, dialog }])
      yield* until(1)
      yield* nothingOpen(network)
    })
  }
])
