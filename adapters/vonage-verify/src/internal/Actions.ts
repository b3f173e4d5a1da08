/**
 * The calls of Verify v2, by calls of the service.
 *
 * Source: https://developer.vonage.com/en/api/verify.v2. Statuses and types of errors: `Problems.ts`.
 */
import type { HostResponse } from "@watchword/server/Host"
import { type DoorCaller, isWatchwordError } from "watchword"
import * as Ids from "./Ids.ts"
import { missing } from "./Problems.ts"
import { Refused, invalidParameters } from "./Refused.ts"
import { PURPOSE, parameterOf, startOf } from "./Starts.ts"
import type { StartOf, Verify } from "./Verifications.ts"

export interface Actions {
  readonly start: (caller: DoorCaller, body: unknown) => Promise<HostResponse>
  readonly check: (caller: DoorCaller, requestId: string, body: unknown) => Promise<HostResponse>
  readonly next: (caller: DoorCaller, requestId: string) => Promise<HostResponse>
  readonly cancel: (caller: DoorCaller, requestId: string) => Promise<HostResponse>
}

/** @param everywhere the caller with every scope, for reads that the app has not asked for */
export const make = (
  verify: Verify,
  everywhere: (caller: DoorCaller) => Promise<DoorCaller>,
  flashes: boolean
): Actions => {
  /** The pending verification of a number. */
  const pendingOf = async (caller: DoorCaller, to: string): Promise<string | null> => {
    const [pending] = (
      await verify.list(await everywhere(caller), {
        rows_per_page: 1,
        filter: { to, purpose: PURPOSE, status: "pending" }
      })
    ).list
    return pending === undefined ? null : Ids.toRequestId(pending.id)
  }

  const refusePending = async (caller: DoorCaller, { to }: StartOf): Promise<void> => {
    const requestId = await pendingOf(caller, to)
    if (requestId !== null) throw new Refused("pending", { request_id: requestId })
  }

  return {
    start: async (caller, body) => {
      const start = startOf(body, flashes)
      try {
        await refusePending(caller, start)
        const { id } = await verify.start(caller, start)
        return json(202, { request_id: Ids.toRequestId(id) })
      } catch (error) {
        // Another start of the number has come in between, and nothing was sent for this one.
        if (isRace(error)) await refusePending(caller, start)
        throw inParameters(error)
      }
    },

    check: async (caller, requestId, body) => {
      const code = codeIn(body)
      const checked = await verify.check(caller, idOf(requestId), { code }).catch((error: unknown) => {
        throw isWatchwordError(error) && error.code === "BAD_REQUEST" ? new Refused("invalidCode") : error
      })
      if (checked.valid) return json(200, { request_id: requestId.toLowerCase(), status: "completed" })
      if (checked.status === "pending") throw new Refused("invalidCode")
      throw checked.status === "failed" ? new Refused("tooManyCodes") : noRequest(requestId)
    },

    next: async (caller, requestId) => {
      await verify.next(caller, idOf(requestId), {})
      return json(200, {})
    },

    cancel: async (caller, requestId) => {
      const { status } = await verify.cancel(caller, idOf(requestId))
      if (status !== "canceled") throw noRequest(requestId)
      return { status: 204, headers: { "cache-control": "no-store" }, body: null }
    }
  }
}

const json = (status: number, body: object): HostResponse => ({
  status,
  // SDKs read an answer of exactly this type, and take any other for an empty one.
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(body)
})

const isRace = (error: unknown): boolean =>
  error instanceof Error && "reason" in error && (error.reason === "resend_too_soon" || error.reason === "in_flight")

/** A mistake in the body, with Vonage's names of its fields. */
const inParameters = (error: unknown): unknown => {
  const issues = isWatchwordError(error) && error.code === "BAD_REQUEST" ? (error.issues ?? []) : []
  return issues.length === 0 ? error : invalidParameters(issues.map(parameterOf))
}

/** The code of a check, which some apps send as a number. */
const codeIn = (body: unknown): string => {
  const code: unknown = Object(body).code
  if (typeof code === "string" && code !== "") return code
  if (typeof code === "number") return String(code)
  throw invalidParameters([{ name: "code", reason: "is required" }])
}

const idOf = (requestId: string): string => {
  const id = Ids.toVerificationId(requestId)
  if (id === null) throw noRequest(requestId)
  return id
}

const noRequest = (requestId: string): Refused => new Refused("noRequest", missing(requestId))
