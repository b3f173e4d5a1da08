/**
 * Reads a submit_sm: addresses, text, and the place of a part in a text of several.
 *
 * Source: SMPP 3.4 §4.4 and §5.2.17; 3GPP TS 23.040 §9.2.3.24.1 and §9.2.3.24.8 (concatenation).
 */
import * as DataCoding from "./DataCoding.ts"
import type { Pdu } from "./Pdu.ts"

/** The content of a submit_sm. */
export interface Content {
  readonly sequence: number
  readonly to: string
  readonly from: string
  readonly fromTon: number
  readonly fromNpi: number
  /** Of this part, read by its `data_coding`. */
  readonly text: string
  readonly dataCoding: number
  /** The text's octets without a user data header. */
  readonly octets: Buffer
  /** The place of a part, by its user data header or its `sar_*` parameters: reference, total, number. */
  readonly part: readonly [reference: number, total: number, number: number] | null
  /** `user_message_reference`. */
  readonly reference: number | null
  readonly registeredDelivery: number
  readonly pdu: Pdu
  readonly frame: Buffer
}

export const contentOf = (pdu: Pdu): Content => {
  const { fields, parameters } = pdu
  const number = (name: string) => Number(fields[name] ?? 0)
  const given = payloadOf(pdu)
  const hasHeader = (number("esm_class") & UDH_INDICATOR) !== 0
  const header = hasHeader ? given.subarray(1, 1 + (given[0] ?? 0)) : Buffer.alloc(0)
  const octets = hasHeader ? given.subarray(1 + header.length) : given
  const dataCoding = number("data_coding")
  const reference = parameters.get(USER_MESSAGE_REFERENCE)
  return {
    sequence: pdu.sequence_number,
    to: String(fields["destination_addr"] ?? ""),
    from: String(fields["source_addr"] ?? ""),
    fromTon: number("source_addr_ton"),
    fromNpi: number("source_addr_npi"),
    text: DataCoding.decode(octets, dataCoding),
    dataCoding,
    octets,
    part: partByHeader(header) ?? partByParameters(parameters),
    reference: reference?.length === 2 ? reference.readUInt16BE(0) : null,
    registeredDelivery: number("registered_delivery"),
    pdu,
    frame: pdu.frame
  }
}

const USER_MESSAGE_REFERENCE = 0x0204
const MESSAGE_PAYLOAD = 0x0424
const [REFERENCE, TOTAL, NUMBER] = [0x020c, 0x020e, 0x020f]
const UDH_INDICATOR = 0x40

const payloadOf = ({ fields, parameters }: Pdu): Buffer => {
  const { short_message: short } = fields
  return Buffer.isBuffer(short) && short.length > 0 ? short : (parameters.get(MESSAGE_PAYLOAD) ?? Buffer.alloc(0))
}

/** By the information element of concatenation, whose reference has 8 or 16 bits. */
const partByHeader = (header: Buffer): Content["part"] => {
  for (let at = 0; at + 2 <= header.length; at += 2 + (header[at + 1] ?? 0)) {
    const element = header.subarray(at + 2, at + 2 + (header[at + 1] ?? 0))
    const references = header[at] === 0x00 ? 1 : header[at] === 0x08 ? 2 : 0
    if (references > 0 && element.length === references + 2) {
      return placed(element.readUIntBE(0, references), element.readUInt8(references), element.readUInt8(references + 1))
    }
  }
  return null
}

const partByParameters = (parameters: Pdu["parameters"]): Content["part"] => {
  const [reference, total, number] = [REFERENCE, TOTAL, NUMBER].map((tag) => parameters.get(tag))
  return reference?.length === 2 && total?.length === 1 && number?.length === 1
    ? placed(reference.readUInt16BE(0), total.readUInt8(0), number.readUInt8(0))
    : null
}

const placed = (reference: number, total: number, number: number): Content["part"] =>
  total > 1 && number >= 1 && number <= total ? [reference, total, number] : null

/** The final outcome of a text. */
export type Fate = "delivered" | "undelivered"

/** Whether the client has asked for a receipt: 1 for all, 2 for failures, 3 for deliveries. */
export const wantsReceipt = ({ registeredDelivery }: Pick<Content, "registeredDelivery">, fate: Fate): boolean => {
  const asked = registeredDelivery & 0x03
  return asked === 1 || asked === (fate === "undelivered" ? 2 : 3)
}
