/**
 * Encodes the parts of a message as submit_sm.
 *
 * Source: SMPP 3.4 §4.4.1, §5.2.12, §5.2.17, §5.3.2.17;
 * 3GPP TS 23.040 §9.2.3.24.1 (concatenation).
 */
import { BadRequest, type DeliveryFailure } from "@watchword/schemas/Errors"
import type { EncodedText } from "../../EncodedText.ts"
import type { Tlv } from "../../SmsGateway.ts"
import { destinationOf, isNumber, sourceOf } from "./Addresses.ts"
import { coded } from "./Alphabet.ts"
import type { LinkOptions } from "./Options.ts"
import * as Pdu from "./Pdu.ts"

/** The content of a message; `to` has a plus sign. */
export interface Content {
  readonly to: string
  readonly from: string
  readonly text: EncodedText
  readonly reference: number
  readonly tlvs: ReadonlyArray<Tlv>
}

/** The parameters of a part other than its content and its link's options. */
export interface Sending {
  /** Whether to send user_message_reference, which receipts repeat. */
  readonly withReference: boolean
  /** The validity_period; empty for the carrier's own. */
  readonly validityPeriod: string
}

const MOST_PARTS = 255
const MOST_OCTETS = 160

const DIGITS = /^\+[1-9][0-9]{6,14}$/
// ASCII without @: in the GSM alphabet that is a NUL, at which the field would end.
const ALPHANUMERIC = /^(?=.*[A-Za-z])[\x20-\x3f\x41-\x7e]{1,11}$/

/** Validates a message: a NUL or a wide character in an address would change the fields behind it. */
export const problem = ({ to, from, text }: Content): DeliveryFailure | undefined => {
  if (!DIGITS.test(to)) return badRequest("to", "must be a plus sign and 7 to 15 digits")
  if (!isNumber(from) && !ALPHANUMERIC.test(from)) {
    return badRequest("from", "must be 1 to 11 ASCII characters with a letter, or 3 to 15 digits")
  }
  const { length } = text.parts
  if (length < 1 || length > MOST_PARTS || text.parts.some((part) => part.length > MOST_OCTETS)) {
    return badRequest("text", `must have 1 to ${MOST_PARTS} parts of at most ${MOST_OCTETS} octets`)
  }
  return undefined
}

const badRequest = (path: string, message: string): DeliveryFailure =>
  new BadRequest({ message: "The message cannot be sent.", issues: [{ path, message }] })

const STORE_AND_FORWARD = 0x00
const UDH_INDICATOR = 0x40
const RECEIPT_WANTED = 0x01

/** Encodes one part, given its sequence number later. */
export const submitSm =
  (content: Content, part: number, options: LinkOptions, { validityPeriod, withReference }: Sending) =>
  (sequence: number): Buffer => {
    const { to, from, text, reference } = content
    const { length: total } = text.parts
    const { dataCoding, octets } = coded(text, part, options.alphabet)
    const source = sourceOf(from, options)
    const destination = destinationOf(to, options)
    const fields = {
      service_type: options.serviceType,
      source_addr_ton: source.ton,
      source_addr_npi: source.npi,
      source_addr: source.address,
      dest_addr_ton: destination.ton,
      dest_addr_npi: destination.npi,
      destination_addr: destination.address,
      esm_class: STORE_AND_FORWARD | (total > 1 ? UDH_INDICATOR : 0),
      validity_period: validityPeriod,
      registered_delivery: RECEIPT_WANTED,
      data_coding: dataCoding,
      short_message: total > 1 ? Buffer.concat([concatenation(reference, total, part + 1), octets]) : bufferOf(octets)
    }
    return Pdu.encode("submit_sm", sequence, fields, [
      ...(withReference ? [Pdu.parameter("user_message_reference", reference)] : []),
      ...custom(options.tlvs, content.tlvs)
    ])
  }

/** The same octets, not copied. */
const bufferOf = ({ buffer, byteLength, byteOffset }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** A user data header of one element: concatenated short message, 8-bit reference. */
const concatenation = (reference: number, total: number, sequence: number): Uint8Array =>
  Uint8Array.of(0x05, 0x00, 0x03, reference & 0xff, total, sequence)

/** Custom parameters. The message's take the place of the link's with the same tag. */
const custom = (ofLink: ReadonlyArray<Tlv>, ofMessage: ReadonlyArray<Tlv>): ReadonlyArray<Pdu.Parameter> => {
  if (ofLink.length === 0 && ofMessage.length === 0) return []
  const values = new Map([...ofLink, ...ofMessage].map(({ tag, value }) => [tag, value]))
  return [...values].map(([tag, value]) => ({ tag, value: Buffer.from(value, "latin1") }))
}
