/**
 * The errors that promises of the client reject with: a class for each code of the interface, and three for requests
 * without an answer of it. All of them are a `WatchwordError`.
 */
import * as ApiErrors from "./ApiErrors.ts"
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

/** An error that the service has answered with. */
export type ApiError = InstanceType<(typeof ApiErrors)[keyof typeof ApiErrors]>

/** Every error of the client, distinguished by its code. */
export type AnyWatchwordError = ApiError | ConnectionFailed | TimedOut | UnexpectedAnswer

/** A stable code of an error. */
export type ErrorCode = AnyWatchwordError["code"]

/** Whether a value is an error of the client. */
export const isWatchwordError = (error: unknown): error is AnyWatchwordError => error instanceof WatchwordError

/**
 * The error of a code, with the status that the interface gives it: a host that cannot answer 603 answers 486 instead.
 * None for codes that are not known.
 */
export const apiError = (code: unknown, message: string, details: ErrorDetails): ApiError | null => {
  const Class = Object.values(ApiErrors).find((each) => each.code === code)
  return Class === undefined ? null : new Class(message, { ...details, status: Class.status })
}
