/**
 * The mark that a clearing of the inbox leaves: an id, so that a message of the same millisecond is on one side of it.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as State from "@watchword/store/internal/State"

/** The mark of an account. A test that clears the inbox may ask another process next. */
export const cleared = State.make("inbox-cleared", DeliveryId)
