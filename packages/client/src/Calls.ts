/**
 * Short calls whose caller id is the code. Written by scripts/contract.ts.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"

/** The callee's phone rings. */
export interface FlashCalled {
  /** The id of the delivery record. */
  readonly uuid: string
  /** The number that the phone shows, in E.164. */
  readonly caller: string
  /** The number that is called, in E.164. */
  readonly callee: string
}

/** A call and whom it is for. */
export interface FlashCall extends ClientFacts {
  /** The number that is called, in E.164 with the plus sign. */
  readonly callee: string
  /** The number that the phone shows, in E.164; the account's, or one of its pool, unless given. */
  readonly caller?: string
  /** The longest that the phone rings, 1 to 60 seconds; a random time between the account's bounds unless given. */
  readonly max_ring_time?: number
}

/** A call record. It is there from the start of the call: the cause is null and the durations are 0 until it ends. */
export interface Cdr {
  /** The id of the delivery record. */
  readonly uuid: string
  /**
   * The number that the phone shows, in E.164; null for a verification's call until the verification is approved,
   * because the caller is a code. Lists do not find that call by its caller.
   */
  readonly caller: string | null
  /** The number that is called, in E.164. */
  readonly callee: string
  /**
   * Why the call ended, by FreeSWITCH's names, for example NO_ANSWER; OUTGOING_CALL_BARRED where a guard refused it;
   * REJECT_ALL where the network blocks its caller id; null while it lasts.
   */
  readonly hangup_cause: string | null
  /** Whole seconds from the first ringing to the end. */
  readonly duration: number
  /** Whole seconds from the answer to the end. */
  readonly billsec: number
  /** Post-dial delay: seconds from the start of the call to the first ringing, to the millisecond. */
  readonly pdd: number
  /** When the call began. ISO 8601 in UTC. */
  readonly start_stamp: string
  /** The English name of the callee's country; null for numbers of none. */
  readonly destination_country: string | null
  /** The callee's country, by ISO 3166-1; null for numbers of none. */
  readonly destination_country_code: string | null
  /** The outcome that the account reported; null before. */
  readonly reported_status: CallOutcome | null
  /** The final status of the SIP dialog; null without one. */
  readonly sip_status: number | null
  /** The Q.850 cause that the network gave; null without one. */
  readonly q850: number | null
  /** The price in EUR. */
  readonly price: number
  /** Why a guard refused the send, or would have refused it, with spaces in between. */
  readonly guard_reasons?: string
}

export type CallOutcome = "Success" | "Failed" | "Incomplete" | "WrongNumber"

/** The outcome now on the record. */
export interface CallReported {
  /** Always `OK`. */
  readonly message: "OK"
  /** The id of the delivery record. */
  readonly uuid: string
  /** The outcome now on the record. */
  readonly status: CallOutcome
}

export interface ReportCall {
  /** The `uuid` of the call. */
  readonly uuid: string
  /** Whether the caller's digits were entered, or why not. */
  readonly status: CallOutcome
}

export interface Calls<C extends Convention = OverHttp> {
  /** Places a call that rings and hangs up by itself; the caller id is the code. Answers when the phone first rings. */
  readonly flash: (...args: [...C["before"], body: FlashCall, ...C["keyed"]]) => Promise<FlashCalled>
  /** Looks up a call record. */
  readonly get: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<Cdr>
  /**
   * Lists call records, the newest first unless `sort_by` says otherwise. A page past the end is empty and has the
   * true totals. `await` gives a page, `for await` the records of that page and of all after it.
   */
  readonly list: (...args: [...C["before"], body?: ListBody<Cdr>, ...C["options"]]) => Listing<Cdr>
  /**
   * Ends a call before its time. A call that has ended already is not found. `@watchword/client` never repeats it,
   * because a repeat would act twice or find it done.
   */
  readonly hangup: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<void>
  /** Reports what became of a call. Repeating a report is fine; contradicting one is a conflict. */
  readonly report: (...args: [...C["before"], report: ReportCall, ...C["options"]]) => Promise<CallReported>
}

export const calls = (request: Request): Calls => ({
  flash: (body, options) => request({ method: "POST", path: "/call/flash", body, repeats: "keyed" }, options),
  get: (uuid, options) =>
    request({ method: "GET", path: `/call/flash/${encodeURIComponent(uuid)}/cdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/call/flash/cdr", body, options),
  hangup: (uuid, options) =>
    request({ method: "DELETE", path: `/call/flash/${encodeURIComponent(uuid)}`, repeats: "never" }, options),
  report: (report, options) =>
    request({ method: "POST", path: "/call/flash/webhook", body: report, repeats: "harmless" }, options)
})
