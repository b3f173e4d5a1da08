/**
 * Replies of the Telegram Gateway, classified. Its envelope is `{ok: true, result}` or
 * `{ok: false, error}`; which HTTP status an error has is not documented.
 */
import type { Reply } from "@watchword/send/gateway"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Refusal, refusalOf } from "./Refusal.ts"

export type Answer =
  | { readonly _tag: "Result"; readonly result: unknown }
  /** It certainly did not and will not. */
  | { readonly _tag: "Refused"; readonly refusal: Refusal }
  /** It was never asked. */
  | { readonly _tag: "NotAsked" }
  /** It may have acted or not. `isSlow` when its time was over. */
  | { readonly _tag: "Uncertain"; readonly isSlow: boolean }

const decode = Schema.decodeUnknownOption(
  Schema.Union([
    Schema.Struct({ ok: Schema.Literal(true), result: Schema.Unknown }),
    Schema.Struct({ ok: Schema.Literal(false), error: Schema.String })
  ])
)

export const answerOf = (reply: Reply): Answer => {
  if (reply._tag === "NotAsked") return { _tag: "NotAsked" }
  if (reply._tag === "NoAnswer") return { _tag: "Uncertain", isSlow: reply.timedOut }
  if (reply.status >= 500 || reply.status === 408) return { _tag: "Uncertain", isSlow: false }
  return Option.match(reply._tag === "Answer" ? decode(reply.body) : Option.none(), {
    onNone: () => answerOfStatus(reply.status),
    onSome: (envelope): Answer =>
      envelope.ok
        ? { _tag: "Result", result: envelope.result }
        : { _tag: "Refused", refusal: refusalOf(envelope.error) }
  })
}

/** Without an envelope only these say for certain that nothing was done. */
const answerOfStatus = (status: number): Answer => {
  switch (status) {
    case 401:
    case 403:
      return { _tag: "Refused", refusal: { _tag: "Misconfigured", error: `status ${status}` } }
    case 429:
      return { _tag: "Refused", refusal: { _tag: "FloodWait", duration: Duration.zero } }
    default:
      return { _tag: "Uncertain", isSlow: false }
  }
}
