/**
 * Decodes deliver_sm and data_sm: the fields that receipts need.
 *
 * Source: SMPP 3.4 §4.6.1, §4.7.1 and §5.3.
 */
import * as Pdu from "./Pdu.ts"

export interface DeliverSm {
  readonly source: { readonly ton: number; readonly address: string }
  readonly esmClass: number
  /** The short_message or message_payload, without its user data header, decoded by data_coding. */
  readonly text: string
  /** The optional parameters (TLVs). */
  readonly parameters: Pdu.Parameters
}

const MESSAGE_PAYLOAD = Pdu.tag("message_payload")
const UDH_INDICATOR = 0x40
const UCS2 = 0x08
const NOTHING = Buffer.alloc(0)

/** Decodes a frame of deliver_sm or data_sm; undefined when its mandatory fields are cut off. */
export const read = (frame: Buffer): DeliverSm | undefined => {
  const { fields, isCutOff, parameters } = Pdu.decode(frame)
  if (isCutOff) return undefined
  const { short_message: message = NOTHING } = fields
  const esmClass = Number(fields["esm_class"])
  const sent = Buffer.isBuffer(message) && message.length > 0 ? message : (parameters.get(MESSAGE_PAYLOAD) ?? NOTHING)
  const text = (esmClass & UDH_INDICATOR) === 0 ? sent : sent.subarray(1 + (sent[0] ?? 0))
  return {
    source: { ton: Number(fields["source_addr_ton"]), address: String(fields["source_addr"]) },
    esmClass,
    text: decode(text, Number(fields["data_coding"])),
    parameters
  }
}

/** The text of a parameter, with or without a NUL at its end. */
export const textOf = (parameter: Buffer): string => {
  const end = parameter.indexOf(0)
  return parameter.toString("latin1", 0, end === -1 ? parameter.length : end)
}

/** Removes control characters, which must not get into records and logs. */
// oxlint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "")

// Receipts are in ASCII: data_coding 0 stands for another alphabet at each carrier.
const decode = (text: Buffer, dataCoding: number): string =>
  dataCoding === UCS2 ? utf16.decode(text) : text.toString("latin1")

const utf16 = new TextDecoder("utf-16be")
