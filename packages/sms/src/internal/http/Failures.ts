/**
 * The failures that clients get when a provider does not take a text.
 */
import { BadRequest, type DeliveryFailure, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { NoRoom, Unpromised } from "@watchword/send/routes"
import type { Reason } from "./Provider.ts"

const wrong = (path: string, message: string) => (): DeliveryFailure =>
  new BadRequest({ message: "The SMS provider refuses the message.", issues: [{ path, message }] })

const failures: { readonly [R in Reason]: () => DeliveryFailure } = {
  recipient: wrong("to", "is not a number that the provider delivers to"),
  sender: wrong("from", "is not a sender that the provider allows"),
  text: wrong("text", "is not a text that the provider takes"),
  message: () => new BadRequest({ message: "The SMS provider permanently refused the message." }),
  temporary: () =>
    new TemporaryUnavailable({ message: "The SMS provider could not take the message. Try again later." }),
  account: () =>
    new ServiceUnavailable({
      message: "The SMS provider does not allow this service to send; its operator must check why."
    })
}

export const failureOf = (reason: Reason): DeliveryFailure => failures[reason]()

export const tooLong = (most: number) => wrong("text", `must have at most ${most} characters for this provider`)()

export const wrongParameters = wrong("tlvs", "are not parameters that the provider takes")

const BUSY = { message: "The SMS provider is too busy to take the message. Try again later." }

export const tooBusy = (): DeliveryFailure => new NoRoom(BUSY)

/** The same of a provider that does not say whether it has taken the message. */
export const throttled = (): DeliveryFailure => new Unpromised(BUSY)

export const unreachable = (): DeliveryFailure =>
  new TemporaryUnavailable({ message: "The SMS provider cannot be reached for the moment." })

export const uncertain = (): DeliveryFailure =>
  new TemporaryUnavailable({ message: "The SMS provider did not answer; it is unknown whether it sends the message." })
