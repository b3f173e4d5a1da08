/**
 * What a carrier delivers: the fields of deliver_sm and data_sm that matter to a sender of messages.
 *
 * Source: SMPP 3.4 §4.6.1, §4.7.1 and §5.3.
 */
import { DATA_SM, commandOf } from "./Pdu.ts"

export interface DeliverSm {
  readonly source: { readonly ton: number; readonly address: string }
  readonly esmClass: number
  /** The short message or the message payload, without user data header, read by its data coding. */
  readonly text: string
  /** Optional parameters by tag. */
  readonly parameters: ReadonlyMap<number, Buffer>
}

const MESSAGE_PAYLOAD = 0x0424
const UDH_INDICATOR = 0x40
const UCS2 = 0x08

/** Reads a frame of deliver_sm or data_sm; none when its mandatory fields are cut off. */
export const read = (frame: Buffer): DeliverSm | undefined => {
  const fields = new Fields(frame)
  fields.cString() // service_type
  const ton = fields.octet()
  fields.octet() // source_addr_npi
  const address = fields.cString()
  fields.skip(2)
  fields.cString() // destination_addr
  const esmClass = fields.octet()

  let dataCoding: number
  let message: Buffer
  if (commandOf(frame) === DATA_SM) {
    fields.octet() // registered_delivery
    dataCoding = fields.octet()
    message = Buffer.alloc(0)
  } else {
    fields.skip(2) // protocol_id, priority_flag
    fields.cString() // schedule_delivery_time
    fields.cString() // validity_period
    fields.skip(2) // registered_delivery, replace_if_present_flag
    dataCoding = fields.octet()
    fields.octet() // sm_default_msg_id
    message = fields.octets(fields.octet())
  }
  if (fields.cutOff) return undefined

  const parameters = fields.parameters()
  const payload = message.length > 0 ? message : (parameters.get(MESSAGE_PAYLOAD) ?? message)
  const text = (esmClass & UDH_INDICATOR) === 0 ? payload : payload.subarray(1 + (payload[0] ?? 0))
  return { source: { ton, address }, esmClass, text: decode(text, dataCoding), parameters }
}

/** The text of a C string or an octet string of a parameter, whether or not it ends in a NUL. */
export const textOf = (parameter: Buffer): string => {
  const end = parameter.indexOf(0)
  return parameter.toString("latin1", 0, end === -1 ? parameter.length : end)
}

/** A text without NULs, line breaks and the like, which must not get into records and logs. */
// oxlint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "")

// Receipts are written in ASCII, whatever alphabet the carrier's data_coding 0 stands for.
const decode = (text: Buffer, dataCoding: number): string =>
  dataCoding === UCS2 ? utf16.decode(text) : text.toString("latin1")

const utf16 = new TextDecoder("utf-16be")

/** Reads fields one after the other and never past the end of the frame. */
class Fields {
  private readonly frame: Buffer
  private offset = 16
  cutOff = false

  constructor(frame: Buffer) {
    this.frame = frame
  }

  octet(): number {
    return this.octets(1)[0] ?? 0
  }

  skip(length: number): void {
    this.octets(length)
  }

  octets(length: number): Buffer {
    const start = this.offset
    this.offset += length
    if (this.offset > this.frame.length) this.cutOff = true
    return this.frame.subarray(start, this.offset)
  }

  cString(): string {
    const end = this.frame.indexOf(0, this.offset)
    if (end === -1) {
      this.cutOff = true
      return ""
    }
    const start = this.offset
    this.offset = end + 1
    return this.frame.toString("latin1", start, end)
  }

  /** The rest of the frame. A parameter that is cut off is left out; the first of several with one tag counts. */
  parameters(): ReadonlyMap<number, Buffer> {
    const found = new Map<number, Buffer>()
    while (this.offset + 4 <= this.frame.length) {
      const tag = this.frame.readUInt16BE(this.offset)
      const length = this.frame.readUInt16BE(this.offset + 2)
      const value = this.frame.subarray(this.offset + 4, this.offset + 4 + length)
      if (value.length === length && !found.has(tag)) found.set(tag, value)
      this.offset += 4 + length
    }
    return found
  }
}
