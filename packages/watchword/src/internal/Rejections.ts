/**
 * Rejections of promises: the errors of the interface, which know their status, and the mistakes of the service itself.
 */
import { ServiceUnavailable, WatchwordError } from "@watchword/schemas/Errors"
import { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"

/** The value of an exit. Throws its failure: that of a store in the words of an answer over HTTP. */
export const resolved = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.squash(exit.cause)
  if (error instanceof WatchwordError) throw error
  if (Cause.hasInterruptsOnly(exit.cause)) throw stopped()
  throw error instanceof StoreError ? unavailable(error) : error
}

/** The error of a call that the end of the service has cut off, or that came after it. */
export const stopped = (): ServiceUnavailable => new ServiceUnavailable({ message: "The service has stopped." })

const unavailable = (cause: StoreError): Error =>
  Object.assign(new ServiceUnavailable({ message: "The service is unavailable for the moment; try again." }), { cause })
