/**
 * Codes by a business messaging platform.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import { type ListBody, listing } from "./Lists.ts"
import type { Convention, OverHttp, Pages } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"

export interface SendOtp extends ClientFacts {
  /** E.164, with the plus sign. */
  readonly to: string
  /** With the code in it, and how long it is valid. */
  readonly text: string
  /** The code, where it cannot be found in the text. */
  readonly code?: string
  /** The reader's language, as a BCP 47 tag. */
  readonly locale?: string
}

export interface OtpSent {
  readonly uuid: string
  readonly to: string
}

/** The delivery record of a text. Times are ISO 8601 in UTC, prices in EUR. */
export interface Wdr {
  readonly uuid: string
  readonly to: string
  /** SENT, DELIVERED, READ, FAILED or BLOCKED. */
  readonly status: string
  readonly created_at: string
  /** The platform's error code. */
  readonly error_code: number | null
  readonly price: number
  readonly is_refunded: boolean
  /** Only where the account keeps texts. */
  readonly text?: string
  readonly guard_reasons?: string
}

export interface ReportBusinessChat {
  /** The `uuid` of the text. */
  readonly uuid: string
  /** What you know of the text. */
  readonly status: "Success" | "Failed"
}

export interface BusinessChatReported {
  readonly message: "OK"
  readonly uuid: string
  readonly status: string
}

export interface BusinessChat<C extends Convention = OverHttp> {
  /** Sends a text with a code, and answers once the platform has taken it. */
  readonly send: (...args: [...C["before"], message: SendOtp, ...C["keyed"]]) => Promise<OtpSent>
  /** Looks up the delivery record of a text. */
  readonly get: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<Wdr>
  /** Lists delivery records of texts, the newest first unless told otherwise. */
  readonly list: (...args: [...C["before"], body?: ListBody<Wdr>, ...C["options"]]) => Pages<C, Wdr>
  /** Reports what became of a text. Repeating a report is fine; contradicting one is a `Conflict`. */
  readonly report: (
    ...args: [...C["before"], report: ReportBusinessChat, ...C["options"]]
  ) => Promise<BusinessChatReported>
}

export const businessChat = (request: Request): BusinessChat => ({
  send: (body, options) => request({ method: "POST", path: "/bizchat/otp", body, repeats: "keyed" }, options),
  get: (uuid, options) =>
    request({ method: "GET", path: `/bizchat/${encodeURIComponent(uuid)}/wdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/bizchat/wdr", body, options),
  report: (body, options) => request({ method: "POST", path: "/bizchat/webhook", body, repeats: "harmless" }, options)
})
