/**
 * Decodes deliver_sm and data_sm: the fields that receipts need.
 *
 * Source: SMPP 3.4 §4.6.1, §4.7.1 and §5.3.
 */
import { DATA_SM, commandOf } from "./Pdu.ts"

export interface DeliverSm {
  readonly source: { readonly ton: number; readonly address: string }
  readonly esmClass: number
  /** The short_message or message_payload, without its user data header, decoded by data_coding. */
  readonly text: string
  /** The optional parameters (TLVs). */
  readonly parameters: Parameters
}

const MESSAGE_PAYLOAD = 0x0424
const UDH_INDICATOR = 0x40
const UCS2 = 0x08
const NOTHING = Buffer.alloc(0)

/** Decodes a frame of deliver_sm or data_sm; undefined when its mandatory fields are cut off. */
export const read = (frame: Buffer): DeliverSm | undefined => {
  const fields = new Fields(frame)
  fields.skipCString() // service_type
  const ton = fields.octet()
  fields.skip(1) // source_addr_npi
  const address = fields.cString()
  fields.skip(2)
  fields.skipCString() // destination_addr
  const esmClass = fields.octet()

  let dataCoding: number
  let message: Buffer
  if (commandOf(frame) === DATA_SM) {
    fields.skip(1) // registered_delivery
    dataCoding = fields.octet()
    message = NOTHING
  } else {
    fields.skip(2) // protocol_id, priority_flag
    fields.skipCString() // schedule_delivery_time
    fields.skipCString() // validity_period
    fields.skip(2) // registered_delivery, replace_if_present_flag
    dataCoding = fields.octet()
    fields.skip(1) // sm_default_msg_id
    message = fields.octets(fields.octet())
  }
  if (fields.cutOff) return undefined

  const parameters = fields.rest()
  const payload = message.length > 0 ? message : (parameters.get(MESSAGE_PAYLOAD) ?? message)
  const text = (esmClass & UDH_INDICATOR) === 0 ? payload : payload.subarray(1 + (payload[0] ?? 0))
  return { source: { ton, address }, esmClass, text: decode(text, dataCoding), parameters }
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

/** Reads fields in order, never past the end of the frame. */
class Fields {
  private readonly frame: Buffer
  private offset = 16
  cutOff = false

  constructor(frame: Buffer) {
    this.frame = frame
  }

  octet(): number {
    const octet = this.frame[this.offset] ?? 0
    this.skip(1)
    return octet
  }

  skip(length: number): void {
    this.offset += length
    if (this.offset > this.frame.length) this.cutOff = true
  }

  octets(length: number): Buffer {
    const start = this.offset
    this.skip(length)
    return this.frame.subarray(start, this.offset)
  }

  cString(): string {
    const start = this.offset
    const end = this.skipCString()
    return this.frame.toString("latin1", start, end)
  }

  /** @returns the offset of the NUL at its end */
  skipCString(): number {
    const end = this.frame.indexOf(0, this.offset)
    if (end === -1) {
      this.cutOff = true
      return this.offset
    }
    this.offset = end + 1
    return end
  }

  rest(): Parameters {
    return new Parameters(this.frame, this.offset)
  }
}

/** Optional parameters, searched for in the frame: most have one or two. */
export class Parameters {
  private readonly frame: Buffer
  private readonly start: number

  constructor(frame: Buffer, start: number) {
    this.frame = frame
    this.start = start
  }

  has(tag: number): boolean {
    return this.find(tag) !== -1
  }

  /** The value of a parameter; undefined when it is cut off. The first of several with one tag counts. */
  get(tag: number): Buffer | undefined {
    const at = this.find(tag)
    return at === -1 ? undefined : this.frame.subarray(at, at + this.frame.readUInt16BE(at - 2))
  }

  /** The offset of a parameter's value, or -1. */
  private find(wanted: number): number {
    const { frame } = this
    let at = this.start + HEADER
    while (at <= frame.length) {
      const end = at + frame.readUInt16BE(at - 2)
      if (frame.readUInt16BE(at - HEADER) === wanted && end <= frame.length) return at
      at = end + HEADER
    }
    return -1
  }
}

/** Octets of a parameter's tag and length. */
const HEADER = 4
