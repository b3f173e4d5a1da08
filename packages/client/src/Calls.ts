/**
 * Flash calls: the phone rings, and the caller id is the code.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import { type ListBody, listing } from "./Lists.ts"
import type { Convention, OverHttp, Pages } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"

export interface FlashCall extends ClientFacts {
  /** E.164, with the plus sign. */
  readonly callee: string
  /** E.164; the account's, or one of its pool, unless given. */
  readonly caller?: string
  /** Seconds of ringing, 1 to 60. */
  readonly max_ring_time?: number
}

/** `caller` is the number that the phone shows. */
export interface FlashCalled {
  readonly uuid: string
  readonly caller: string
  readonly callee: string
}

export type CallOutcome = "Success" | "Failed" | "Incomplete" | "WrongNumber"

/** A call record: the cause is null and the durations are 0 until the call ends. Prices are in EUR. */
export interface Cdr {
  readonly uuid: string
  /** Null for a verification's call before it is approved: the caller is a code. */
  readonly caller: string | null
  readonly callee: string
  /** For example NO_ANSWER. */
  readonly hangup_cause: string | null
  /** Whole seconds from the first ringing to the end. */
  readonly duration: number
  /** Whole seconds from the answer to the end. */
  readonly billsec: number
  /** Post-dial delay: seconds from the start to the first ringing. */
  readonly pdd: number
  /** ISO 8601 in UTC. */
  readonly start_stamp: string
  readonly destination_country: string | null
  readonly destination_country_code: string | null
  readonly reported_status: CallOutcome | null
  readonly sip_status: number | null
  readonly q850: number | null
  readonly price: number
  readonly guard_reasons?: string
}

export interface ReportCall {
  /** The `uuid` of the call. */
  readonly uuid: string
  /** Whether the caller's digits were entered, or why not. */
  readonly status: CallOutcome
}

export interface CallReported {
  readonly message: "OK"
  readonly uuid: string
  readonly status: CallOutcome
}

export interface Calls<C extends Convention = OverHttp> {
  /** Makes a phone ring, and answers when it does. */
  readonly flash: (...args: [...C["before"], call: FlashCall, ...C["keyed"]]) => Promise<FlashCalled>
  /** Looks up the record of a call. */
  readonly get: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<Cdr>
  /** Lists records of calls, the newest first unless told otherwise. */
  readonly list: (...args: [...C["before"], body?: ListBody<Cdr>, ...C["options"]]) => Pages<C, Cdr>
  /** Ends a call before its time. One that has ended is `NotFound`, so `@watchword/client` never repeats it. */
  readonly hangup: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<void>
  /** Reports what became of a call. Repeating a report is fine; contradicting one is a `Conflict`. */
  readonly report: (...args: [...C["before"], report: ReportCall, ...C["options"]]) => Promise<CallReported>
}

export const calls = (request: Request): Calls => ({
  flash: (body, options) => request({ method: "POST", path: "/call/flash", body, repeats: "keyed" }, options),
  get: (uuid, options) =>
    request({ method: "GET", path: `/call/flash/${encodeURIComponent(uuid)}/cdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/call/flash/cdr", body, options),
  hangup: (uuid, options) =>
    request({ method: "DELETE", path: `/call/flash/${encodeURIComponent(uuid)}`, repeats: "never" }, options),
  report: (body, options) =>
    request({ method: "POST", path: "/call/flash/webhook", body, repeats: "harmless" }, options)
})
