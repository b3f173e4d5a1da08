/**
 * Texts that phones write, as the deliver_sm of their parts.
 *
 * Source: SMPP 3.4 §4.6.1, §5.2.19 and §5.3.2.22 to §5.3.2.24; 3GPP TS 23.040 §9.2.3.24.1 (8-bit references) and
 * §9.2.3.24.8 (16-bit).
 */
import { encode } from "@watchword/sms/EncodedText"
import * as wire from "../../smsc/wire.ts"

/** A text of a phone. */
export interface Written {
  /** The phone's number; with a plus sign its type is international (1), and otherwise unknown (0) unless given. */
  readonly from: string
  readonly fromTon?: number
  readonly to: string
  readonly toTon?: number
  readonly text: string
  /** By default the GSM alphabet where it has all characters, and else UCS-2. */
  readonly encoding?: "gsm7" | "ascii" | "latin1" | "ucs2"
  /** How many parts it has; as few as possible unless given. */
  readonly parts?: number
  /** How its parts name their text: by a user data header with a short or a long reference, or by `sar_*`. */
  readonly by?: "udh8" | "udh16" | "sar"
  /** Whether the octets are in message_payload instead of short_message. */
  readonly isPayload?: boolean
  /** Of its parts; the next number unless given. */
  readonly reference?: number
}

/** The deliver_sm of a text, one for each part. */
export const written = (text: Written): ReadonlyArray<wire.DeliverFields> => {
  const { by = "udh8", from, fromTon, isPayload = false, reference = nextReference(), to, toTon } = text
  const content = encoded(text)
  const parts = split(content, text)
  return parts.map((part, index) => {
    const place = { reference, total: parts.length, number: index + 1 }
    const header = parts.length === 1 ? Buffer.alloc(0) : headerOf(by, place)
    const whole = Buffer.concat([header, part])
    return {
      source: from.replace(/^\+/, ""),
      sourceTon: fromTon ?? typeOf(from),
      destination: to.replace(/^\+/, ""),
      destinationTon: toTon ?? typeOf(to),
      esmClass: header.length === 0 ? 0 : UDH_INDICATOR,
      dataCoding: content.dataCoding,
      text: isPayload ? Buffer.alloc(0) : whole,
      parameters: [
        ...(isPayload ? [wire.tlv(wire.MESSAGE_PAYLOAD, whole)] : []),
        ...(by === "sar" && parts.length > 1 ? sarOf(place) : [])
      ]
    }
  })
}

let references = 0
const nextReference = (): number => ++references & 0xff

const UDH_INDICATOR = 0x40
const typeOf = (number: string): number => (number.startsWith("+") ? 1 : 0)

interface Octets {
  readonly dataCoding: number
  readonly octets: Buffer
}

const encoded = ({ encoding, text }: Written): Octets => {
  const { encoding: usual, parts } = encode(text)
  switch (encoding ?? usual) {
    case "gsm7":
      if (usual !== "gsm7") throw new Error("the GSM alphabet lacks a character of the text")
      return { dataCoding: 0x00, octets: Buffer.concat(parts) }
    case "ascii":
      return { dataCoding: 0x01, octets: Buffer.from(text, "latin1") }
    case "latin1":
      return { dataCoding: 0x03, octets: Buffer.from(text, "latin1") }
    case "ucs2":
      return { dataCoding: 0x08, octets: Buffer.from(text, "utf16le").swap16() }
  }
}

/** Octets of a text in one part, and of a part of several. */
const SEPTETS = { whole: 160, part: 152 }
const OCTETS = { whole: 140, part: 134 }
const PAYLOAD = { whole: 65_000, part: 65_000 }

const split = ({ dataCoding, octets }: Octets, { isPayload, parts }: Written): ReadonlyArray<Buffer> => {
  const limits = isPayload === true ? PAYLOAD : dataCoding === 0 ? SEPTETS : OCTETS
  const fewest = octets.length <= limits.whole ? 1 : Math.ceil(octets.length / limits.part)
  const size = Math.max(2, evenly(octets.length, parts ?? fewest))
  return Array.from({ length: Math.max(1, Math.ceil(octets.length / size)) }, (_, index) =>
    octets.subarray(index * size, (index + 1) * size)
  )
}

/** An even size, so that no character of UCS-2 is divided. */
const evenly = (length: number, parts: number): number => 2 * Math.ceil(length / parts / 2)

interface Place {
  readonly reference: number
  readonly total: number
  readonly number: number
}

const headerOf = (by: NonNullable<Written["by"]>, { number, reference, total }: Place): Buffer => {
  switch (by) {
    case "udh8":
      return wire.octets(0x05, 0x00, 0x03, reference & 0xff, total, number)
    case "udh16":
      return wire.octets(0x06, 0x08, 0x04, reference >> 8, reference & 0xff, total, number)
    case "sar":
      return Buffer.alloc(0)
  }
}

const sarOf = ({ number, reference, total }: Place): ReadonlyArray<Buffer> => [
  wire.tlv(wire.SAR_MSG_REF_NUM, wire.octets(reference >> 8, reference & 0xff)),
  wire.tlv(wire.SAR_TOTAL_SEGMENTS, wire.octets(total)),
  wire.tlv(wire.SAR_SEGMENT_SEQNUM, wire.octets(number))
]
