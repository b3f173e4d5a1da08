/**
 * Text messages.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import { type ListBody, listing } from "./Lists.ts"
import type { Convention, OverHttp, Pages } from "./Convention.ts"
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
  /** What you know of the text, for example `delivered` once its user has entered the code. */
  readonly status: SmsStatus
}

export interface SmsReported {
  readonly message: "OK"
  readonly id: string
  readonly status: SmsStatus
}

export interface Sms<C extends Convention = OverHttp> {
  /** Sends a text, and answers once the carrier has taken it. */
  readonly send: (...args: [...C["before"], message: SendSms, ...C["keyed"]]) => Promise<SmsSent>
  /** Looks up the delivery record of a text. */
  readonly get: (...args: [...C["before"], messageId: string, ...C["options"]]) => Promise<Sdr>
  /** Lists delivery records of texts, the newest first unless told otherwise. */
  readonly list: (...args: [...C["before"], body?: ListBody<Sdr>, ...C["options"]]) => Pages<C, Sdr>
  /** Reports what became of a text. Repeating a report is fine; contradicting one is a `Conflict`. */
  readonly report: (...args: [...C["before"], report: ReportSms, ...C["options"]]) => Promise<SmsReported>
}

export const sms = (request: Request): Sms => ({
  send: (body, options) => request({ method: "POST", path: "/sms", body, repeats: "keyed" }, options),
  get: (id, options) =>
    request({ method: "GET", path: `/sms/${encodeURIComponent(id)}/sdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/sms/sdr", body, options),
  report: (body, options) => request({ method: "POST", path: "/sms/webhook", body, repeats: "harmless" }, options)
})
