/**
 * Events: facts about the deliveries and the money of an account, for endpoints that watch the account.
 *
 * The step engine makes an event for each endpoint in the step that it is about, and the store writes them in the
 * step's own transaction (a transactional outbox): no crash separates a change from its event. An event has no code, no
 * text and no number of a phone: what stays as it is may be read from the delivery's record when the event is sent.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId, EventId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Details, Phase } from "./Delivery.ts"

/** The endpoints that receive an open's events, as its caller knows them at that time. */
export interface Watch {
  /** The endpoints that learn of the delivery, now and later; each name once. */
  readonly endpoints: ReadonlyArray<string>
  /** The endpoints that learn of a low balance, where the open takes the available balance below the threshold. */
  readonly balanceLow?: { readonly threshold: MicroEuros; readonly endpoints: ReadonlyArray<string> }
}

/** A remark that a report makes about a delivery whose status may stay. */
export interface Note {
  readonly name: string
  readonly data: Details
}

/** An event of one endpoint. */
export interface Event {
  /** A later event has a greater one, if processes agree on the time. */
  readonly id: EventId
  /** Opaque to the store: 1 to 64 visible ASCII characters. */
  readonly endpoint: string
  readonly account: AccountId
  readonly mode: Mode
  readonly fact: Fact
  /** The time of the step. */
  readonly at: number
}

export type Fact =
  | DeliveryChanged
  /** A step has taken the available balance from the threshold or above to below it. */
  | { readonly _tag: "BalanceLow"; readonly threshold: MicroEuros; readonly available: MicroEuros }
  /** An operator tries the endpoint. */
  | { readonly _tag: "Test" }

/** The outcome of a delivery became known, its status moved, or a report noted something about it. */
export interface DeliveryChanged {
  readonly _tag: "DeliveryChanged"
  readonly channel: Product
  readonly delivery: DeliveryId
  /** 1 for the first event of the delivery; all endpoints receive a step under the same version. */
  readonly version: number
  /** The status and the phase after the step. */
  readonly status: string
  readonly phase: Phase
  /** Whether the status or the outcome is news, in addition to a note. */
  readonly moved: boolean
  readonly note: Note | null
}
