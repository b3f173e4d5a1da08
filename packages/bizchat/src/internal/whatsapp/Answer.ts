/**
 * Replies of the WhatsApp Cloud API to a message, classified.
 */
import type { Reply } from "@watchword/send/internal/gateway/Reply"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Meaning, busy, meaningOf, outOfOrder } from "./Failures.ts"

export type Answer =
  | { readonly _tag: "Taken"; readonly messageId: string }
  /** It certainly was not and will not be sent. */
  | { readonly _tag: "Refused"; readonly meaning: Meaning; readonly code: number | null }
  /** It was never asked. */
  | { readonly _tag: "NotAsked" }
  /** It may have been sent or not. */
  | { readonly _tag: "Uncertain" }

const decodeTaken = Schema.decodeUnknownOption(
  Schema.Struct({ messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString })) })
)

const decodeError = Schema.decodeUnknownOption(Schema.Struct({ error: Schema.Struct({ code: Schema.Int }) }))

export const answerOf = (reply: Reply): Answer => {
  if (reply._tag === "NotAsked") return { _tag: "NotAsked" }
  if (reply._tag === "NoAnswer") return { _tag: "Uncertain" }
  const { status } = reply
  if (reply._tag === "Answer") {
    const taken = status < 300 ? decodeTaken(reply.body) : Option.none()
    if (Option.isSome(taken)) return { _tag: "Taken", messageId: taken.value.messages[0].id }
    const error = decodeError(reply.body)
    if (Option.isSome(error)) return answerOfError(error.value.error.code, status)
  }
  return answerOfStatus(status)
}

/** A known code says for certain that nothing is sent; another one only with a status that says so too. */
const answerOfError = (code: number, status: number): Answer => {
  const meaning = meaningOf(code)
  if (meaning !== undefined) return { _tag: "Refused", meaning, code }
  if (status < 400 || status >= 500 || status === 408 || status === 429) return answerOfStatus(status)
  return { _tag: "Refused", meaning: { failure: outOfOrder, fault: `error ${code}` }, code }
}

/** Without a code only these say for certain that nothing is sent. */
const answerOfStatus = (status: number): Answer => {
  switch (status) {
    case 401:
    case 403:
      return { _tag: "Refused", meaning: { failure: outOfOrder, fault: `status ${status}` }, code: null }
    case 429:
      return { _tag: "Refused", meaning: { failure: busy, backOff: true }, code: null }
    default:
      return { _tag: "Uncertain" }
  }
}
