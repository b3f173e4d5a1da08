/**
 * The meaning of final statuses: the hang-up cause of the record, and the failure that `dial` answers.
 *
 * Source: FreeSWITCH's names and table (`sofia_glue_sip_cause_to_freeswitch`), which differ here and there from
 * RFC 3398 §8.2.6.1; RFC 3261 §21; RFC 8197 (607), RFC 8688 (608).
 */
import {
  BadRequest,
  BusyHere,
  Decline,
  type DeliveryFailure,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import { NoRoom } from "@watchword/send/internal/routes/Refusals"
import type { Cause } from "../../CallGateway.ts"
import * as HeaderValue from "./HeaderValue.ts"
import type { Response } from "./Message.ts"

interface Meaning {
  readonly cause: string
  readonly failure: () => DeliveryFailure
}

const busy = () => new BusyHere({ message: "The recipient is busy." })
const declined = () => new Decline({ message: "The recipient declined the call." })
const unavailable = () => new TemporaryUnavailable({ message: "The recipient cannot be reached. Try again later." })
const badNumber = () =>
  new BadRequest({
    message: "The network cannot call this number.",
    issues: [{ path: "callee", message: "is not a number that can be called" }]
  })
const refused = () =>
  new ServiceUnavailable({ message: "The trunk does not let this service call; its operator has to look." })
const trunkFailed = () => new ServiceUnavailable({ message: "No trunk can take the call. Try again later." })

const meanings = new Map<number, Meaning>()

const means = (cause: string, failure: () => DeliveryFailure, statuses: ReadonlyArray<number>): void => {
  for (const status of statuses) meanings.set(status, { cause, failure })
}

means("USER_BUSY", busy, [486, 600])
means("CALL_REJECTED", declined, [603, 607, 608])
means("CALL_REJECTED", refused, [401, 402, 403, 407])
means("NO_USER_RESPONSE", unavailable, [480])
means("RECOVERY_ON_TIMER_EXPIRE", unavailable, [408, 504])
means("UNALLOCATED_NUMBER", unavailable, [404])
means("NO_ROUTE_DESTINATION", unavailable, [485, 604])
means("NUMBER_CHANGED", unavailable, [410])
means("ORIGINATOR_CANCEL", unavailable, [487])
means("INVALID_NUMBER_FORMAT", badNumber, [484])
means("INCOMPATIBLE_DESTINATION", refused, [488, 606])
means("NORMAL_TEMPORARY_FAILURE", trunkFailed, [400, 481, 500, 503])
means("NETWORK_OUT_OF_ORDER", trunkFailed, [502])
means("SERVICE_UNAVAILABLE", trunkFailed, [405])
means("SERVICE_NOT_IMPLEMENTED", trunkFailed, [406, 415, 501])
means("EXCHANGE_ROUTING_ERROR", trunkFailed, [482, 483])
means("INTERWORKING", trunkFailed, [413, 414, 416, 420, 421, 423, 505, 513])

/** Unlisted statuses by class. A redirection is never followed: the call to its target would be at our cost (toll fraud). */
const meaning = (status: number): Meaning => {
  const known = meanings.get(status)
  if (known !== undefined) return known
  if (status < 400) return { cause: "REDIRECTION_TO_NEW_DESTINATION", failure: unavailable }
  return { cause: "NORMAL_UNSPECIFIED", failure: status >= 600 ? unavailable : trunkFailed }
}

/** The cause of a final response, with its raw status. */
export const causeOf = (response: Response): Cause => ({
  hangupCause: meaning(response.status).cause,
  ...raw(response)
})

/** A cause of our own, with the raw status of a response. */
export const causeWith = (hangupCause: string, response: Response | null): Cause =>
  response === null ? { hangupCause, sipStatus: null, q850: null } : { hangupCause, ...raw(response) }

const raw = ({ status, headers }: Response) => ({ sipStatus: status, q850: HeaderValue.q850(headers.list("reason")) })

/**
 * The failure of a call that did not ring.
 *
 * @param heard whether a provisional response had come: then the callee did not respond, otherwise the trunk did not
 */
export const failureOf = (status: number, heard: boolean): DeliveryFailure =>
  [408, 504].includes(status) && !heard ? trunkFailed() : meaning(status).failure()

/** Another trunk may do better. */
export const isTrunkTrouble = (status: number, heard: boolean): boolean =>
  [500, 502, 503].includes(status) || (status === 408 && !heard)

/** The trunk refuses our account. */
export const isAccountTrouble = (status: number): boolean => [401, 402, 403, 407].includes(status)

/** The callee has declined, so that the phone has shown the call. */
export const isDeclined = (status: number): boolean => [603, 607].includes(status)

/** The callee has decided the end of the call, even if it was being cancelled. */
export const isByCallee = (status: number): boolean => [486, 600, 603, 607, 608].includes(status)

export const noTrunk = trunkFailed
export const notReached = unavailable
export const tooManyCalls = () => new NoRoom({ message: "Too many calls are being placed. Try again later." })
