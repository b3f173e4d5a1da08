/**
 * Interprets the command_status of a submit_sm_resp.
 *
 * Source: SMPP 3.4 §5.1.3.
 */
import { BadRequest, type DeliveryFailure, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { NoRoom } from "@watchword/send/internal/routes/Refusals"
import * as Pdu from "./Pdu.ts"

export const OK = Pdu.status("ESME_ROK")
export const INVALID_COMMAND = Pdu.status("ESME_RINVCMDID")
export const SYSTEM_ERROR = Pdu.status("ESME_RSYSERR")
export const QUEUE_FULL = Pdu.status("ESME_RMSGQFUL")
export const THROTTLED = Pdu.status("ESME_RTHROTTLED")
/** Asks the carrier to send a receipt again. */
export const TRY_AGAIN = Pdu.status("ESME_RX_T_APPN")

export type Verdict =
  | { readonly _tag: "Accepted" }
  /** The link exceeds the carrier's rate limit. */
  | { readonly _tag: "Throttled" }
  /** The carrier's queue for the recipient is full. */
  | { readonly _tag: "QueueFull" }
  /** The carrier does not support optional parameters, or not user_message_reference. */
  | { readonly _tag: "ParameterRefused"; readonly failure: DeliveryFailure }
  | { readonly _tag: "Refused"; readonly failure: DeliveryFailure }

export const verdict = (status: number): Verdict => {
  switch (status) {
    case OK:
      return accepted
    case THROTTLED:
      return throttled
    case QUEUE_FULL:
      return queueFull
    default:
      return { _tag: ofParameters.has(status) ? "ParameterRefused" : "Refused", failure: failureOf(status) }
  }
}

const ofParameters = new Set(
  [
    "ESME_RINVCMDLEN", // from before there were optional parameters
    "ESME_RINVTLVSTREAM",
    "ESME_RTLVNOTALLWD",
    "ESME_RINVTLVLEN",
    "ESME_RINVTLVVAL"
  ].map(Pdu.status)
)

const accepted: Verdict = { _tag: "Accepted" }
const throttled: Verdict = { _tag: "Throttled" }
const queueFull: Verdict = { _tag: "QueueFull" }

/** The carrier throttled, or its queue was full, until the message's deadline. */
export const tooBusy = (): DeliveryFailure =>
  new NoRoom({ message: "The carrier is too busy to take the message. Try again later." })

const wrong = (path: string, message: string) => (): DeliveryFailure =>
  new BadRequest({ message: "The carrier refused the message.", issues: [{ path, message }] })

const wrongRecipient = wrong("to", "is not a number that the carrier can deliver to")
const wrongSender = wrong("from", "is not a sender that the carrier allows")
const wrongText = wrong("text", "is not a text that the carrier can deliver")

/** The carrier refused a message with optional parameters of its own. */
export const wrongParameters = wrong("tlvs", "are not parameters that the carrier takes")

const refusedForGood = (): DeliveryFailure => new BadRequest({ message: "The carrier refused the message for good." })

const temporary = (): DeliveryFailure =>
  new TemporaryUnavailable({ message: "The carrier could not take the message. Try again later." })

const ourFault = (): DeliveryFailure =>
  new ServiceUnavailable({ message: "The carrier does not let this service send; its operator has to look." })

// Statuses in none of these lists, carriers' own among them, count as temporary.
const failures: ReadonlyArray<readonly [() => DeliveryFailure, ReadonlyArray<string>]> = [
  [wrongRecipient, ["ESME_RINVDSTADR", "ESME_RINVDSTTON", "ESME_RINVDSTNPI", "ESME_RINVDSTADDRSUBUNIT"]],
  [wrongSender, ["ESME_RINVSRCADR", "ESME_RINVSRCTON", "ESME_RINVSRCNPI", "ESME_RINVSRCADDRSUBUNIT"]],
  [wrongText, ["ESME_RINVMSGLEN", "ESME_RINVDCS"]],
  [refusedForGood, ["ESME_RX_P_APPN", "ESME_RX_R_APPN"]],
  [
    ourFault,
    [
      "ESME_RINVCMDLEN",
      "ESME_RINVCMDID",
      "ESME_RINVBNDSTS",
      "ESME_RALYBND",
      "ESME_RINVPRTFLG",
      "ESME_RINVREGDLVFLG",
      "ESME_RBINDFAIL",
      "ESME_RINVPASWD",
      "ESME_RINVSYSID",
      "ESME_RINVSERTYP",
      "ESME_RINVESMCLASS",
      "ESME_RINVSYSTYP",
      "ESME_RINVREPFLAG",
      "ESME_RINVSCHED",
      "ESME_RINVEXPIRY",
      "ESME_RINVDFTMSGID",
      "ESME_RINVTLVSTREAM",
      "ESME_RTLVNOTALLWD",
      "ESME_RINVTLVLEN",
      "ESME_RMISSINGTLV",
      "ESME_RINVTLVVAL",
      "ESME_RSERTYPUNAUTH",
      "ESME_RPROHIBITED",
      "ESME_RSERTYPDENIED"
    ]
  ]
]

const failureByStatus = new Map<number, () => DeliveryFailure>(
  failures.flatMap(([failure, names]) => names.map((name) => [Pdu.status(name), failure] as const))
)

const failureOf = (status: number): DeliveryFailure => (failureByStatus.get(status) ?? temporary)()
