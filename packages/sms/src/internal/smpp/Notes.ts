/**
 * A carrier's words that the gateway does not recognize, as the log and metrics have them: without numbers and texts.
 */
import { type Said, foreign } from "@watchword/send/gateway"
import type { Incoming } from "./Incoming.ts"
import * as Pdu from "./Pdu.ts"

type Note = readonly [kind: string, said: Said]

/** The note on an incoming delivery; null for a receipt that is understood. */
export const of = (incoming: Incoming): Note | null => {
  switch (incoming._tag) {
    case "Receipt": {
      const { carrierStatus, status } = incoming.event
      return status === null ? ["receipt_state", { word: carrierStatus ?? "", message: UNKNOWN_STATE }] : null
    }
    case "Nameless":
      return ["nameless_receipt", { word: "", message: "a receipt that names no message was acknowledged and dropped" }]
    case "Doubtful":
      return ["unmarked_receipt", { word: "", message: UNMARKED }]
    case "Text":
      return [
        "subscriber_text",
        {
          word: "",
          message: "a text of a subscriber to a number that is not in receives= was acknowledged and dropped"
        }
      ]
  }
}

/** The note on a receipt without a matching message. */
export const unmatched = ({ id }: Extract<Incoming, { readonly _tag: "Receipt" }>): Note => [
  "unmatched_receipt",
  { word: "", message: UNMATCHED, details: { id: foreign(id, 64, [id]) } }
]

/** The requests of ours whose answers have a status. */
export type Asked = "submit_sm" | "bind" | "enquire_link" | "generic_nack"

/** The note on a command status outside the standard, or on a generic_nack that answers nothing. */
export const status = (asked: Asked, status: number): Note => [
  `${asked}_status`,
  { word: shortName(status), message: OWN_STATUS[asked] }
]

/** Without the zeros, which would be taken for a number and masked. */
const shortName = (status: number): string =>
  Pdu.isStatus(status) ? Pdu.statusName(status) : `0x${status.toString(16)}`

const OWN_STATUS: { readonly [A in Asked]: string } = {
  submit_sm:
    "a carrier answers a submit_sm with its own status, which counts as temporary; define its meaning with errors= on the carrier's URL",
  bind: "a carrier answers a bind with its own status; ask the carrier for its meaning",
  enquire_link: "a carrier answers an enquire_link with a status; the link stays up",
  generic_nack: "a carrier sends a generic_nack that answers no request"
}

const UNKNOWN_STATE =
  "a receipt has an unknown state, which does not count as final; define its meaning with states= on the carrier's URL"

const UNMARKED =
  "an unmarked text that reads like a receipt was acknowledged and dropped; " +
  "if this carrier does not mark receipts, set unmarked_receipts=yes"

const UNMATCHED =
  "a receipt was acknowledged, and no message has its id and number; either its id is not written as in submit_sm_resp, or another system sends by the same account"
