/**
 * Codes through a business messaging platform. Written by scripts/contract.ts.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"

/** The platform has taken the text. */
export interface OtpSent {
  /** The id of the delivery record. */
  readonly uuid: string
  /** The number of the recipient, in E.164. */
  readonly to: string
}

/** A text with a code, and whom it is for. */
export interface SendOtp extends ClientFacts {
  /** The number of the recipient, in E.164 with the plus sign. */
  readonly to: string
  /** 1 to 4096 characters, with the code in it and how long it is valid. */
  readonly text: string
  /**
   * The code, 1 to 15 letters, digits and dashes, where it cannot be found in the text: templates have a place of
   * their own for it.
   */
  readonly code?: string
  /**
   * The reader's language, as a BCP 47 tag: the template is sent in it where it is translated to it, otherwise in the
   * operator's language.
   */
  readonly locale?: string
}

/** The delivery record of a business chat message. */
export interface Wdr {
  /** The id of the delivery record. */
  readonly uuid: string
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** How far the text got: SENT, DELIVERED, READ, FAILED or BLOCKED. */
  readonly status: string
  /** When it was made. ISO 8601 in UTC. */
  readonly created_at: string
  /** The platform's code of an error; null without one. */
  readonly error_code: number | null
  /** The price in EUR. */
  readonly price: number
  /** Whether the price was paid back. */
  readonly is_refunded: boolean
  /** The text of the message; only where the account keeps texts. */
  readonly text?: string
  /** Why a guard refused the send, or would have refused it, with spaces in between. */
  readonly guard_reasons?: string
}

/** The status now on the record. */
export interface BizchatReported {
  /** Always `OK`. */
  readonly message: "OK"
  /** The id of the delivery record. */
  readonly uuid: string
  /** The status now on the record, in upper case. */
  readonly status: string
}

export interface ReportBizchat {
  /** The `uuid` of the text. */
  readonly uuid: string
  /** What you know of the text. */
  readonly status: "Success" | "Failed"
}

export interface Bizchat<C extends Convention = OverHttp> {
  /** Sends a text with a code, and answers once the platform has taken it. */
  readonly send: (...args: [...C["before"], message: SendOtp, ...C["keyed"]]) => Promise<OtpSent>
  /** Looks up a delivery record. */
  readonly get: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<Wdr>
  /**
   * Lists delivery records, the newest first unless `sort_by` says otherwise. A page past the end is empty and has
   * the true totals. `await` gives a page, `for await` the records of that page and of all after it.
   */
  readonly list: (...args: [...C["before"], body?: ListBody<Wdr>, ...C["options"]]) => Listing<Wdr>
  /** Reports what became of a text. Repeating a report is fine; contradicting one is a conflict. */
  readonly report: (...args: [...C["before"], report: ReportBizchat, ...C["options"]]) => Promise<BizchatReported>
}

export const bizchat = (request: Request): Bizchat => ({
  send: (message, options) =>
    request({ method: "POST", path: "/bizchat/otp", body: message, repeats: "keyed" }, options),
  get: (uuid, options) =>
    request({ method: "GET", path: `/bizchat/${encodeURIComponent(uuid)}/wdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/bizchat/wdr", body, options),
  report: (report, options) =>
    request({ method: "POST", path: "/bizchat/webhook", body: report, repeats: "harmless" }, options)
})
