/**
 * Decodes delivery receipts. Optional parameters take precedence over the text, which every carrier writes in a
 * dialect of its own.
 *
 * Source: SMPP 3.4 §5.2.12 (esm_class), §5.2.28 (message_state), §5.3.2.12 (receipted_message_id),
 * §5.3.2.17 (user_message_reference), §5.3.2.31 (network_error_code), Appendix B (the text).
 */
import type { SmsStatus } from "@watchword/schemas/Sms"
import { type DeliverSm, printable, textOf } from "./DeliverSm.ts"
import * as Pdu from "./Pdu.ts"

export interface Receipt {
  /** Whether the carrier says that it is one: by esm_class, or by a receipted_message_id. A subscriber can write the rest. */
  readonly marked: boolean
  /** The carrier's message id as written in the receipt; empty when there is none. */
  readonly id: string
  /** The recipient's number with the plus sign, where the receipt has it. */
  readonly to: string | null
  /** The user_message_reference of the submit_sm. */
  readonly reference: number | null
  readonly status: SmsStatus
  /** The carrier's word and error code, for example `UNDELIV` and `069`. */
  readonly carrierStatus: string | null
  readonly carrierError: string | null
}

const RECEIPTED_MESSAGE_ID = Pdu.tag("receipted_message_id")
const USER_MESSAGE_REFERENCE = Pdu.tag("user_message_reference")
const NETWORK_ERROR_CODE = Pdu.tag("network_error_code")
const MESSAGE_STATE = Pdu.tag("message_state")

const MESSAGE_TYPE = 0x3c
const DELIVERY_RECEIPT = 0x04
const INTERMEDIATE_NOTIFICATION = 0x20

/** Decodes a message that is a receipt, or reads like one; undefined when it is of another kind. */
export const read = (message: DeliverSm): Receipt | undefined => {
  const { parameters, esmClass } = message
  const type = esmClass & MESSAGE_TYPE
  const marked = type === DELIVERY_RECEIPT || type === INTERMEDIATE_NOTIFICATION || parameters.has(RECEIPTED_MESSAGE_ID)
  const text = parse(message.text)
  if (!marked && (text.id === "" || text.stat === "")) return undefined

  const state = stateOf(parameters.get(MESSAGE_STATE), text.stat)
  const receipted = parameters.get(RECEIPTED_MESSAGE_ID)
  return {
    marked,
    id: (receipted === undefined ? "" : textOf(receipted).trim()) || text.id,
    to: internationalNumber(message.source),
    reference: numberOf(parameters.get(USER_MESSAGE_REFERENCE)),
    status: state.status,
    carrierStatus: state.word === "" ? null : state.word,
    carrierError: networkError(parameters.get(NETWORK_ERROR_CODE)) ?? (text.err === "" ? null : text.err)
  }
}

/** The fields of a receipt's text; missing ones are empty. */
export interface ReceiptText {
  readonly id: string
  readonly stat: string
  readonly err: string
}

/** The value of a field, up to the next separator. A field that another one follows at once is empty. */
const valueOf = (name: string): RegExp =>
  new RegExp(`(?<![^\\s,;])${name}:[ \\t]*(?!(?:sub|dlvrd|submit date|done date|stat|err|text):)([^\\s,;]*)`, "i")

const ID = valueOf("id")
const STAT = valueOf("stat")
const ERR = valueOf("err")

/**
 * Reads `id:… sub:… dlvrd:… submit date:… done date:… stat:DELIVRD err:000 text:…` in any order, with any
 * field missing and dates of any length. A field that comes twice counts the first time, so that the
 * beginning of the message, which the text ends with, cannot pass for one.
 */
export const parse = (text: string): ReceiptText => ({
  id: shortened(ID.exec(text)?.[1]),
  stat: shortened(STAT.exec(text)?.[1]).toUpperCase(),
  err: shortened(ERR.exec(text)?.[1])
})

/** Longer fields are cut off. */
const LONGEST = 64

const shortened = (value = ""): string => printable(value).slice(0, LONGEST)

interface State {
  readonly word: string
  readonly status: SmsStatus
}

// By message_state.
const states: ReadonlyArray<State> = [
  { word: "SCHEDLD", status: "sent" },
  { word: "ENROUTE", status: "sent" },
  { word: "DELIVRD", status: "delivered" },
  { word: "EXPIRED", status: "undelivered" },
  { word: "DELETED", status: "undelivered" },
  { word: "UNDELIV", status: "undelivered" },
  { word: "ACCEPTD", status: "sent" },
  { word: "UNKNOWN", status: "sent" },
  { word: "REJECTD", status: "failed" },
  { word: "SKIPPED", status: "undelivered" }
]

const statusByWord: ReadonlyMap<string, SmsStatus> = new Map([
  ...states.map(({ word, status }) => [word, status] as const),
  ["FAILED", "failed"],
  ["DELIVERED", "delivered"],
  ["UNDELIVERABLE", "undelivered"],
  ["UNDELIVERED", "undelivered"],
  ["REJECTED", "failed"]
])

// A parameter of one octet takes precedence over the word. An unknown word is not final: another receipt may follow.
const stateOf = (parameter: Buffer | undefined, word: string): State => {
  const fromText: State = { word, status: statusByWord.get(word) ?? "sent" }
  const value = numberOf(parameter)
  const known = value === null ? undefined : states[value]
  if (known === undefined || (parameter?.length !== 1 && word !== "")) return fromText
  return word !== "" && fromText.status === known.status ? fromText : known
}

const networkError = (parameter: Buffer | undefined): string | undefined =>
  parameter?.length === 3 ? String(parameter.readUInt16BE(1)).padStart(3, "0") : undefined

const numberOf = (parameter: Buffer | undefined): number | null =>
  parameter === undefined || parameter.length === 0 || parameter.length > 4
    ? null
    : parameter.readUIntBE(0, parameter.length)

const UNKNOWN_TYPE = 0
const INTERNATIONAL = 1

const NUMBER = /^\+?[1-9][0-9]{6,14}$/

const internationalNumber = ({ ton, address }: DeliverSm["source"]): string | null => {
  if ((ton !== INTERNATIONAL && ton !== UNKNOWN_TYPE) || !NUMBER.test(address)) return null
  return address.startsWith("+") ? address : `+${address}`
}
