/**
 * Lines of the log for what WhatsApp says, each with its code and words: no later question gets them back.
 */
import type { Unrecognized } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import type { Refusal } from "./Answer.ts"
import { type Whose, errorCode } from "./ErrorCodes.ts"
import type { News, Standing } from "./News.ts"
import type { Said } from "./Said.ts"

export interface Log {
  /** A message was refused. */
  readonly refused: (refusal: Refusal, hide: (said: Said) => Said) => Effect.Effect<void>
  /** A message was answered by an error that leaves open whether it was sent. */
  readonly uncertain: (code: number, said: Said) => Effect.Effect<void>
  /** A message was held back. */
  readonly held: (status: string) => Effect.Effect<void>
  /** A message that was taken has failed. */
  readonly failed: (code: number | null, said: Said) => Effect.Effect<void>
  /** An error about no message. */
  readonly reported: (code: number | null, said: Said) => Effect.Effect<void>
  readonly news: (news: News) => Effect.Effect<void>
  /** Something that means nothing here. */
  readonly other: (kind: string, word: string) => Effect.Effect<void>
}

/** @param gateway its name, as metrics have it */
export const make = (gateway: string, unrecognized: Unrecognized): Log => {
  const unknownCode = (code: number, said: Said) =>
    unrecognized.note(gateway, "error_code", {
      word: String(code),
      isCode: true,
      message: "WhatsApp has answered by a code that is not in its table of errors",
      details: { ...said }
    })

  const about = (code: number | null, said: Said) => ({ ...(code === null ? {} : { code }), ...said })

  return {
    refused: ({ code, isUnknown, said, whose, words }, hide) => {
      const seen = hide(said)
      const line = levels[whose](`WhatsApp refuses a message: ${words}`, about(code, seen))
      return code !== null && isUnknown ? Effect.andThen(unknownCode(code, seen), line) : line
    },
    uncertain: (code, said) =>
      Effect.andThen(
        errorCode(code) === undefined ? unknownCode(code, said) : Effect.void,
        Effect.logWarning("WhatsApp did not say whether it sends a message", about(code, said))
      ),
    held: (status) =>
      Effect.logError("WhatsApp holds a message back: it assesses the quality of the template", {
        message_status: status
      }),
    failed: (code, said) => {
      const known = code === null ? undefined : errorCode(code)
      const words = known === undefined ? `error ${code ?? "without a code"}` : known.words
      const level = levels[known?.whose ?? "passing"]
      const line = level(`WhatsApp did not deliver a message: ${words}`, about(code, said))
      return code !== null && known === undefined ? Effect.andThen(unknownCode(code, said), line) : line
    },
    reported: (code, said) =>
      Effect.logError(
        `WhatsApp reports an error: ${(code === null ? undefined : errorCode(code))?.words ?? `error ${code}`}`,
        about(code, said)
      ),
    news: ({ _tag, language, name, standing, word }) =>
      byStanding[standing](
        `WhatsApp says ${word} of ${_tag === "Template" ? "a template" : `the ${_tag.toLowerCase()}`}`,
        {
          ...(name === null ? {} : { template: printed(name) }),
          ...(language === null ? {} : { language: printed(language) })
        }
      ),
    other: (kind, word) => unrecognized.note(gateway, kind, { word, message: others[kind] ?? OTHER })
  }
}

const levels: { readonly [W in Whose]: typeof Effect.logError } = {
  passing: Effect.logWarning,
  recipient: Effect.logDebug,
  operator: Effect.logError
}

const byStanding: { readonly [S in Standing]: typeof Effect.logError } = {
  bad: Effect.logError,
  warn: Effect.logWarning,
  good: Effect.logInfo
}

const OTHER = "WhatsApp sent a notification that this service does not understand"

const others: Readonly<Record<string, string>> = {
  message_status: "WhatsApp accepted a message with an unknown status",
  status: "WhatsApp reports a status that is not known",
  subscriber_text: "a user has written to the number at WhatsApp, which nothing reads here",
  webhook_field: "WhatsApp sends a field of webhooks that nothing reads here"
}

/** A name of the operator's own. */
const printed = (name: string): string => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").slice(0, 100)
