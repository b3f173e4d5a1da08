/**
 * The place of a part in a text of several.
 *
 * Source: 3GPP TS 23.040 §9.2.3.24.1 and §9.2.3.24.8 (8- and 16-bit references); SMPP 3.4 §5.3.2.22 to §5.3.2.24
 * (`sar_*`).
 */
import type { DeliverSm } from "./DeliverSm.ts"
import * as Pdu from "./Pdu.ts"

export interface Place {
  /** Shared by the parts of one text, in addition to their addresses. */
  readonly reference: string
  readonly total: number
  /** From 1. */
  readonly number: number
}

const SAR_REFERENCE = Pdu.tag("sar_msg_ref_num")
const SAR_TOTAL = Pdu.tag("sar_total_segments")
const SAR_NUMBER = Pdu.tag("sar_segment_seqnum")

/** Information elements of concatenation, by their identifiers: the octets of their references. */
const REFERENCE_OCTETS: ReadonlyMap<number, number> = new Map([
  [0x00, 1],
  [0x08, 2]
])

/** The place of a part; null for a text in one part, and for a place that cannot be. */
export const placeOf = ({ header, parameters }: Pick<DeliverSm, "header" | "parameters">): Place | null =>
  byHeader(header) ?? byParameters(parameters)

/** By the first element of concatenation among the others, such as ports. */
const byHeader = (header: Buffer): Place | null => {
  for (let at = 0; at + 2 <= header.length;) {
    const length = header.readUInt8(at + 1)
    const element = header.subarray(at + 2, at + 2 + length)
    const octets = REFERENCE_OCTETS.get(header.readUInt8(at))
    if (octets !== undefined && element.length === octets + 2) {
      const reference = element.readUIntBE(0, octets)
      return placed(`udh${octets}:${reference}`, element.readUInt8(octets), element.readUInt8(octets + 1))
    }
    at += 2 + length
  }
  return null
}

const byParameters = (parameters: Pdu.Parameters): Place | null => {
  const reference = parameters.get(SAR_REFERENCE)
  const total = parameters.get(SAR_TOTAL)
  const number = parameters.get(SAR_NUMBER)
  return reference?.length === 2 && total?.length === 1 && number?.length === 1
    ? placed(`sar:${reference.readUInt16BE(0)}`, total.readUInt8(0), number.readUInt8(0))
    : null
}

const placed = (reference: string, total: number, number: number): Place | null =>
  total > 1 && number >= 1 && number <= total ? { reference, total, number } : null
