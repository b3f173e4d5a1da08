/**
 * Probes that were paid: the price of each is taken off the next send to its number, while the probe is valid.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import type { Delivery } from "@watchword/store/Delivery"
import { Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { probe } from "./ChatgwStatus.ts"

export interface Probes {
  /** The last probe of a number that was answered or is in doubt. */
  readonly last: (principal: Principal, to: E164) => Effect.Effect<Option.Option<Delivery>, StoreError>
  /** The probe of a number that its next send may spend. */
  readonly find: (principal: Principal, to: E164) => Effect.Effect<Option.Option<Delivery>, StoreError>
  /** Marks a probe as spent. A mark that fails is harmless: the claim of the send that spent it keeps others away. */
  readonly spend: (probe: Delivery["id"]) => Effect.Effect<void>
}

/** In milliseconds. Gateways do not say how long a probe is valid; they refuse an old one without a charge. */
const VALID_FOR = 60 * 60 * 1000

export const makeProbes: Effect.Effect<Probes, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const last = (principal: Principal, to: E164) =>
    store.findByRef({ channel: "chatgw_probe", ref: refOf(principal, to) })

  const find = (principal: Principal, to: E164) =>
    Effect.zipWith(last(principal, to), Clock.currentTimeMillis, (found, now) =>
      Option.filter(found, (delivery) => isValid(delivery, now))
    )

  const spend = Effect.fnUntraced(function* (id: Delivery["id"]) {
    yield* store.report(about(id, yield* Clock.currentTimeMillis, { status: probe.spent }))
  })

  return {
    last,
    find,
    spend: (id) =>
      Effect.catchTag(spend(id), "StoreError", (error) => Effect.logWarning("a used probe could not be marked", error))
  }
})

/** Whether the next send to the number of a probe may spend it. */
export const isValid = ({ createdAt, phase, status }: Delivery, now: number): boolean =>
  phase === "accepted" && status.name === probe.reachable.name && now < createdAt + VALID_FOR

/** The ref under which the last probe of a number is found, by the account and mode that made it. */
export const refOf = ({ account, mode }: Principal, to: E164): string => `${account.id} ${mode} ${to}`
