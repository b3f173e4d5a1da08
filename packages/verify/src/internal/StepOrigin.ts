/**
 * Details of a delivery that lead to the verification whose code it sends.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Schema from "effect/Schema"

const StepOrigin = Schema.Struct({
  verification: DeliveryId,
  /** The number of the send in the verification's plan. */
  attempt: Schema.Int
})
export type StepOrigin = typeof StepOrigin.Type

/** None for deliveries of their own. */
export const stepOrigin = Schema.decodeUnknownOption(StepOrigin)
