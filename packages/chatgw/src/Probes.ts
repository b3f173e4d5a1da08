/**
 * Probes that were paid for: each counts towards the next send to its number, as long as it is valid.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import type { Delivery } from "@watchword/store/Delivery"
import { about } from "@watchword/store/Reports"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { probe } from "./ChatStatus.ts"

export interface Probes {
  /** The probe of a number that its next send may spend. */
  readonly find: (principal: Principal, to: E164) => Effect.Effect<Option.Option<Delivery>, StoreError>
  /** Takes note that a probe has been spent. Should that fail, sends find out for themselves. */
  readonly spend: (probe: Delivery["id"]) => Effect.Effect<void>
}

/** In milliseconds. Gateways do not say how long a probe is valid; one that is too old is refused, and not charged. */
const VALID_FOR = 60 * 60 * 1000

export const makeProbes: Effect.Effect<Probes, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const find = Effect.fnUntraced(function* (principal: Principal, to: E164) {
    const found = yield* store.findByRef({ channel: "chatgw_probe", ref: refOf(principal, to) })
    const now = yield* Clock.currentTimeMillis
    return Option.filter(
      found,
      ({ createdAt, phase, status }) =>
        phase === "accepted" && status.name === probe.reachable.name && now < createdAt + VALID_FOR
    )
  })

  const spend = Effect.fnUntraced(function* (id: Delivery["id"]) {
    yield* store.report(about(id, yield* Clock.currentTimeMillis, { status: probe.spent }))
  })

  return {
    find,
    spend: (id) =>
      Effect.catchTag(spend(id), "StoreError", (error) => Effect.logWarning("a spent probe was not marked", error))
  }
})

/** By which the last probe of a number is found. Of two accounts' probes neither finds the other's. */
export const refOf = ({ account, mode }: Principal, to: E164): string => `${account.id} ${mode} ${to}`
