/**
 * A send as its channel describes it to the pipeline: whom, for how many units, how its record is kept, and how to
 * deliver; and how the pipeline answers it.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { ClientFacts } from "@watchword/schemas/SharedFields"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Conflict, DeliveryFailure, Forbidden, TooManyRequests, Unauthorized } from "@watchword/schemas/Errors"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import type { Delivery, Details, Status } from "@watchword/store/Delivery"
import type { Open } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type * as Effect from "effect/Effect"
import type { RequestKeys } from "../Claims.ts"
import type { Content } from "../pipeline/Content.ts"
import type { Way } from "../routes/Way.ts"
import type { Permitted } from "../pipeline/Originator.ts"
import type { Outcome, Predetermined } from "../Outcome.ts"

/** One send, as a channel describes it. */
export interface Request {
  readonly principal: Principal
  readonly channel: Product
  readonly statuses: Statuses
  readonly to: E164
  /** The field of the request's body that has the number; `to` unless given. */
  readonly toField?: string
  /** The originator; null if the gateway has one of its own. */
  readonly from: Permitted | null
  /** How many units of the product it takes; also the number of parts that report back. */
  readonly units: number
  /** The content that the phone shows, which only sandbox records keep; null if it shows nothing. */
  readonly content: Content | null
  readonly details: Details
  /** Its way by its gateway, whose details follow `details` on the record. */
  readonly way?: Way
  /** Facts about the user, for guards. */
  readonly client?: ClientFacts
  /** Details of the record of a guard's refusal, in addition to `details`. */
  readonly blocked?: Details
  /** Everything the client asked for, in a fixed order: what tells a repeat from another send. */
  readonly body: string
  readonly keys: RequestKeys
  /** A delivery whose price is taken off this one's. Where another send has spent it already, this one pays in full. */
  readonly prepaid?: Prepaid | null
  /** For how many milliseconds after its answer a sandbox send has events to come; 1,000 unless given. */
  readonly lasts?: number
  /** A key under which sends at the same time are one: the first asks the gateway, the others get its answer. */
  readonly shared?: string | null
  /** Asks the gateway, within the gateway's own time limit. `prepaid` is what this send spends. */
  readonly deliver: (delivery: Delivery, prepaid: Prepaid | null) => Effect.Effect<Outcome>
  /** The gateway's answer where it is known beforehand; `deliver` is not run then. */
  readonly predetermine?: ((delivery: Open["delivery"]) => Predetermined | null) | null
}

export interface Sent {
  readonly delivery: Delivery
  /** The account's available balance after the charge. */
  readonly available: MicroEuros
}

export type SendError = DeliveryFailure | Conflict | Forbidden | TooManyRequests | Unauthorized | StoreError

/** A delivery whose price counts towards one later send. */
export interface Prepaid {
  readonly id: DeliveryId
  readonly price: MicroEuros
}

/** The statuses a channel gives a record on its way through the pipeline. */
export interface Statuses {
  readonly pending: Status
  readonly accepted: Status
  readonly failed: Status
}
