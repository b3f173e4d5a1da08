/**
 * The failures that clients get for refusals.
 */
import {
  BadRequest,
  type DeliveryFailure,
  NotFound,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import type { Refusal } from "./Refusal.ts"

export const unreachable = () =>
  new TemporaryUnavailable({ message: "The chat gateway cannot be reached for the moment." })

export const uncertain = () =>
  new TemporaryUnavailable({ message: "The chat gateway did not answer; it is unknown whether it acted." })

const busy = () => new TemporaryUnavailable({ message: "The chat gateway asks for a pause; try again later." })

const outOfOrder = () =>
  new ServiceUnavailable({ message: "The chat gateway does not accept this service's requests." })

const invalidField = (path: string, message: string) =>
  new BadRequest({ message: "The chat gateway refuses the request.", issues: [{ path, message }] })

const noRequest = () => new NotFound({ message: "The chat gateway knows no such request." })

/** Why a code was not sent. */
export const sendFailure = (refusal: Exclude<Refusal, { readonly _tag: "AlreadySent" }>): DeliveryFailure => {
  switch (refusal._tag) {
    case "InvalidField":
      return invalidField(refusal.path, refusal.message)
    case "NoAccount":
      return new NotFound({ message: "The number has no account on the chat app." })
    case "NoRequest":
      return new TemporaryUnavailable({ message: "The probe of this number is no longer valid; try again." })
    case "Code":
      return invalidField("code", "is refused by the gateway")
    case "FloodWait":
      return busy()
    case "Misconfigured":
      return outOfOrder()
  }
}

/** Why a request's status cannot be had. */
export const statusFailure = (refusal: Exclude<Refusal, { readonly _tag: "Code" }>) => {
  switch (refusal._tag) {
    case "InvalidField":
      return invalidField(refusal.path, refusal.message)
    case "NoAccount":
    case "NoRequest":
      return noRequest()
    case "FloodWait":
      return busy()
    case "AlreadySent":
    case "Misconfigured":
      return outOfOrder()
  }
}
