/**
 * The PDUs that the client writes, and the headers of those it reads.
 *
 * They are written with the codec of the package `smpp`. What a carrier sends is read here and in
 * DeliverSm.ts, bounded by its length: the package throws at a TLV that is cut off and at a malformed
 * time, reads past a message id without its NUL, and takes ASCII receipts for the GSM alphabet.
 *
 * Source: SMPP 3.4 §3.2, §4 and §5.1.2.
 */
import * as Redacted from "effect/Redacted"
import { PDU } from "smpp"
import type { LinkOptions } from "./Options.ts"

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

/** The version of SMPP, written into every bind: 3.4. */
const INTERFACE_VERSION = 0x34

export const bind = (options: LinkOptions, sequence: number): Buffer =>
  encode(`bind_${options.bind}`, sequence, {
    system_id: options.systemId,
    password: Redacted.value(options.password),
    system_type: options.systemType,
    interface_version: INTERFACE_VERSION,
    addr_ton: options.addressRange.ton,
    addr_npi: options.addressRange.npi,
    address_range: options.addressRange.pattern
  })

export const enquireLink = (sequence: number): Buffer => encode("enquire_link", sequence)

export const unbind = (sequence: number): Buffer => encode("unbind", sequence)

export type Response = "deliver_sm_resp" | "data_sm_resp" | "enquire_link_resp" | "unbind_resp" | "generic_nack"

export const respond = (command: Response, sequence: number, status: number): Buffer =>
  encode(command, sequence, { command_status: status })

export const encode = (command: string, sequence: number, fields: Readonly<Record<string, unknown>> = {}): Buffer =>
  new PDU(command, { ...fields, sequence_number: sequence }).toBuffer()
