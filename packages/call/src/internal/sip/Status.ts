/**
 * The meaning of final statuses: the hang-up cause of the record, and the failure that `dial` answers.
 *
 * Source: FreeSWITCH's names and table (`sofia_glue_sip_cause_to_freeswitch`), which differ here and there from
 * RFC 3398 §8.2.6.1; RFC 3261 §21; RFC 5079 (433), RFC 8197 (607), RFC 8224 §6.2.2 (428, 436 to 438), RFC 8688 (608).
 */
import {
  BadRequest,
  BusyHere,
  Decline,
  type DeliveryFailure,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import { NoRoom } from "@watchword/send/routes"
import type { Cause } from "../../CallGateway.ts"
import { callerBlocked } from "../CallerBlocked.ts"
import type { Response } from "./Message.ts"
import { isBarred, isCallerBlocked, q850Of } from "./Reasons.ts"

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
  new ServiceUnavailable({ message: "The trunk does not allow this service to call; its operator must check why." })
const trunkFailed = () => new ServiceUnavailable({ message: "No trunk can take the call. Try again later." })

const meanings = new Map<number, Meaning>()

const means = (cause: string, failure: () => DeliveryFailure, statuses: ReadonlyArray<number>): void => {
  for (const status of statuses) meanings.set(status, { cause, failure })
}

means("USER_BUSY", busy, [486, 600])
means("CALL_REJECTED", declined, [603, 607])
means("CALL_REJECTED", refused, [401, 402, 403, 407, 433])
means("NO_IDENTITY", refused, [428])
means("BAD_IDENTITY_INFO", refused, [429, 436])
means("UNSUPPORTED_CERTIFICATE", refused, [437])
means("INVALID_IDENTITY", refused, [438])
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

/**
 * Unlisted statuses by class. A redirection is never followed: the call to its target would be at our cost (toll
 * fraud).
 */
const byStatus = (status: number): Meaning => {
  const known = meanings.get(status)
  if (known !== undefined) return known
  if (status < 400) return { cause: "REDIRECTION_TO_NEW_DESTINATION", failure: unavailable }
  return { cause: "NORMAL_UNSPECIFIED", failure: status >= 600 ? unavailable : trunkFailed }
}

/** FreeSWITCH's name of 608. */
const blocked: Meaning = { cause: "REJECT_ALL", failure: callerBlocked }

/**
 * Causes of the callee's phone or network. A gateway from ISDN may give them the status of a trunk in trouble: Cisco's
 * has 503 for 19.
 *
 * Source: ITU-T Q.850 §2.2.7.1; Cisco CUBE, "Cause Code Mapping".
 */
const byCause = new Map<number, Meaning>([
  [1, { cause: "UNALLOCATED_NUMBER", failure: unavailable }],
  [17, { cause: "USER_BUSY", failure: busy }],
  [18, { cause: "NO_USER_RESPONSE", failure: unavailable }],
  [19, { cause: "NO_ANSWER", failure: unavailable }],
  [20, { cause: "SUBSCRIBER_ABSENT", failure: unavailable }],
  [21, { cause: "CALL_REJECTED", failure: declined }],
  [22, { cause: "NUMBER_CHANGED", failure: unavailable }]
])

/**
 * Whether a status is of a trunk in trouble, which another may not be in. An unknown one is like 500 (RFC 3261
 * §8.1.3.2).
 */
const isTrouble = (status: number): boolean =>
  [500, 502, 503].includes(status) || (status >= 500 && status < 600 && !meanings.has(status))

/** A cause that says that the callee, and not the trunk, is why a call failed. */
const causeOfCallee = (response: Response): Meaning | undefined => {
  if (!isTrouble(response.status)) return undefined
  const cause = q850Of(response)
  return cause === null ? undefined : byCause.get(cause)
}

const meaningOf = (response: Response): Meaning => {
  if (isCallerBlocked(response)) return blocked
  if (isBarred(response)) return barred
  return causeOfCallee(response) ?? byStatus(response.status)
}

const barred: Meaning = { cause: "CALL_REJECTED", failure: refused }

/**
 * Whether a provisional response says that the phone rings. Only 180 does (RFC 3261 §21.1.2); 183 comes before that
 * from mobile networks, and with announcements that no phone rings for, and 181 and 182 say that a call is passed on or
 * waits.
 *
 * @param first the trunk's first response for a ringing phone
 */
export const isRinging = (status: number, first: 180 | 183): boolean => status === 180 || status === first

/** The cause of a final response, with its raw status. */
export const causeOf = (response: Response): Cause => ({ hangupCause: meaningOf(response).cause, ...raw(response) })

/** A cause of our own, with the raw status of a response. */
export const causeWith = (hangupCause: string, response: Response | null): Cause =>
  response === null ? { hangupCause, sipStatus: null, q850: null } : { hangupCause, ...raw(response) }

const raw = (response: Response) => ({ sipStatus: response.status, q850: q850Of(response) })

/**
 * The failure of a call that did not ring.
 *
 * @param heard whether a provisional response had come: then the callee did not respond, otherwise the trunk did not
 */
export const failureOf = (response: Response, heard: boolean): DeliveryFailure =>
  [408, 504].includes(response.status) && !heard ? trunkFailed() : meaningOf(response).failure()

/** The failure of a call that the trunk refuses as it refuses every other one. */
export const refusedAll = refused

/** Another trunk may do better. */
export const isTrunkTrouble = (response: Response, heard: boolean): boolean =>
  !isCallerBlocked(response) &&
  !isBarred(response) &&
  causeOfCallee(response) === undefined &&
  (isTrouble(response.status) || (response.status === 408 && !heard))

/** Statuses by which a trunk refuses our account, our caller id or its form, not this call. */
const OURS: ReadonlyArray<number> = [401, 402, 403, 407, 428, 429, 433, 436, 437, 438]

/** The trunk refuses our account or the caller id. */
export const isAccountTrouble = (response: Response): boolean =>
  (OURS.includes(response.status) || isBarred(response)) && !isCallerBlocked(response)

/** Whether a status means something here; a status that does not is noted. */
export const isKnown = (status: number): boolean => status < 400 || meanings.has(status) || status === 608

/** Q.850: the called party has been alerted and did not answer. */
const ALERTED = 19

/**
 * Whether the phone may have shown a call although no ringing was heard.
 *
 * @param heard whether a provisional response had come
 */
export const mayHaveRung = (response: Response, heard: boolean): boolean =>
  !isCallerBlocked(response) &&
  !isBarred(response) &&
  (q850Of(response) === ALERTED || (heard && isDeclined(response.status)))

/** The callee has declined, so that the phone has shown the call. */
const isDeclined = (status: number): boolean => [603, 607].includes(status)

/**
 * How a call ended has been decided, even if it was being cancelled: by the callee, or by a network that blocks the
 * caller.
 */
export const isDecided = (response: Response): boolean =>
  [486, 600, 603, 607].includes(response.status) || isCallerBlocked(response)

export const noTrunk = trunkFailed
export const notReached = unavailable
export const tooManyCalls = () => new NoRoom({ message: "Too many calls are being placed. Try again later." })
