/**
 * A message centre (SMSC) for tests and development: any SMPP client binds to it and submits texts, and a script says
 * what becomes of them. It listens on 127.0.0.1.
 *
 * @example
 * ```ts
 * import { receipt, smsc } from "@watchword/sandbox/smsc"
 *
 * const carrier = await smsc({
 *   script: {
 *     // Refuses the numbers of one country, and reports the others as delivered after half a second.
 *     submit: ({ to }) => (to.startsWith("882") ? { status: 0x0b } : {}),
 *     receipt: (submit) => receipt(submit, "DELIVRD", 500)
 *   }
 * })
 * console.log(carrier.url()) // smpp://client:secret@127.0.0.1:…
 * await carrier.stop()
 * ```
 *
 * Phones write, too: `carrier.write` brings a text of theirs to a client that is bound.
 */
import { Smsc } from "../internal/smsc/Smsc.ts"
import type { SmscOptions } from "../internal/smsc/Script.ts"

export type { Fields, Pdu } from "../internal/smsc/Pdu.ts"
export type { Answer, Receipt, Script, SmscOptions, Submit, Text } from "../internal/smsc/Script.ts"
export type { Session } from "../internal/smsc/Session.ts"
export type { Smsc } from "../internal/smsc/Smsc.ts"
export type { Fate } from "../internal/smsc/Submit.ts"
export { type Written, written } from "../internal/smsc/Phone.ts"
export { receipt } from "../internal/smsc/Receipts.ts"
export {
  type DeliverFields,
  MESSAGE_PAYLOAD,
  MESSAGE_STATE,
  NETWORK_ERROR_CODE,
  RECEIPTED_MESSAGE_ID,
  RESPONSE,
  SAR_MSG_REF_NUM,
  SAR_SEGMENT_SEQNUM,
  SAR_TOTAL_SEGMENTS,
  STATUS,
  USER_MESSAGE_REFERENCE,
  cString,
  command,
  dataSm,
  deliverSm,
  octets,
  pdu,
  resp,
  tlv
} from "./wire.ts"

/** Starts a message centre. It stops by `stop`, or with the block that has it by `await using`. */
export const smsc = async (options: SmscOptions = {}): Promise<Smsc> => {
  const centre = new Smsc(options)
  await centre.listen()
  return centre
}
