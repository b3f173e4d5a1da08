/**
 * The port of a guard: it stands between the key and the hold of each send, on all channels, and refuses sends that an
 * attacker causes at the account's expense. `@watchword/guards` has the guard of the service.
 */
import type { ClientFacts } from "@watchword/schemas/SharedFields"
import type { Forbidden, TooManyRequests } from "@watchword/schemas/Errors"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Product } from "@watchword/schemas/Channel"
import type { Principal } from "@watchword/schemas/Account"
import type { Added } from "@watchword/store/Counters"
import type { Details } from "@watchword/store/Delivery"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A send that is about to be opened. */
export interface Asked {
  readonly principal: Principal
  readonly to: E164
  readonly client: ClientFacts
  /** Values that the client counts by itself, under codes, by their names; left out for none. */
  readonly limitKeys?: Readonly<Record<string, string>>
  /** Whether the client has made the code itself; false unless given. */
  readonly ownCode?: boolean
  /**
   * 1 for a send that a user asked for. 0 for a send that follows from such a request, for which the guard was already
   * asked: a step of a verification, or a code that spends its probe. It counts towards money only.
   */
  readonly requests: 0 | 1
  readonly price: MicroEuros
  /** The product that is asked for; `verify` for a verification. */
  readonly channel: Product
  /** Whether it is a verification or a step of one, or a send that a client makes itself. */
  readonly use: Use
}

export type Use = "verifications" | "sends"

/** The counts that a guard added for a request. */
export interface Counted {
  readonly requests: ReadonlyArray<Added>
  /** The price, where a limit of money counts it. It goes back by itself when a record's price does. */
  readonly money: ReadonlyArray<Added>
}

/** A number that its user has proved to hold. */
export type Proof = Pick<Asked, "principal" | "to">

export type Verdict =
  | {
      readonly _tag: "Passed"
      /**
       * Details for the record: why it would have been refused, where rules are tried, and what its price counts
       * towards.
       */
      readonly details: Details
      readonly counted: Counted
      /** The channels that a verification is to try first; its workflow decides unless given. */
      readonly prefer?: ReadonlyArray<string>
      /** Bounds of the account's rules that others than the guard keep, by the names that rules give them. */
      readonly bounds?: Readonly<Record<string, number>>
    }
  | {
      readonly _tag: "Refused"
      readonly failure: Forbidden | TooManyRequests
      readonly details: Details
    }

export interface Service {
  /**
   * Decides on a send, and counts it. Never fails: a guard that cannot decide lets through. A verdict that takes
   * neither the store nor a wait is an `Exit`, as of `Effect.succeed`, from which `Effect.flatMapEager` continues at
   * once.
   *
   * @param now milliseconds since the epoch
   */
  readonly check: (asked: Asked, now: number) => Effect.Effect<Verdict>

  /** Tells that a user has proved to hold a number: once for each verification, and each delivery. */
  readonly verified: (proof: Proof) => Effect.Effect<void>

  /**
   * Removes the counts of a request that sent nothing: every gateway refused it or was down, it was never opened, or it
   * is a repeat, which is answered like the first one. Where a record was opened, its price is not among it.
   */
  readonly unsent: (counted: ReadonlyArray<Added>) => Effect.Effect<void>
}

/** The guard of the service; null if every send passes. */
export class SendGuard extends Context.Service<SendGuard, Service | null>()("@watchword/send/SendGuard") {}

/** No guard: every send passes. */
export const layerNone: Layer.Layer<SendGuard> = Layer.succeed(SendGuard, null)

/** Lets through, and has counted nothing. */
export const passed = {
  _tag: "Passed",
  details: {},
  counted: { requests: [], money: [] }
} satisfies Verdict

/** All amounts that were counted for a request that opened no record. */
export const allOf = ({ money, requests }: Counted): ReadonlyArray<Added> => [...requests, ...money]
