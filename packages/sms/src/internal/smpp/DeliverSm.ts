/**
 * Decodes deliver_sm and data_sm: the fields that receipts and subscribers' texts need.
 *
 * Source: SMPP 3.4 §4.6.1, §4.7.1 and §5.3.
 */
import * as Pdu from "./Pdu.ts"

export interface Address {
  readonly ton: number
  readonly address: string
}

export interface DeliverSm {
  readonly source: Address
  readonly destination: Address
  readonly esmClass: number
  readonly dataCoding: number
  /** The user data header's elements; empty without one. */
  readonly header: Buffer
  /** The short_message or message_payload, without its user data header. */
  readonly octets: Buffer
  /** The optional parameters (TLVs). */
  readonly parameters: Pdu.Parameters
}

const MESSAGE_PAYLOAD = Pdu.tag("message_payload")
const UDH_INDICATOR = 0x40
const NOTHING = Buffer.alloc(0)

/** Decodes a frame of deliver_sm or data_sm; undefined when its mandatory fields are cut off. */
export const read = (frame: Buffer): DeliverSm | undefined => {
  const { fields, isCutOff, parameters } = Pdu.decode(frame)
  if (isCutOff) return undefined
  const { short_message: message = NOTHING } = fields
  const esmClass = Number(fields["esm_class"])
  const sent = Buffer.isBuffer(message) && message.length > 0 ? message : (parameters.get(MESSAGE_PAYLOAD) ?? NOTHING)
  return {
    source: { ton: Number(fields["source_addr_ton"]), address: String(fields["source_addr"]) },
    destination: { ton: Number(fields["dest_addr_ton"]), address: String(fields["destination_addr"]) },
    esmClass,
    dataCoding: Number(fields["data_coding"]),
    ...split(sent, (esmClass & UDH_INDICATOR) !== 0),
    parameters
  }
}

const split = (sent: Buffer, hasHeader: boolean): Pick<DeliverSm, "header" | "octets"> => {
  if (!hasHeader) return { header: NOTHING, octets: sent }
  const end = 1 + (sent[0] ?? 0)
  return { header: sent.subarray(1, end), octets: sent.subarray(end) }
}

/** The text of a parameter, with or without a NUL at its end. */
export const textOf = (parameter: Buffer): string => {
  const end = parameter.indexOf(0)
  return parameter.toString("latin1", 0, end === -1 ? parameter.length : end)
}
