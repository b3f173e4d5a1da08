/**
 * Codes through a chat app's own gateway. Written by scripts/contract.ts.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"

/** The gateway has taken the code. */
export interface CodeSent {
  /** The id of the delivery record. */
  readonly uuid: string
  /** The gateway's id of the request, for status checks and revocation. */
  readonly request_id: string
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** How far the message got. */
  readonly status: ChatgwStatus
  /** The price in EUR. */
  readonly price: number
  /** The available balance afterwards, in EUR. */
  readonly remaining_balance: number
}

/** How far a message got. All but `sent`, `delivered` and `read` end it. */
export type ChatgwStatus = "sent" | "delivered" | "read" | "failed" | "expired" | "revoked"

/** A code and whom it is for. */
export interface SendCode extends ClientFacts {
  /** The number of the recipient, in E.164 with the plus sign. */
  readonly to: string
  /** The code, 4 to 8 digits. */
  readonly code: string
  /** Seconds that the code is valid, 30 to 3600; 300 unless given. */
  readonly ttl?: number
  /** The username of a verified channel; the account's unless given. */
  readonly sender_username?: string
  /**
   * An https address, of at most 256 bytes, that the gateway POSTs events to instead of this service: the record then
   * learns of delivery, expiry and refunds by a status check only.
   */
  readonly callback_url?: string
}

/** Where `is_refunded` is true the number has no account on the chat app, and the probe cost nothing. */
export interface SendAbility {
  /** The gateway's id of the request, for status checks and revocation. */
  readonly request_id: string
  /** The number, in E.164. */
  readonly to: string
  /** The price in EUR. */
  readonly price: number
  /** Whether the price was paid back. */
  readonly is_refunded: boolean
  /** The available balance afterwards, in EUR. */
  readonly remaining_balance: number
  /** How far the message got. */
  readonly delivery_status: {
    /** The status. */
    readonly status: ChatgwStatus
    /** When the status was reached. ISO 8601 in UTC. */
    readonly updated_at: string
  }
}

export interface CheckSendAbility extends ClientFacts {
  /** The number of the recipient, in E.164 with the plus sign. */
  readonly to: string
}

/** The status is null before a code was entered. */
export interface ChatgwCodeChecked {
  /** The gateway's id of the request, for status checks and revocation. */
  readonly request_id: string
  /** The result of the codes that were entered; null before. */
  readonly verification_status: {
    /** The status. */
    readonly status: ChatgwCodeStatus
    /** When the status was reached. ISO 8601 in UTC. */
    readonly updated_at: string
  } | null
}

export type ChatgwCodeStatus = "code_valid" | "code_invalid" | "code_max_attempts_exceeded" | "expired"

/** The code that the user entered. */
export interface CheckChatgwCode {
  /** The `request_id` of the send. */
  readonly request_id: string
  /**
   * The code as the user has entered it: 4 to 8 digits of any script. White space, dashes and invisible marks before,
   * between and behind them are left out. Without it the status is only looked up.
   */
  readonly code?: string
}

/** Where `is_refunded` is true the message had not been read, and its charge is returned. */
export interface Revoked {
  /** The gateway's id of the request, for status checks and revocation. */
  readonly request_id: string
  /** Whether the price was paid back. */
  readonly is_refunded: boolean
  /** The available balance afterwards, in EUR. */
  readonly remaining_balance: number
}

export interface RevokeCode {
  /** The `request_id` of the send. */
  readonly request_id: string
}

