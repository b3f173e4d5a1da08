/**
 * The part of a gateway that is composed of carriers: it says by which of them a message may leave.
 */
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Details } from "@watchword/store/Delivery"
import type * as Effect from "effect/Effect"
import type { Seen } from "../gateway/Unrecognized.ts"
import type { Quality } from "./Quality.ts"
import type { RouteTable } from "./RouteTable.ts"
import type { Way } from "./Way.ts"

export interface Asked {
  readonly to: E164
  /** The account's routes, which precede the installation's; null if it has no routes. */
  readonly own: RouteTable | null
  /** The carriers that an operator has drained. */
  readonly drained: ReadonlySet<string>
  /** The carriers that already sent the code, and the carriers that must not send it again. */
  readonly used: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
  /** The quality of carriers, for routes that choose the best; null if it is not known. */
  readonly quality: Quality | null
}

/** The query for a message that belongs to no account. */
export const ofNoAccount = (to: E164): Asked => ({
  to,
  own: null,
  drained: none,
  used: none,
  excluded: none,
  quality: null
})

const none: ReadonlySet<string> = new Set()

/** A way among carriers. Its details come from {@link detailsOf}. */
export interface Among extends Way {
  /** Empty if there is no route, or all of its carriers are out. */
  readonly carriers: ReadonlyArray<string>
}

/** A carrier as operators see it. */
export interface CarrierState {
  readonly carrier: string
  readonly up: boolean
  /** Whether it rests, because it has refused the messages of several recipients in a row. */
  readonly rests: boolean
  /** How many messages wait for its answer, and how many may; null if it has no such bound. */
  readonly window: { readonly used: number; readonly size: number } | null
  /** The messages per second learned from its throttling; null until it throttles. */
  readonly rate: number | null
  /** The cost of all other numbers, in micro-euros for a part or a call; null if it has no cost. */
  readonly cost: MicroEuros | null
  /** The last refusal, and when it came, in milliseconds since the epoch; null if it has refused nothing. */
  readonly refusal: { readonly at: number; readonly message: string } | null
  /** Its words that its gateway did not recognize, the most recent first. */
  readonly unrecognized: ReadonlyArray<Seen>
}

export interface Routing {
  /** Decides from memory. */
  readonly way: (asked: Asked) => Effect.Effect<Among>
  readonly carriers: Effect.Effect<ReadonlyArray<CarrierState>>
}

/**
 * The details by which a record names its carriers:
 *
 * | detail | from | value |
 * |---|---|---|
 * | `route` | the opening | the prefix of its route |
 * | `choice` | the opening | how the carriers were chosen, and which were left out |
 * | `carrier` | the opening | the first that is asked; from the close or a receipt on, the carrier that has the message |
 * | `carriers` | the opening | the carriers that may have it, in the order in which they are asked, separated by spaces; a single one from the close on |
 * | `refused_by` | the close | the carriers that refused it before, separated by spaces |
 * | `cost` | the close | micro-euros that the carrier asks for all parts that it may have taken |
 */
export const detailsOf = (route: string, choice: string, carriers: ReadonlyArray<string>): Details => {
  const [first] = carriers
  return {
    route,
    choice,
    ...(first === undefined ? {} : { carrier: first }),
    ...(carriers.length > 1 ? { carriers: carriers.join(" ") } : {})
  }
}

export const noRoute = (): ServiceUnavailable =>
  new ServiceUnavailable({
    message: "No carrier accepts messages to this number at the moment. Nothing was sent.",
    reason: "no_route"
  })
