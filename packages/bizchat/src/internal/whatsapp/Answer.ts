/**
 * Replies of the WhatsApp Cloud API to a message, classified.
 *
 * Source: the Cloud API, "Messages" (`message_status`), "Error codes".
 */
import type { Reply } from "@watchword/send/gateway"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type ErrorCode, errorCode } from "./ErrorCodes.ts"
import { type Said, saidIn } from "./Said.ts"

/** Why a message was refused. */
export interface Refusal extends Pick<ErrorCode, "whose" | "words" | "backOff"> {
  /** The platform's own; null if it gave none. */
  readonly code: number | null
  /** Whether the code is not in the table, so that the status has decided. */
  readonly isUnknown: boolean
  readonly said: Said
}

export type Answer =
  /** `isOther` where the status of the message is not a known one. */
  | { readonly _tag: "Taken"; readonly messageId: string; readonly otherStatus: string | null }
  /** It is held back, and will be sent or dropped: a status says so. */
  | { readonly _tag: "Held"; readonly messageId: string; readonly status: string }
  /** It certainly was not and will not be sent. */
  | { readonly _tag: "Refused"; readonly refusal: Refusal }
  /** It was never asked. */
  | { readonly _tag: "NotAsked" }
  /** It may have been sent or not. `said` has the words of an error that leaves this open. */
  | { readonly _tag: "Uncertain"; readonly status: number | null; readonly code: number | null; readonly said: Said }

const decodeTaken = Schema.decodeUnknownOption(
  Schema.Struct({
    messages: Schema.NonEmptyArray(
      Schema.Struct({ id: Schema.NonEmptyString, message_status: Schema.optionalKey(Schema.Unknown) })
    )
  })
)

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.StructWithRest(Schema.Struct({ code: Schema.Int }), [Schema.Record(Schema.String, Schema.Unknown)])
  })
)

export const answerOf = (reply: Reply): Answer => {
  if (reply._tag === "NotAsked") return { _tag: "NotAsked" }
  if (reply._tag === "NoAnswer") return uncertain(null)
  const { status } = reply
  if (reply._tag === "Garbled") return answerOfStatus(status, null, {})
  const taken = status < 300 ? decodeTaken(reply.body) : Option.none()
  if (Option.isSome(taken)) return answerOfMessage(taken.value.messages[0])
  const error = decodeError(reply.body)
  return Option.isSome(error)
    ? answerOfError(error.value.error.code, status, saidIn(error.value.error))
    : answerOfStatus(status, null, {})
}

/** `paused` is of newer versions of the API; older ones name no status. */
const HOLDING = new Set(["held_for_quality_assessment", "paused"])

const answerOfMessage = ({
  id,
  message_status: status = "accepted"
}: {
  readonly id: string
  readonly message_status?: unknown
}): Answer => {
  if (typeof status === "string" && HOLDING.has(status)) return { _tag: "Held", messageId: id, status }
  const otherStatus = status === "accepted" ? null : typeof status === "string" ? status : "no text"
  return { _tag: "Taken", messageId: id, otherStatus }
}

/**
 * A known code says for certain that nothing is sent, unless it is vague; unknown codes only do with a status that says
 * so.
 */
const answerOfError = (code: number, status: number, said: Said): Answer => {
  const known = errorCode(code)
  return known === undefined || (known.isVague === true && isOpen(status))
    ? answerOfStatus(status, code, said)
    : { _tag: "Refused", refusal: { ...known, code, isUnknown: false, said } }
}

/** Whether a status leaves open what became of the message. */
const isOpen = (status: number): boolean => status < 400 || status >= 500 || status === 408

/**
 * Without a code only 401, 403 and 429 say for certain that nothing is sent, and with an unknown code any 4xx.
 */
const answerOfStatus = (status: number, code: number | null, said: Said): Answer => {
  const isUnknown = code !== null
  const words = code === null ? `status ${status}` : `error ${code}`
  if (status === 429)
    return { _tag: "Refused", refusal: { whose: "passing", words, backOff: true, code, isUnknown, said } }
  if (isOpen(status) || (code === null && status !== 401 && status !== 403)) return uncertain(status, code, said)
  return { _tag: "Refused", refusal: { whose: "operator", words, code, isUnknown, said } }
}

const uncertain = (status: number | null, code: number | null = null, said: Said = {}): Answer => ({
  _tag: "Uncertain",
  status,
  code,
  said
})
