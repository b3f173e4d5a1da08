/**
 * The mark that a clearing of the inbox leaves: an id, so that a message of the same millisecond is on one side of it.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import { state } from "@watchword/store/Setting"

/** The mark of an account. A test that clears the inbox may ask another process next. */
export const cleared = state("inbox-cleared", DeliveryId)
