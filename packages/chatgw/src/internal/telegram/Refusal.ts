/**
 * Meanings of the Telegram Gateway's error strings. They are not documented; these were observed.
 *
 * | class | refusals |
 * |---|---|
 * | passing (480) | `FloodWait`, `NoRequest` |
 * | of the recipient (404) | `NoAccount` |
 * | of the client's request (400) | `InvalidField`, `Code` |
 * | of the operator (503, an error in the log) | `Misconfigured`, and each string that is not known |
 */
import * as Duration from "effect/Duration"
import type { VerificationState } from "../../ChatgwGateway.ts"

export type Refusal =
  /** A field of the client's request is not to the gateway's liking. */
  | { readonly _tag: "InvalidField"; readonly path: string; readonly message: string }
  /** The number has no account on the chat app, or takes no codes. */
  | { readonly _tag: "NoAccount" }
  /** No such request, or it belongs to another number. */
  | { readonly _tag: "NoRequest" }
  /** The code that was entered cannot be right. */
  | { readonly _tag: "Code"; readonly status: VerificationState }
  /** The request's one message has gone out before. */
  | { readonly _tag: "AlreadySent" }
  /** Too many questions. */
  | { readonly _tag: "FloodWait"; readonly duration: Duration.Duration }
  /**
   * A fault that the operator of this service has to correct: token, balance, version. `isUnknown` where the error is
   * not in the table, so that it is one only because nothing else is known of it.
   */
  | { readonly _tag: "Misconfigured"; readonly error: string; readonly isUnknown?: true }

const invalid = (path: string, message: string): Refusal => ({ _tag: "InvalidField", path, message })
const code = (status: VerificationState): Refusal => ({ _tag: "Code", status })
const misconfigured = (error: string): Refusal => ({ _tag: "Misconfigured", error })
const noAccount: Refusal = { _tag: "NoAccount" }
const noRequest: Refusal = { _tag: "NoRequest" }

const refusals: Readonly<Record<string, Refusal>> = {
  CODE_INVALID: code("code_invalid"),
  CODE_EXPIRED: code("expired"),
  CODE_MAX_ATTEMPTS_EXCEEDED: code("code_max_attempts_exceeded"),
  CODE_LENGTH_REQUIRED: invalid("code", "is required by the gateway"),
  CODE_LENGTH_INVALID: invalid("code", "must have 4 to 8 digits"),
  PHONE_NUMBER_INVALID: invalid("to", "is no number to the gateway"),
  PHONE_NUMBER_NOT_FOUND: noAccount,
  PHONE_NUMBER_NOT_AVAILABLE: noAccount,
  PHONE_NUMBER_UNOCCUPIED: noAccount,
  PHONE_NUMBER_MISMATCH: noRequest,
  REQUEST_ID_INVALID: noRequest,
  REQUEST_ID_REQUIRED: noRequest,
  TTL_INVALID: invalid("ttl", "must be 30 to 3600 seconds"),
  CALLBACK_URL_INVALID: invalid("callback_url", "is refused by the gateway"),
  SENDER_USERNAME_INVALID: invalid("sender_username", "is refused by the gateway"),
  SENDER_NOT_VERIFIED: invalid("sender_username", "is not a verified channel"),
  SENDER_NOT_OWNED: invalid("sender_username", "belongs to another account"),
  MESSAGE_ALREADY_SENT: { _tag: "AlreadySent" },
  PAYLOAD_INVALID: misconfigured("PAYLOAD_INVALID"),
  ACCESS_TOKEN_INVALID: misconfigured("ACCESS_TOKEN_INVALID"),
  ACCESS_TOKEN_REQUIRED: misconfigured("ACCESS_TOKEN_REQUIRED"),
  BALANCE_NOT_ENOUGH: misconfigured("BALANCE_NOT_ENOUGH"),
  UNKNOWN_METHOD: misconfigured("UNKNOWN_METHOD")
}

const FLOOD_WAIT = /^FLOOD(?:_PREMIUM)?_WAIT(?:_(\d{1,9}))?/

/** The meaning of an error string; an unknown one is reported to the operator. */
export const refusalOf = (error: string): Refusal => {
  const known = Object.hasOwn(refusals, error) ? refusals[error] : undefined
  if (known !== undefined) return known
  const flood = FLOOD_WAIT.exec(error)
  if (flood !== null) return { _tag: "FloodWait", duration: Duration.seconds(Number(flood[1] ?? 1)) }
  // Only a word is repeated: what else the gateway may say could hold anything.
  const word = /^[A-Z][A-Z0-9_]{0,63}$/.test(error) ? error : "an error that is no word"
  return { _tag: "Misconfigured", error: word, isUnknown: true }
}