/** The delivery record of a chat code. */
export interface Tdr {
  /** The id of the delivery record. */
  readonly uuid: string
  /** The gateway's id of the request; null if it accepted no request. */
  readonly request_id: string | null
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** The delivery status in upper case. */
  readonly status: string
  /**
   * How far the message got; `blocked` was refused by a guard, and not sent. All but `sent`, `delivered` and `read`
   * end it.
   */
  readonly delivery_status: "sent" | "delivered" | "read" | "failed" | "expired" | "revoked" | "blocked"
  /** The result of the codes that were entered; null before. */
  readonly verification_status: ChatgwCodeStatus | null
  /** The price in EUR. */
  readonly price: number
  /** Whether the price was paid back. */
  readonly is_refunded: boolean
  /** The English name of the recipient's country; null for numbers of none. */
  readonly country: string | null
  /** When it was made. ISO 8601 in UTC. */
  readonly created_at: string
  /** Why a guard refused the send, or would have refused it, with spaces in between. */
  readonly guard_reasons?: string
}

/** The status now on the record. */
export interface ChatgwReported {
  /** Always `OK`. */
  readonly message: "OK"
  /** The id of the delivery record. */
  readonly id: string
  /** The status now on the record, in upper case. */
  readonly status: string
}

export interface ReportChatgw {
  /** The `uuid` of the message. */
  readonly id: string
  /** What you know of the message. */
  readonly status: "Success" | "Failed"
}

export interface Chatgw<C extends Convention = OverHttp> {
  /** Sends a code. The price of a probe of the same number is taken off, unless another send has spent it. */
  readonly send: (...args: [...C["before"], message: SendCode, ...C["keyed"]]) => Promise<CodeSent>
  /**
   * Asks whether a number has an account on the chat app. The next send to it spends the price of this. Requests for
   * one number at the same time are one probe, which is charged once.
   */
  readonly checkSendAbility: (...args: [...C["before"], body: CheckSendAbility, ...C["keyed"]]) => Promise<SendAbility>
  /**
   * Checks the code that the user has entered, which takes one of its checks. `@watchword/client` never repeats it,
   * because a repeat would act twice or find it done.
   */
  readonly checkVerificationStatus: (
    ...args: [...C["before"], body: CheckChatgwCode, ...C["options"]]
  ) => Promise<ChatgwCodeChecked>
  /**
   * Takes a code back. A request that has expired, has failed or was revoked before is a conflict.
   * `@watchword/client` never repeats it, because a repeat would act twice or find it done.
   */
  readonly revoke: (...args: [...C["before"], body: RevokeCode, ...C["options"]]) => Promise<Revoked>
  /** Looks up a delivery record. */
  readonly get: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<Tdr>
  /**
   * Lists delivery records, the newest first unless `sort_by` says otherwise. A page past the end is empty and has
   * the true totals. `await` gives a page, `for await` the records of that page and of all after it.
   */
  readonly list: (...args: [...C["before"], body?: ListBody<Tdr>, ...C["options"]]) => Listing<Tdr>
  /** Reports what became of a message. Repeating a report is fine; contradicting one is a conflict. */
  readonly report: (...args: [...C["before"], report: ReportChatgw, ...C["options"]]) => Promise<ChatgwReported>
}

export const chatgw = (request: Request): Chatgw => ({
  send: (message, options) =>
    request({ method: "POST", path: "/chatgw", body: message, repeats: "keyed", isSpelled: true }, options),
  checkSendAbility: (body, options) =>
    request({ method: "POST", path: "/chatgw/check-send-ability", body, repeats: "keyed", isSpelled: true }, options),
  checkVerificationStatus: (body, options) =>
    request(
      { method: "POST", path: "/chatgw/check-verification-status", body, repeats: "never", isSpelled: true },
      options
    ),
  revoke: (body, options) =>
    request({ method: "POST", path: "/chatgw/revoke-verification", body, repeats: "never", isSpelled: true }, options),
  get: (uuid, options) =>
    request(
      { method: "GET", path: `/chatgw/${encodeURIComponent(uuid)}/tdr`, repeats: "harmless", isSpelled: true },
      options
    ),
  list: (body, options) => listing(request, "/chatgw/tdr", body, options, true),
  report: (report, options) =>
    request({ method: "POST", path: "/chatgw/webhook", body: report, repeats: "harmless", isSpelled: true }, options)
})
