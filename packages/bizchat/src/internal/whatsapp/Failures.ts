/**
 * Meanings of the WhatsApp Cloud API's error codes. Codes are stable, titles and HTTP statuses are not.
 *
 * Source: the Cloud API, "Error codes".
 */
import { type DeliveryFailure, NotFound, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"

/** The number is not on the app, or cannot take messages of this kind. */
export const NOT_ON_PLATFORM = 131026

/** The template is not translated to the language of the message. */
export const NOT_TRANSLATED = 132001

export interface Meaning {
  readonly failure: () => DeliveryFailure
  /** A fault that the operator of this service has to correct, for the log. */
  readonly fault?: string
  /** The whole account is sending too much: every send has to wait. */
  readonly backOff?: true
}

const unavailable = (fault: string): Meaning => ({ failure: outOfOrder, fault })

export const outOfOrder = () =>
  new ServiceUnavailable({ message: "The messaging platform does not work for this service." })

export const unreachable = () =>
  new TemporaryUnavailable({ message: "The messaging platform cannot be reached for the moment." })

export const uncertain = () =>
  new TemporaryUnavailable({ message: "The messaging platform did not answer; whether it sends is not known." })

export const busy = () =>
  new TemporaryUnavailable({ message: "The messaging platform takes no more for now; try again later." })

const meanings: ReadonlyMap<number, Meaning> = new Map([
  [190, unavailable("the access token has expired")],
  [368, unavailable("the account is blocked for a breach of policy")],
  [80007, { failure: busy, backOff: true }],
  [130429, { failure: busy, backOff: true }],
  [NOT_ON_PLATFORM, { failure: () => new NotFound({ message: "The number is not on the messaging platform." }) }],
  [131047, unavailable("plain text was sent outside the 24-hour window; configure a template")],
  [131048, { failure: busy }],
  [131049, { failure: () => new ServiceUnavailable({ message: "The messaging platform withholds this message." }) }],
  [131056, { failure: busy }],
  [131057, { failure: () => new ServiceUnavailable({ message: "The messaging platform is under maintenance." }) }],
  [NOT_TRANSLATED, unavailable("the template does not exist in this language")]
])

/** The meaning of a code; undefined for one that is not known. */
export const meaningOf = (code: number): Meaning | undefined => meanings.get(code)
