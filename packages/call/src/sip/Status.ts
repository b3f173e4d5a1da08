/**
 * What a final status means: the hang-up cause of the record, and the answer to whoever asked for the call.
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
import type { Cause } from "../CallGateway.ts"
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

/** Others by their class: a redirection is never followed, for whoever is named there would be called at our cost. */
const meaning = (status: number): Meaning => {
  const known = meanings.get(status)
  if (known !== undefined) return known
  if (status < 400) return { cause: "REDIRECTION_TO_NEW_DESTINATION", failure: unavailable }
  return { cause: "NORMAL_UNSPECIFIED", failure: status >= 600 ? unavailable : trunkFailed }
}

/** The cause of a final response, with what the network said. */
export const causeOf = (response: Response): Cause => ({
  hangupCause: meaning(response.status).cause,
  ...raw(response)
})

/** A cause of ours, with what the network said. */
export const causeWith = (hangupCause: string, response: Response | null): Cause =>
  response === null ? { hangupCause, sipStatus: null, q850: null } : { hangupCause, ...raw(response) }

const raw = ({ status, headers }: Response) => ({ sipStatus: status, q850: HeaderValue.q850(headers.list("reason")) })

/**
 * The answer to a call that failed before it rang.
 *
 * @param heard whether the trunk had said anything before: then the callee did not answer, else the trunk
 */
export const failureOf = (status: number, heard: boolean): DeliveryFailure =>
  [408, 504].includes(status) && !heard ? trunkFailed() : meaning(status).failure()

/** Another trunk may do better. */
export const isTrunkTrouble = (status: number, heard: boolean): boolean =>
  [500, 502, 503].includes(status) || (status === 408 && !heard)

/** Our account at the trunk is what is wrong. */
export const isAccountTrouble = (status: number): boolean => [401, 402, 403, 407].includes(status)

/** Only a person does this, whatever we wanted at that moment. */
export const isByCallee = (status: number): boolean => [486, 600, 603, 607, 608].includes(status)

export const noTrunk = trunkFailed
export const notReached = unavailable
export const tooManyCalls = () =>
  new TemporaryUnavailable({ message: "Too many calls are being placed. Try again later." })
