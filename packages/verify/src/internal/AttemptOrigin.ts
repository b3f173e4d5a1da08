/**
 * Details of a delivery that lead to the verification whose code it sends.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import type { Details } from "@watchword/store/Delivery"
import * as Schema from "effect/Schema"

export interface AttemptOrigin {
  readonly verification: DeliveryId
  /** The number of the send in the verification's plan. */
  readonly attempt: number
}

/** Null for deliveries of their own. */
export const attemptOrigin = ({ attempt, verification }: Details): AttemptOrigin | null =>
  isId(verification) && typeof attempt === "number" ? { verification, attempt } : null

const isId = Schema.is(DeliveryId)
