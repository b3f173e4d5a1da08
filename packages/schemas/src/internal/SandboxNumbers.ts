/**
 * The fictional numbers at which the sandbox can be written to and called.
 *
 * Source: Ofcom, "Telephone numbers for use in TV and radio drama programmes": 07700 900000 to 900999.
 */
import { E164 } from "../PhoneNumber.ts"
import type { ReceiveForm } from "./ReceiveFields.ts"

/** A form whose users write to a number, or call one. */
export type NumberedForm = Exclude<ReceiveForm, "telegram_login">

/** The numbers of the service in the sandbox, by form. A call can wait at each for one verification of a caller. */
export const sandboxNumbers: Readonly<Record<NumberedForm, ReadonlyArray<E164>>> = {
  sms: [E164.make("+447700900801")],
  call: Array.from({ length: 10 }, (_, place) => E164.make(`+44770090081${place}`)),
  bizchat: [E164.make("+447700900821")]
}
