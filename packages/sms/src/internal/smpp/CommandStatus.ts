/**
 * Interprets the command_status of a submit_sm_resp.
 *
 * Source: SMPP 3.4 §5.1.3.
 */
import { BadRequest, type DeliveryFailure, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { NoRoom } from "@watchword/send/routes"
import * as Pdu from "./Pdu.ts"

export const OK = Pdu.status("ESME_ROK")
export const INVALID_COMMAND = Pdu.status("ESME_RINVCMDID")
export const ALREADY_BOUND = Pdu.status("ESME_RALYBND")
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
  /** The carrier does not know the bind any more: the session is over, and it did not take the message. */
  | { readonly _tag: "Unbound" }
  /** The carrier does not support optional parameters, or not user_message_reference. */
  | Refusal<"ParameterRefused">
  | Refusal<"Refused">

export interface Refusal<Tag> {
  readonly _tag: Tag
  readonly failure: () => DeliveryFailure
  /**
   * The operator's remedy if the status is about the account or the link's options; null if it is about the text.
   */
  readonly advice: string | null
}

/** The words by which the option `errors` gives statuses a meaning. */
export const meanings = [
  "recipient",
  "sender",
  "text",
  "message",
  "temporary",
  "throttled",
  "account",
  "settings"
] as const

export type Meaning = (typeof meanings)[number]

/** Reads a status as `0x0400`, `1024` or `ESME_RSUBMITFAIL`; undefined for an impossible status, and for ESME_ROK. */
export const read = (text: string): number | undefined => {
  const status = /^(?:0x[0-9a-f]{1,8}|[0-9]{1,10})$/i.test(text) ? Number(text) : Pdu.statusNamed(text.toUpperCase())
  return status === undefined || status === OK || status > 0xffff_ffff ? undefined : status
}

/**
 * The meaning of a status.
 *
 * @param errors meanings that precede the standard's
 */
export const verdict = (status: number, errors: ReadonlyMap<number, Meaning>): Verdict => {
  if (status === OK) return accepted
  const meaning = errors.get(status)
  return meaning === undefined ? (standard.get(status) ?? verdicts.temporary) : verdicts[meaning]
}

/** Whether a status is of the standard, or has a meaning by the option `errors`. */
export const isKnown = (status: number, errors: ReadonlyMap<number, Meaning>): boolean =>
  errors.has(status) || Pdu.isStatus(status)

/** The carrier throttled, or its queue was full, until the message's deadline. */
export const tooBusy = (): DeliveryFailure =>
  new NoRoom({ message: "The carrier is too busy to take the message. Try again later." })

const wrong = (path: string, message: string) => (): DeliveryFailure =>
  new BadRequest({ message: "The carrier refused the message.", issues: [{ path, message }] })

/** The carrier refused a message with optional parameters of its own. */
export const wrongParameters = wrong("tlvs", "are not parameters that the carrier takes")

const refusedForGood = (): DeliveryFailure =>
  new BadRequest({ message: "The carrier permanently refused the message." })

const temporary = (): DeliveryFailure =>
  new TemporaryUnavailable({ message: "The carrier could not take the message. Try again later." })

/** The carrier refused for the account, the link's options or a reason that only it knows. */
export const ourFault = (): DeliveryFailure =>
  new ServiceUnavailable({ message: "The carrier does not allow this service to send; its operator must check why." })

const accepted: Verdict = { _tag: "Accepted" }
const queueFull: Verdict = { _tag: "QueueFull" }
const unbound: Verdict = { _tag: "Unbound" }

const refused = (failure: () => DeliveryFailure, advice: string | null = null): Verdict => ({
  _tag: "Refused",
  failure,
  advice
})

/** A fault of the link's options. */
const settings = (options: string): Verdict =>
  refused(ourFault, `compare ${options} of the URL with the carrier's requirements`)

const verdicts: { readonly [M in Meaning]: Verdict } = {
  recipient: refused(wrong("to", "is not a number that the carrier can deliver to")),
  sender: refused(wrong("from", "is not a sender that the carrier allows")),
  text: refused(wrong("text", "is not a text that the carrier can deliver")),
  message: refused(refusedForGood),
  temporary: refused(temporary),
  throttled: { _tag: "Throttled" },
  account: refused(ourFault, "ask the carrier which permission the account is missing"),
  settings: settings("the options")
}

const parameterRefused: Verdict = {
  _tag: "ParameterRefused",
  failure: ourFault,
  advice: "compare tlv_HEX of the URL with the carrier's requirements"
}

// Statuses in none of these lists, carriers' own among them, count as temporary.
const rows: ReadonlyArray<readonly [Verdict, ReadonlyArray<string>]> = [
  [verdicts.recipient, ["ESME_RINVDSTADR", "ESME_RINVDSTADDRSUBUNIT"]],
  [verdicts.sender, ["ESME_RINVSRCADR", "ESME_RINVSRCADDRSUBUNIT"]],
  [verdicts.text, ["ESME_RINVMSGLEN", "ESME_RINVDCS"]],
  [verdicts.message, ["ESME_RX_P_APPN", "ESME_RX_R_APPN"]],
  [verdicts.throttled, ["ESME_RTHROTTLED"]],
  [queueFull, ["ESME_RMSGQFUL"]],
  [unbound, ["ESME_RINVBNDSTS", "ESME_RINVSYSID", "ESME_RINVPASWD", "ESME_RBINDFAIL"]],
  [settings("source_ton, short_code_ton and name_ton"), ["ESME_RINVSRCTON"]],
  [settings("source_npi, short_code_npi and name_npi"), ["ESME_RINVSRCNPI"]],
  [settings("dest_ton and national"), ["ESME_RINVDSTTON"]],
  [settings("dest_npi"), ["ESME_RINVDSTNPI"]],
  [settings("service_type"), ["ESME_RINVSERTYP", "ESME_RSERTYPUNAUTH", "ESME_RSERTYPDENIED"]],
  [settings("system_type"), ["ESME_RINVSYSTYP"]],
  [settings("validity"), ["ESME_RINVEXPIRY"]],
  [settings("tlv_HEX"), ["ESME_RMISSINGTLV"]],
  [
    verdicts.settings,
    [
      "ESME_RINVCMDID",
      "ESME_RINVPRTFLG",
      "ESME_RINVREGDLVFLG",
      "ESME_RINVESMCLASS",
      "ESME_RINVREPFLAG",
      "ESME_RINVSCHED",
      "ESME_RINVDFTMSGID"
    ]
  ],
  [verdicts.account, ["ESME_RALYBND", "ESME_RPROHIBITED"]],
  [
    parameterRefused,
    [
      "ESME_RINVCMDLEN", // from before there were optional parameters
      "ESME_RINVTLVSTREAM",
      "ESME_RTLVNOTALLWD",
      "ESME_RINVTLVLEN",
      "ESME_RINVTLVVAL"
    ]
  ]
]

const standard: ReadonlyMap<number, Verdict> = new Map(
  rows.flatMap(([verdict, names]) => names.map((name) => [Pdu.status(name), verdict] as const))
)

/** The statuses by which a carrier says that a session is not bound any more. */
export const isUnbound = (status: number): boolean => standard.get(status) === unbound
