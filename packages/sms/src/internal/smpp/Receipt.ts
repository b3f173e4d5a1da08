/**
 * Decodes delivery receipts. Optional parameters take precedence over the text.
 *
 * Source: SMPP 3.4 §5.2.12 (esm_class), §5.2.28 (message_state), §5.3.2.12 (receipted_message_id),
 * §5.3.2.17 (user_message_reference), §5.3.2.31 (network_error_code).
 */
import type { SmsStatus } from "@watchword/schemas/Sms"
import { internationalOf } from "./Addresses.ts"
import { type DeliverSm, textOf } from "./DeliverSm.ts"
import type { LinkOptions } from "./Options.ts"
import * as Pdu from "./Pdu.ts"
import * as ReceiptStates from "./ReceiptStates.ts"
import * as ReceiptText from "./ReceiptText.ts"

export interface Receipt {
  /**
   * Whether the carrier says that it is one: by esm_class, or by a receipted_message_id. A subscriber can write the
   * rest.
   */
  readonly marked: boolean
  /** The carrier's message id as written in the receipt; empty if it is missing. */
  readonly id: string
  /** The recipient's number with the plus sign, where the receipt has it. */
  readonly to: string | null
  /**
   * The number that the receipt goes to, with the plus sign: the recipient's where the carrier does not swap the two.
   */
  readonly destination: string | null
  /** The user_message_reference of the submit_sm. */
  readonly reference: number | null
  /** Null if the carrier names no state, or one without a meaning that is known. */
  readonly status: SmsStatus | null
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

/**
 * Decodes a message that is a receipt, or reads like one; undefined when it is of another kind.
 *
 * @param own the carrier's own words of states
 * @param national the country whose numbers the carrier writes in their national form
 */
export const read = (
  message: DeliverSm,
  own: ReceiptStates.OwnStates = noStates,
  national: LinkOptions["national"] = null
): Receipt | undefined => {
  const { dataCoding, esmClass, octets, parameters } = message
  const type = esmClass & MESSAGE_TYPE
  const marked = type === DELIVERY_RECEIPT || type === INTERMEDIATE_NOTIFICATION || parameters.has(RECEIPTED_MESSAGE_ID)
  const text = ReceiptText.read(octets, dataCoding)
  if (!marked && (text.id === "" || text.stat === "")) return undefined

  const state = stateOf(parameters.get(MESSAGE_STATE), text.stat, own)
  const receipted = parameters.get(RECEIPTED_MESSAGE_ID)
  return {
    marked,
    id: (receipted === undefined ? "" : textOf(receipted).trim()) || text.id,
    to: internationalOf(message.source, national),
    destination: internationalOf(message.destination, national),
    reference: numberOf(parameters.get(USER_MESSAGE_REFERENCE)),
    status: state.status,
    carrierStatus: state.word === "" ? null : state.word,
    carrierError: networkError(parameters.get(NETWORK_ERROR_CODE)) ?? (text.err === "" ? null : text.err)
  }
}

const noStates: ReceiptStates.OwnStates = new Map()

// A parameter of one octet takes precedence over the word, unless it says less: its meaning is not known, or is not
// final while the word is the carrier's own. Before SMPP 5.0 a message_state of 0 had no meaning.
const stateOf = (parameter: Buffer | undefined, word: string, own: ReceiptStates.OwnStates): ReceiptStates.State => {
  const fromText = ReceiptStates.ofWord(word, own)
  const value = numberOf(parameter)
  if (value === null || (parameter?.length !== 1 && word !== "")) return fromText
  const fromParameter = ReceiptStates.ofNumber(value, own)
  if (word === "") return fromParameter
  if (fromParameter.status === null || fromParameter.status === fromText.status || own.has(word)) return fromText
  return fromParameter.status === "sent" && (fromText.status === null || value === 0) ? fromText : fromParameter
}

const networkError = (parameter: Buffer | undefined): string | undefined =>
  parameter?.length === 3 ? String(parameter.readUInt16BE(1)).padStart(3, "0") : undefined

const numberOf = (parameter: Buffer | undefined): number | null =>
  parameter === undefined || parameter.length === 0 || parameter.length > 4
    ? null
    : parameter.readUIntBE(0, parameter.length)
