/**
 * Why a callback is not to be believed. The codes are stable:
 *
 * | code | meaning | answer |
 * |---|---|---|
 * | `MISSING_HEADER` | the timestamp or the signature is not there | 401 |
 * | `INVALID_TIMESTAMP` | the timestamp is not a whole number of seconds | 401 |
 * | `EXPIRED_TIMESTAMP` | the timestamp is too far from now, in either direction | 401 |
 * | `INVALID_SIGNATURE` | another token signed it, or something was changed on the way | 401 |
 * | `INVALID_BODY` | the signature is right, but the body is not an event | 400 |
 */
export type CallbackSignatureErrorCode =
  | "MISSING_HEADER"
  | "INVALID_TIMESTAMP"
  | "EXPIRED_TIMESTAMP"
  | "INVALID_SIGNATURE"
  | "INVALID_BODY"

const sentences: Readonly<Record<CallbackSignatureErrorCode, string>> = {
  MISSING_HEADER: "the timestamp or the signature is missing",
  INVALID_TIMESTAMP: "the timestamp is no whole number of seconds",
  EXPIRED_TIMESTAMP: "the timestamp is too far from the current time: the request is old, or a clock is wrong",
  INVALID_SIGNATURE: "the signature does not match: a wrong token, or the body was changed before it was checked",
  INVALID_BODY: "the signature is right, and the body is no event"
}

/** The reason is in `code`, and in words in the message. */
export class CallbackSignatureError extends Error {
  override readonly name = "CallbackSignatureError"
  readonly _tag = "CallbackSignatureError"
  declare readonly code: CallbackSignatureErrorCode

  constructor(code: CallbackSignatureErrorCode) {
    super(sentences[code])
    this.code = code
  }
}
