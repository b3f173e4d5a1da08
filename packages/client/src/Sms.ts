/**
 * Text messages of one part or several. Written by scripts/contract.ts.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"

/** The message was handed to a carrier. */
export interface SmsSent {
  /** The id of the message. */
  readonly messageId: string
  /** The sender that the phone shows. */
  readonly from: string
  /** The number of the recipient, in E.164. */
  readonly to: string
}

/** A text and whom it is for. */
export interface SendSms extends ClientFacts {
  /** The number of the recipient, in E.164 with the plus sign. */
  readonly to: string
  /** 1 to 4096 characters; a long text is split into parts, each with its price. */
  readonly text: string
  /** An alphanumeric or numeric sender; the account's unless given. */
  readonly from?: string
  /**
   * Seconds after which the text is neither sent nor delivered, 30 to 172800; 600 for a text with a code unless
   * given.
   */
  readonly ttl?: number
  /**
   * Optional SMPP parameters that the carrier requires, as texts keyed by hexadecimal tag from 1400 to 3FFF; at most
   * 10.
   */
  readonly tlvs?: Readonly<Record<string, string>>
}

/** The delivery record of a text. */
export interface Sdr {
  /** The id of the delivery record. */
  readonly uuid: string
  /** The id of the message. */
  readonly messageId: string
  /** The sender that the phone shows. */
  readonly from: string
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** Where the text stands; `blocked` was refused by a guard, and not sent. */
  readonly status: "delivered" | "sent" | "failed" | "undelivered" | "blocked"
  /** When the status was reached. ISO 8601 in UTC. */
  readonly timestamp: string
  /** When it was made. ISO 8601 in UTC. */
  readonly created_at: string
  /** How many parts the text was split into; each is priced. */
  readonly parts: number
  /** The price in EUR. */
  readonly price: number
  /** The text of the message; only where the account keeps texts. */
  readonly text?: string
  /** Why a guard refused the send, or would have refused it, with spaces in between. */
  readonly guard_reasons?: string
}

/** The status now on the record. */
export interface SmsReported {
  /** Always `OK`. */
  readonly message: "OK"
  /** The id of the message. */
  readonly id: string
  /** The status now on the record. */
  readonly status: SmsStatus
}

/** Where a text stands; all but `sent` are final. */
export type SmsStatus = "delivered" | "sent" | "failed" | "undelivered"

export interface ReportSms {
  /** The `messageId` of the text. */
  readonly id: string
  /** What you know of the text, for example `delivered` once its user has entered the code. */
  readonly status: SmsStatus
}

export interface Sms<C extends Convention = OverHttp> {
  /** Sends a text message, and answers once the carrier has taken it. Its later statuses are on its delivery record. */
  readonly send: (...args: [...C["before"], message: SendSms, ...C["keyed"]]) => Promise<SmsSent>
  /** Looks up a delivery record. */
  readonly get: (...args: [...C["before"], messageId: string, ...C["options"]]) => Promise<Sdr>
  /**
   * Lists delivery records, the newest first unless `sort_by` says otherwise. A page past the end is empty and has
   * the true totals. `await` gives a page, `for await` the records of that page and of all after it.
   */
  readonly list: (...args: [...C["before"], body?: ListBody<Sdr>, ...C["options"]]) => Listing<Sdr>
  /** Reports what became of a text. Repeating a report is fine; contradicting one is a conflict. */
  readonly report: (...args: [...C["before"], report: ReportSms, ...C["options"]]) => Promise<SmsReported>
}

export const sms = (request: Request): Sms => ({
  send: (message, options) => request({ method: "POST", path: "/sms", body: message, repeats: "keyed" }, options),
  get: (messageId, options) =>
    request({ method: "GET", path: `/sms/${encodeURIComponent(messageId)}/sdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/sms/sdr", body, options),
  report: (report, options) =>
    request({ method: "POST", path: "/sms/webhook", body: report, repeats: "harmless" }, options)
})
