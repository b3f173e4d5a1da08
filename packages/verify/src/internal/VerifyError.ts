/**
 * Errors of verification operations.
 */
import type {
  BadRequest,
  Conflict,
  Forbidden,
  NotFound,
  PaymentRequired,
  ServiceUnavailable,
  TemporaryUnavailable,
  TooManyRequests,
  Unauthorized
} from "@watchword/schemas/Errors"
import type { StoreError } from "@watchword/store/StoreError"

/** The failure of a start that could not open any step. */
export type NoStepError =
  | BadRequest
  | PaymentRequired
  | Forbidden
  | TooManyRequests
  | TemporaryUnavailable
  | ServiceUnavailable

export type StartError = NoStepError | Conflict | TooManyRequests | Unauthorized | StoreError

export type CheckError = BadRequest | NotFound | Conflict | TooManyRequests | ServiceUnavailable | StoreError

export type NextError = BadRequest | NotFound | Conflict | Forbidden | TooManyRequests | StoreError
