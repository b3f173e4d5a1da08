/**
 * What a carrier brings that the gateway does not recognize, as the log and metrics have it: without numbers and texts.
 */
import { type Said, foreign } from "@watchword/send/internal/gateway/Unrecognized"
import type { Incoming } from "./Incoming.ts"

type Note = readonly [kind: string, said: Said]

/** What is to be noted of a delivery as soon as it comes; null for a receipt that is understood. */
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
        { word: "", message: "a text of a subscriber was acknowledged and dropped; this service takes none" }
      ]
  }
}

/** What is to be noted of a receipt that no message was found for. */
export const unmatched = ({ id }: Extract<Incoming, { readonly _tag: "Receipt" }>): Note => [
  "unmatched_receipt",
  { word: "", message: UNMATCHED, details: { id: foreign(id, 64, [id]) } }
]

const UNKNOWN_STATE =
  "a receipt has a state without a meaning that is known, and is not taken for final; states= on the carrier's URL says what it means"

const UNMARKED =
  "an unmarked text that reads like a receipt was acknowledged and dropped; " +
  "if this carrier does not mark receipts, set unmarked_receipts=yes"

const UNMATCHED =
  "a receipt was acknowledged, and no message has its id and number; either its id is not written as in submit_sm_resp, or another system sends by the same account"
