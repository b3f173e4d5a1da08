/**
 * Guard reasons on the records of all channels.
 */
import * as Schema from "effect/Schema"
import { optional } from "../Field.ts"

/**
 * The field of a record that a guard has refused, whose status is `blocked`, or that it would have refused if its rules
 * were to deny: for example `limit_ip limit_number`, with a space in between.
 */
export const guardReasons = {
  guard_reasons: optional(
    Schema.String,
    "Why a guard refused the send, or would have refused it, with spaces in between."
  )
}
