/**
 * The voice channel on the wire: bodies, answers and the delivery record (VDR).
 */
import { Code } from "@watchword/schemas/Chat"
import { clientFacts } from "@watchword/schemas/ClientFacts"
import { guardReasons } from "@watchword/schemas/GuardReasons"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Schema from "effect/Schema"

/** Body of `POST /voice`. */
export const SendVoice = Schema.Struct({ to: E164, code: Code, ...clientFacts })
export type SendVoice = typeof SendVoice.Type

/** Answer of `POST /voice`. */
export const VoiceSent = Schema.Struct({ uuid: DeliveryId, to: Schema.String })
export type VoiceSent = typeof VoiceSent.Type

export const VoiceStatus = Schema.Literals(["sent", "heard", "unanswered"])
export type VoiceStatus = typeof VoiceStatus.Type

/** The same of a record: `blocked` was refused by a guard, and not sent. */
export const VdrStatus = Schema.Literals([...VoiceStatus.literals, "blocked"])

/** A delivery record. */
export const Vdr = Schema.Struct({
  uuid: DeliveryId,
  to: Schema.String,
  status: VdrStatus,
  /** Seconds that the recipient listened. */
  listened: Schema.Int,
  created_at: Schema.String,
  /** In EUR. */
  price: Schema.Finite,
  ...guardReasons
})
export type Vdr = typeof Vdr.Type

/** Body of `POST /voice/webhook`: the outcome that the account saw. */
export const ReportVoice = Schema.Struct({ uuid: Schema.String, status: VoiceStatus })
export type ReportVoice = typeof ReportVoice.Type

/** Answer of `POST /voice/webhook`. */
export const VoiceReported = Schema.Struct({ message: Schema.Literal("OK"), uuid: DeliveryId, status: VoiceStatus })
export type VoiceReported = typeof VoiceReported.Type
