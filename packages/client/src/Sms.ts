/**
 * Text messages.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"
import type { CallOptions, KeyedOptions } from "./Options.ts"
import type { Request } from "./internal/Request.ts"

export interface SendSms extends ClientFacts {
  /** E.164, with the plus sign. */
  readonly to: string
  /** 1 to 4096 characters; a long text is split into parts, each with its price. */
  readonly text: string
  /** An alphanumeric or numeric sender; the account's unless given. */
  readonly from?: string
  /** Seconds after which the text is neither sent nor delivered. */
  readonly ttl?: number
  /** Optional parameters that the carrier asks for, by their hexadecimal tags. */
  readonly tlvs?: Readonly<Record<string, string>>
}

export interface SmsSent {
  readonly messageId: string
  readonly from: string
  readonly to: string
}

/** Where a text stands; all but `sent` are final. */
export type SmsStatus = "delivered" | "sent" | "failed" | "undelivered"

/** The delivery record of a text. Times are ISO 8601 in UTC, prices in EUR. */
export interface Sdr {
  readonly uuid: string
  readonly messageId: string
  readonly from: string
  readonly to: string
  readonly status: SmsStatus | "blocked"
  /** The time of the status. */
  readonly timestamp: string
  readonly created_at: string
  readonly parts: number
  readonly price: number
  /** Only where the account keeps texts. */
  readonly text?: string
  readonly guard_reasons?: string
}

export interface ReportSms {
  /** The `messageId` of the text. */
  readonly id: string
  readonly status: SmsStatus
}

export interface SmsReported {
  readonly message: "OK"
  readonly id: string
  readonly status: SmsStatus
}

export interface Sms {
  /** Sends a text, and answers once the carrier has taken it. */
  readonly send: (message: SendSms, options?: KeyedOptions) => Promise<SmsSent>
  readonly get: (messageId: string, options?: CallOptions) => Promise<Sdr>
  readonly list: (body?: ListBody<Sdr>, options?: CallOptions) => Listing<Sdr>
  /** Reports what became of a text. Repeating a report is fine; contradicting one is a `Conflict`. */
  readonly report: (report: ReportSms, options?: CallOptions) => Promise<SmsReported>
}

export const sms = (request: Request): Sms => ({
  send: (body, options) => request({ method: "POST", path: "/sms", body, repeats: "keyed" }, options),
  get: (id, options) =>
    request({ method: "GET", path: `/sms/${encodeURIComponent(id)}/sdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/sms/sdr", body, options),
  report: (body, options) => request({ method: "POST", path: "/sms/webhook", body, repeats: "harmless" }, options)
})
