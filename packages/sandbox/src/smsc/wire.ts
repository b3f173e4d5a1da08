/**
 * PDUs written byte by byte, so that a test can have any of them wrong.
 *
 * @example
 * ```ts
 * import { STATUS, command, pdu, resp } from "@watchword/sandbox/smsc"
 *
 * // An answer to a submit_sm with sequence number 7 that throttles its sender.
 * pdu(resp(command.submit_sm), STATUS.RTHROTTLED, 7).toString("hex") // 00000010800000040000005800000007
 * ```
 *
 * Source: SMPP 3.4 §3.2, §4, §5.1.2.1, §5.1.3 and §5.3.
 */

export const command = {
  bind_receiver: 0x01,
  bind_transmitter: 0x02,
  query_sm: 0x03,
  submit_sm: 0x04,
  deliver_sm: 0x05,
  unbind: 0x06,
  replace_sm: 0x07,
  cancel_sm: 0x08,
  bind_transceiver: 0x09,
  outbind: 0x0b,
  enquire_link: 0x15,
  submit_multi: 0x21,
  alert_notification: 0x0102,
  data_sm: 0x0103,
  generic_nack: 0x8000_0000
} as const

/** Command statuses, without the `ESME_` of their names. */
export const STATUS = {
  RINVMSGLEN: 0x01,
  RINVCMDLEN: 0x02,
  RINVCMDID: 0x03,
  RINVBNDSTS: 0x04,
  RALYBND: 0x05,
  RSYSERR: 0x08,
  RINVSRCADR: 0x0a,
  RINVDSTADR: 0x0b,
  RBINDFAIL: 0x0d,
  RINVPASWD: 0x0e,
  RMSGQFUL: 0x14,
  RSUBMITFAIL: 0x45,
  RTHROTTLED: 0x58,
  RINVEXPIRY: 0x62,
  RTLVNOTALLWD: 0xc1,
  RPROHIBITED: 0x101
} as const

/** The bit that tells a response from its request. */
export const RESPONSE = 0x8000_0000

/** The id of the answer to a command. */
export const resp = (id: number): number => (id | RESPONSE) >>> 0

export const pdu = (id: number, status: number, sequence: number, body: Buffer = Buffer.alloc(0)): Buffer => {
  const header = Buffer.alloc(16)
  header.writeUInt32BE(16 + body.length, 0)
  header.writeUInt32BE(id, 4)
  header.writeUInt32BE(status, 8)
  header.writeUInt32BE(sequence, 12)
  return Buffer.concat([header, body])
}

export const cString = (text: string): Buffer => Buffer.from(`${text}\0`, "latin1")

export const octets = (...values: ReadonlyArray<number>): Buffer => Buffer.from(values)

export const tlv = (tag: number, value: Buffer | string): Buffer => {
  const bytes = typeof value === "string" ? Buffer.from(value, "latin1") : value
  const header = Buffer.alloc(4)
  header.writeUInt16BE(tag, 0)
  header.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([header, bytes])
}

export const RECEIPTED_MESSAGE_ID = 0x001e
export const SAR_MSG_REF_NUM = 0x020c
export const SAR_TOTAL_SEGMENTS = 0x020e
export const SAR_SEGMENT_SEQNUM = 0x020f
export const USER_MESSAGE_REFERENCE = 0x0204
export const NETWORK_ERROR_CODE = 0x0423
export const MESSAGE_PAYLOAD = 0x0424
export const MESSAGE_STATE = 0x0427

export interface DeliverFields {
  readonly source?: string
  readonly sourceTon?: number
  readonly destination?: string
  readonly destinationTon?: number
  readonly esmClass?: number
  readonly validityPeriod?: string
  readonly dataCoding?: number
  readonly text?: string | Buffer
  readonly parameters?: ReadonlyArray<Buffer>
}

/** The body of a deliver_sm; by default an empty delivery receipt. */
export const deliverSm = (fields: DeliverFields): Buffer => {
  const text = typeof fields.text === "string" ? Buffer.from(fields.text, "latin1") : (fields.text ?? Buffer.alloc(0))
  return Buffer.concat([
    cString(""),
    octets(fields.sourceTon ?? 1, 1),
    cString(fields.source ?? "4915123456789"),
    octets(fields.destinationTon ?? 5, 0),
    cString(fields.destination ?? "Watchword"),
    octets(fields.esmClass ?? 0x04, 0, 0),
    cString(""),
    cString(fields.validityPeriod ?? ""),
    octets(0, 0, fields.dataCoding ?? 0, 0, text.length),
    text,
    ...(fields.parameters ?? [])
  ])
}

/** The body of a data_sm. */
export const dataSm = (fields: DeliverFields): Buffer =>
  Buffer.concat([
    cString(""),
    octets(fields.sourceTon ?? 1, 1),
    cString(fields.source ?? "4915123456789"),
    octets(fields.destinationTon ?? 5, 0),
    cString(fields.destination ?? "Watchword"),
    octets(fields.esmClass ?? 0x04, 0, fields.dataCoding ?? 0),
    ...(fields.parameters ?? [])
  ])
