/**
 * A phone number of a test.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Schema from "effect/Schema"

const isE164 = Schema.is(E164)

/** Throws where it is not in E.164: no message would ever come to it. */
export const numberOf = (to: string): E164 => {
  if (isE164(to)) return to
  throw new TypeError(`to must be a phone number in E.164, such as +4915123456789, but is ${String(to)}`)
}
