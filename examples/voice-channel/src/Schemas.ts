/**
 * The voice channel on the wire: bodies, answers and the delivery record (VDR).
 */
import { Code } from "@watchword/schemas/Chatgw"
import { field, personal, request } from "@watchword/schemas/Field"
import {
  clientFacts,
  createdAt,
  guardReasons,
  ok,
  price,
  reported,
  sentTo,
  to,
  uuid
} from "@watchword/schemas/SharedFields"
import * as Schema from "effect/Schema"

/** Body of `POST /voice`. */
export const SendVoice = request({
  to,
  code: personal(field(Code, "The code that is read out, 4 to 8 digits.")),
  ...clientFacts
})
export type SendVoice = typeof SendVoice.Type

/** Answer of `POST /voice`. */
export const VoiceSent = Schema.Struct({ uuid, to: sentTo })
export type VoiceSent = typeof VoiceSent.Type

export const VoiceStatus = Schema.Literals(["sent", "heard", "unanswered"])
export type VoiceStatus = typeof VoiceStatus.Type

/** The same of a record: `blocked` was refused by a guard, and not sent. */
export const VdrStatus = Schema.Literals([...VoiceStatus.literals, "blocked"])

/** A delivery record. */
export const Vdr = Schema.Struct({
  uuid,
  to: sentTo,
  status: field(VdrStatus, "How far the call got; `blocked` was refused by a guard, and not placed."),
  listened: field(Schema.Int, "Seconds that the recipient listened."),
  created_at: createdAt,
  price,
  ...guardReasons
})
export type Vdr = typeof Vdr.Type

/** Data of the event `voice.ended`. */
export const VoiceEnded = Schema.Struct({
  uuid,
  to: sentTo,
  status: field(VoiceStatus, "How the call ended."),
  listened: field(Schema.Int, "Seconds that the recipient listened.")
}).annotate({ description: "A call that read a code out is over" })

/** Body of `POST /voice/webhook`: the outcome that the account saw. */
export const ReportVoice = Schema.Struct({
  uuid: reported("call"),
  status: field(VoiceStatus, "What you know of the call.")
})
export type ReportVoice = typeof ReportVoice.Type

/** Answer of `POST /voice/webhook`. */
export const VoiceReported = Schema.Struct({
  message: ok,
  uuid,
  status: field(VoiceStatus, "The status now on the record.")
})
export type VoiceReported = typeof VoiceReported.Type
