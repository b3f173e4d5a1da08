/**
 * The errors that promises reject with: a class for each code of the interface, and three for HTTP requests that got no
 * answer from it. Each of them is a `WatchwordError`. Calls in-process reject with the same classes.
 */
import { classes } from "./ApiErrors.ts"
import { type ErrorDetails, WatchwordError, coded } from "./WatchwordError.ts"

export { type ErrorDetails, type Issue, WatchwordError } from "./WatchwordError.ts"

/** The connection failed before there was a whole answer. Whether the request was carried out is not known. */
export class ConnectionFailed extends coded("CONNECTION_FAILED") {}

/** There was no answer within the time limit. Whether the request was carried out is not known. */
export class TimedOut extends coded("TIMED_OUT") {}

/**
 * The answer does not follow the interface: it came from a proxy, is a redirect, or has a code that this version does
 * not know.
 */
export class UnexpectedAnswer extends coded("UNEXPECTED_ANSWER") {}

/** An error that the service answered with. */
export type ApiError = InstanceType<(typeof classes)[number]>

/** Every error that a promise rejects with, by its code. */
export type AnyWatchwordError = ApiError | ConnectionFailed | TimedOut | UnexpectedAnswer

/** A stable code of an error. */
export type ErrorCode = AnyWatchwordError["code"]

/** Whether a value is an error of the client, or of a service in the same process. */
export const isWatchwordError = (error: unknown): error is AnyWatchwordError => error instanceof WatchwordError

/**
 * Makes the error of a code, for example of a stored code. Its status is the interface's: a host that cannot answer 603
 * answers 486 instead. Returns null for an unknown code.
 *
 * @example
 * ```ts
 * import { apiError } from "@watchword/client"
 *
 * console.log(apiError("NOT_FOUND", "There is no such record.")?.status) // 404
 * ```
 */
export const apiError = (code: unknown, message: string, details: ErrorDetails = {}): ApiError | null => {
  const Class = classes.find((each) => each.code === code)
  return Class === undefined ? null : new Class(message, details)
}
