/**
 * Rejections of promises: the errors of the interface, which know their status, and the mistakes of the service itself.
 */
import { BadRequest, ServiceUnavailable, WatchwordError, invalid, sentenceOf } from "@watchword/schemas/Errors"
import { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"

/** The value of an exit. Throws its failure: that of a store in the words of an answer over HTTP. */
export const resolved = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.squash(exit.cause)
  if (error instanceof WatchwordError) throw toCaller(error)
  if (Cause.hasInterruptsOnly(exit.cause)) throw stopped()
  throw error instanceof StoreError ? unavailable(error) : error
}

/**
 * The error for the program that has called: a `BadRequest` names each argument in its message, and the stack, which
 * ends in a fiber, continues with the functions that wait for the promise. Taken here, it costs nothing if nothing
 * fails.
 */
const toCaller = (failure: WatchwordError): WatchwordError => {
  const error = failure instanceof BadRequest ? inWords(failure) : failure
  Error.captureStackTrace?.(error, resolved)
  return error
}

const inWords = (error: BadRequest): BadRequest => {
  const { issues = [], message } = error
  const isSaid = issues.every((issue) => message.includes(issue.message))
  return isSaid ? error : invalid(issues, `${message} ${sentenceOf(issues)}`)
}

/** The error of a call that the end of the service has cut off, or that came after it. */
export const stopped = (): ServiceUnavailable => new ServiceUnavailable({ message: "The service has stopped." })

const unavailable = (cause: StoreError): Error =>
  Object.assign(new ServiceUnavailable({ message: "The service is unavailable for the moment; try again." }), { cause })
