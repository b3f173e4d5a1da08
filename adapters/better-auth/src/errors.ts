/**
 * Converts verification errors to better-auth's format: the user's app gets a status, a code and a message that it can
 * show, and the log has the details for the operator.
 */
import { APIError } from "better-auth/api"
import type { Context } from "./options.ts"

/** Repeats better-auth's own error verbatim if it has one. */
const ERRORS = {
  INVALID_PHONE_NUMBER: ["BAD_REQUEST", "Invalid phone number"],
  OTP_NOT_FOUND: ["BAD_REQUEST", "OTP not found"],
  OTP_EXPIRED: ["BAD_REQUEST", "OTP expired"],
  TOO_MANY_ATTEMPTS: ["FORBIDDEN", "Too many attempts"],
  PHONE_NUMBER_REFUSED: ["FORBIDDEN", "No code is sent to this phone number"],
  OTP_SENT_RECENTLY: ["TOO_MANY_REQUESTS", "A code was sent a moment ago"],
  TOO_MANY_OTPS: ["TOO_MANY_REQUESTS", "Too many codes were sent"],
  OTP_NOT_SENT: ["SERVICE_UNAVAILABLE", "No code can be sent at the moment"],
  OTP_NOT_CHECKED: ["SERVICE_UNAVAILABLE", "The code cannot be checked at the moment"]
} as const

export type Code = keyof typeof ERRORS

export const apiError = (code: Code, cause?: unknown, retryAfter: number | null = null): APIError => {
  const [status, message] = ERRORS[code]
  const body = { code, message, ...(retryAfter === null ? {} : { retryAfter }) }
  const error = new APIError(status, body, retryAfter === null ? {} : { "retry-after": String(retryAfter) })
  // Not in the body, which the user sees.
  if (cause !== undefined) error.cause = cause
  return error
}

/** The reason why a code could not be sent. */
export const sendError = (error: unknown, context: Context): APIError => {
  switch (statusOf(error)) {
    case 400:
      if (pathsOf(error).includes("to")) return apiError("INVALID_PHONE_NUMBER", error)
      break
    case 403:
      if (reasonOf(error) !== null && reasonOf(error) !== "account_suspended") {
        return apiError("PHONE_NUMBER_REFUSED", error)
      }
      break
    case 429: {
      const retryAfter = error instanceof Error && "retryAfter" in error ? error.retryAfter : undefined
      return typeof retryAfter === "number"
        ? apiError("OTP_SENT_RECENTLY", error, retryAfter)
        : apiError("TOO_MANY_OTPS", error)
    }
  }
  // No money, no carrier, no route to the number, or a mistake in the options: nothing that the user can fix.
  log(context, "No code was sent", error)
  return apiError("OTP_NOT_SENT", error)
}

/** The reason why a code could not be checked; null if the code is merely wrong. */
export const checkError = (error: unknown, context: Context): APIError | null => {
  switch (statusOf(error)) {
    case 400:
      // The code does not have 4 to 10 digits.
      if (pathsOf(error).includes("to")) return apiError("INVALID_PHONE_NUMBER", error)
      if (pathsOf(error).includes("code")) return null
      break
    case 404:
    case 409:
      // No code was sent, or it was already used.
      return apiError("OTP_NOT_FOUND", error)
    case 429:
      return apiError("TOO_MANY_ATTEMPTS", error)
  }
  log(context, "A code was not checked", error)
  return apiError("OTP_NOT_CHECKED", error)
}

const log = (context: Context, said: string, error: unknown): void =>
  context?.context.logger.error(`${said}: ${error instanceof Error ? error.message : String(error)}`)

const statusOf = (error: unknown): unknown => (error instanceof Error && "status" in error ? error.status : undefined)

const reasonOf = (error: unknown): string | null =>
  error instanceof Error && "reason" in error && typeof error.reason === "string" ? error.reason : null

/** The fields that a 400 refers to. */
const pathsOf = (error: unknown): ReadonlyArray<unknown> =>
  error instanceof Error && "issues" in error && Array.isArray(error.issues)
    ? error.issues.map((issue: unknown) =>
        typeof issue === "object" && issue !== null && "path" in issue ? issue.path : undefined
      )
    : []
