/**
 * Rejections of promises: the errors of the interface, by the classes that the client has, and the mistakes of the
 * service itself.
 */
import { type ErrorDetails, ServiceUnavailable, apiError } from "@watchword/client"
import { type ApiError, isApiError, sentenceOf } from "@watchword/schemas/Errors"
import { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"

/** The value of an exit. Throws its failure: that of a store in the words of an answer over HTTP. */
export const resolved = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.squash(exit.cause)
  if (isApiError(error)) throw toCaller(error)
  if (Cause.hasInterruptsOnly(exit.cause)) throw stopped()
  throw error instanceof StoreError ? unavailable(error) : error
}

/** The fields of the interface's errors in addition to their code and their message. */
interface Fields extends Pick<ErrorDetails, "issues" | "reason" | "remaining" | "retryAfter"> {
  readonly request_id?: string | undefined
}

/**
 * The error for the program that has called: its message names each argument that is wrong, and its stack continues
 * with the functions that wait for the promise.
 */
const toCaller = (failure: ApiError): Error => {
  const fields: Fields = failure
  const message = inWords(failure.message, fields.issues)
  const error = apiError(failure.code, message, { ...fields, requestId: fields.request_id }) ?? failure
  Error.captureStackTrace?.(error, resolved)
  return error
}

const inWords = (message: string, issues: ErrorDetails["issues"] = []): string => {
  const isSaid = issues.every((issue) => message.includes(issue.message))
  return isSaid ? message : `${message} ${sentenceOf(issues)}`
}

/** The error of a call that the end of the service has cut off, or that came after it. */
export const stopped = (): ServiceUnavailable => new ServiceUnavailable("The service has stopped.")

const unavailable = (cause: StoreError): ServiceUnavailable =>
  new ServiceUnavailable("The service is unavailable for the moment; try again.", { cause })
