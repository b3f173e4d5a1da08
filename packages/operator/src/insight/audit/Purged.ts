import { DeliveryId, timeOfUlid } from "@watchword/schemas/Ids"
import * as Schema from "effect/Schema"

const isDeliveryId = Schema.is(DeliveryId)

/** Whether a missing delivery is older than the last deletion: its id has the time. */
export const isPurged = (id: string, purgedBefore: number): boolean => isDeliveryId(id) && timeOfUlid(id) < purgedBefore
