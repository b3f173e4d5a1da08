/**
 * Codes by a chat app's own gateway.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import { type ListBody, listing } from "./Lists.ts"
import type { Convention, OverHttp, Pages } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"

export interface SendCode extends ClientFacts {
  /** E.164, with the plus sign. */
  readonly to: string
  /** 4 to 8 digits. */
  readonly code: string
  /** Seconds that the code is valid, 30 to 3600; 300 unless given. */
  readonly ttl?: number
  /** The username of a verified channel; the account's unless given. */
  readonly sender_username?: string
  /** An https address that the gateway POSTs events to instead of the service. */
  readonly callback_url?: string
}

/** How far a message got. All but `sent`, `delivered` and `read` end it. */
export type ChatStatus = "sent" | "delivered" | "read" | "failed" | "expired" | "revoked"

export type ChatCodeStatus = "code_valid" | "code_invalid" | "code_max_attempts_exceeded" | "expired"

/** A status, and since when, in Unix seconds. */
export interface Since<Status> {
  readonly status: Status
  readonly updated_at: number
}

/** Money is in EUR. */
export interface CodeSent {
  readonly uuid: string
  /** The gateway's id of the request, for checks and revocation. */
  readonly request_id: string
  readonly to: string
  readonly status: ChatStatus
  readonly request_cost: number
  readonly remaining_balance: number
}

export interface CheckSendAbility extends ClientFacts {
  /** E.164, with the plus sign. */
  readonly to: string
}

/** `is_refunded`: the number has no account, and the question cost nothing. */
export interface SendAbility {
  readonly request_id: string
  readonly phone_number: string
  readonly request_cost: number
  readonly is_refunded: boolean
  readonly remaining_balance: number
  readonly delivery_status: Since<ChatStatus>
}

export interface CheckChatCode {
  /** The `request_id` of the send. */
  readonly request_id: string
  /** As the user has entered it; without it the status is only looked up. */
  readonly code?: string
}

/** The status is null before a code was entered. */
export interface ChatCodeChecked {
  readonly request_id: string
  readonly verification_status: Since<ChatCodeStatus> | null
}

export interface RevokeCode {
  /** The `request_id` of the send. */
  readonly request_id: string
}

/** `is_refunded`: the message had not been read, and its charge is returned. */
export interface Revoked {
  readonly request_id: string
  readonly is_refunded: boolean
  readonly remaining_balance: number
}

/** The delivery record of a code. Times are ISO 8601 in UTC, prices in EUR. */
export interface Tdr {
  readonly uuid: string
  readonly request_id: string | null
  readonly to: string
  /** The delivery status in upper case. */
  readonly status: string
  readonly delivery_status: ChatStatus | "blocked"
  readonly verification_status: ChatCodeStatus | null
  readonly request_cost: number
  readonly is_refunded: boolean
  readonly country: string | null
  readonly created_at: string
  readonly guard_reasons?: string
}

export interface ReportChat {
  /** The `uuid` of the message. */
  readonly id: string
  /** What you know of the message. */
  readonly status: "Success" | "Failed"
}

export interface ChatReported {
  readonly message: "OK"
  readonly id: string
  readonly status: string
}

export interface Chat<C extends Convention = OverHttp> {
  /** Sends a code. */
  readonly send: (...args: [...C["before"], message: SendCode, ...C["keyed"]]) => Promise<CodeSent>
  /** Asks whether a number has an account. The next send to it spends the price of this. */
  readonly checkSendAbility: (...args: [...C["before"], body: CheckSendAbility, ...C["keyed"]]) => Promise<SendAbility>
  /** Checks the code that the user has entered. It takes one of the guesses, so `@watchword/client` never repeats it. */
  readonly checkVerificationStatus: (
    ...args: [...C["before"], body: CheckChatCode, ...C["options"]]
  ) => Promise<ChatCodeChecked>
  /** Takes a code back. One that was taken back before is a `Conflict`, so `@watchword/client` never repeats it. */
  readonly revoke: (...args: [...C["before"], body: RevokeCode, ...C["options"]]) => Promise<Revoked>
  /** Looks up the delivery record of a code. */
  readonly get: (...args: [...C["before"], uuid: string, ...C["options"]]) => Promise<Tdr>
  /** Lists delivery records of codes, the newest first unless told otherwise. */
  readonly list: (...args: [...C["before"], body?: ListBody<Tdr>, ...C["options"]]) => Pages<C, Tdr>
  /** Reports what became of a message. Repeating a report is fine; contradicting one is a `Conflict`. */
  readonly report: (...args: [...C["before"], report: ReportChat, ...C["options"]]) => Promise<ChatReported>
}

export const chat = (request: Request): Chat => ({
  send: (body, options) => request({ method: "POST", path: "/chatgw", body, repeats: "keyed" }, options),
  checkSendAbility: (body, options) =>
    request({ method: "POST", path: "/chatgw/check-send-ability", body, repeats: "keyed" }, options),
  checkVerificationStatus: (body, options) =>
    request({ method: "POST", path: "/chatgw/check-verification-status", body, repeats: "never" }, options),
  revoke: (body, options) =>
    request({ method: "POST", path: "/chatgw/revoke-verification", body, repeats: "never" }, options),
  get: (uuid, options) =>
    request({ method: "GET", path: `/chatgw/${encodeURIComponent(uuid)}/tdr`, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/chatgw/tdr", body, options),
  report: (body, options) => request({ method: "POST", path: "/chatgw/webhook", body, repeats: "harmless" }, options)
})
