/**
 * Encodes the PDUs that an ESME sends, and reads the headers of those it receives. `DeliverSm` reads the rest of them,
 * never past the end of a frame.
 *
 * Source: SMPP 3.4 §3.2, §4 and §5.1.2.
 */
import * as Redacted from "effect/Redacted"
import type { LinkOptions } from "../../smpp/Options.ts"

export const GENERIC_NACK = 0x8000_0000
export const SUBMIT_SM_RESP = 0x8000_0004
export const DELIVER_SM = 0x0000_0005
export const UNBIND = 0x0000_0006
export const OUTBIND = 0x0000_000b
export const ENQUIRE_LINK = 0x0000_0015
export const ALERT_NOTIFICATION = 0x0000_0102
export const DATA_SM = 0x0000_0103

export const isResponse = (command: number): boolean => command >= 0x8000_0000

export const commandOf = (frame: Buffer): number => frame.readUInt32BE(4)
export const statusOf = (frame: Buffer): number => frame.readUInt32BE(8)
export const sequenceOf = (frame: Buffer): number => frame.readUInt32BE(12)

const BODY = 16

/** The message id in a submit_sm_resp; empty when there is none. */
export const messageIdOf = (frame: Buffer): string => {
  const end = frame.indexOf(0, BODY)
  return frame.toString("latin1", BODY, end === -1 ? frame.length : end)
}

/** SMPP 3.4. */
const INTERFACE_VERSION = 0x34

export const bind = (options: LinkOptions, sequence: number): Buffer => {
  const { addressRange, password, systemId, systemType } = options
  return write(binds[options.bind], 0, sequence, [
    systemId,
    Redacted.value(password),
    systemType,
    INTERFACE_VERSION,
    addressRange.ton,
    addressRange.npi,
    addressRange.pattern
  ])
}

const binds = { receiver: 0x01, transmitter: 0x02, transceiver: 0x09 }

export const enquireLink = (sequence: number): Buffer => write(ENQUIRE_LINK, 0, sequence, [])

export const unbind = (sequence: number): Buffer => write(UNBIND, 0, sequence, [])

export type Response = keyof typeof responses

/** Encodes a response. deliver_sm_resp and data_sm_resp have an empty message_id, unless they report an error. */
export const respond = (response: Response, sequence: number, status: number): Buffer => {
  const hasMessageId = response === "deliver_sm_resp" || response === "data_sm_resp"
  return write(responses[response], status, sequence, hasMessageId && status === 0 ? [""] : [])
}

const responses = {
  deliver_sm_resp: 0x8000_0005,
  data_sm_resp: 0x8000_0103,
  enquire_link_resp: 0x8000_0015,
  unbind_resp: 0x8000_0006,
  generic_nack: GENERIC_NACK
}

/** An integer of one octet, a C-Octet String (without its NUL, in Latin-1), or octets as they are. */
export type Field = number | string | Uint8Array

/** Encodes a PDU: mandatory fields, then optional parameters. */
export const write = (
  command: number,
  status: number,
  sequence: number,
  fields: ReadonlyArray<Field>,
  parameters: ReadonlyArray<Field> = []
): Buffer => {
  const length = BODY + sizeOfAll(fields) + sizeOfAll(parameters)
  const frame = Buffer.allocUnsafe(length)
  frame.writeUInt32BE(length, 0)
  frame.writeUInt32BE(command, 4)
  frame.writeUInt32BE(status, 8)
  frame.writeUInt32BE(sequence, 12)
  put(frame, parameters, put(frame, fields, BODY))
  return frame
}

/** Writes fields and returns the offset behind them. */
const put = (frame: Buffer, fields: ReadonlyArray<Field>, start: number): number => {
  let offset = start
  for (const field of fields) {
    if (typeof field === "number") frame.writeUInt8(field, offset)
    else if (typeof field === "string") frame.writeUInt8(0, offset + frame.write(field, offset, "latin1"))
    else frame.set(field, offset)
    offset += sizeOf(field)
  }
  return offset
}

const sizeOfAll = (fields: ReadonlyArray<Field>): number => {
  let size = 0
  for (const field of fields) size += sizeOf(field)
  return size
}

const sizeOf = (field: Field): number =>
  typeof field === "number" ? 1 : typeof field === "string" ? field.length + 1 : field.length
